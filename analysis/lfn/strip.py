# SPDX-License-Identifier: GPL-2.0-only
"""A small picture of single runs with the published value among them, as SVG within a page."""

import numpy as np
from markupsafe import Markup

WIDTH, HEIGHT, FOOT, EDGE = 320, 58, 16, 8
BINS = 24


def drawn(singles, published, unit):
    """Return a histogram of numbers with a line at the ``published`` one, nothing without any."""
    if not singles:
        return Markup("")
    least, most = min(*singles, published), max(*singles, published)
    span = (most - least) or abs(most) or 1.0
    bins = np.linspace(least, least + span, BINS + 1)
    counts, _ = np.histogram(singles, bins)

    def x(value):
        return EDGE + (WIDTH - 2 * EDGE) * (value - least) / span

    floor = HEIGHT - FOOT
    bars = "".join(
        f'<rect x="{x(low):.1f}" y="{floor - tall:.1f}" width="{x(high) - x(low) - 1:.1f}" '
        f'height="{tall:.1f}"/>'
        for low, high, count in zip(bins, bins[1:], counts, strict=False)
        if (tall := (floor - 4) * count / counts.max())
    )
    middle = x(float(np.median(singles)))
    at = x(published)
    words = f"{len(singles)} single runs from {min(singles):.4g} to {max(singles):.4g} {unit}, "
    words += f"median {np.median(singles):.4g}; published {published:g}"
    return Markup(
        '<svg class="strip" role="img" viewBox="0 0 {} {}" width="{}" height="{}"><title>{}</title>'
        '<g class="runs">{}</g><path class="median" d="M{:.1f} {}V{}"/>'
        '<path class="published" d="M{:.1f} 0V{}"/><text x="{}" y="{}">{}</text>'
        '<text x="{}" y="{}" text-anchor="end">{}</text></svg>'
    ).format(
        WIDTH,
        HEIGHT,
        WIDTH,
        HEIGHT,
        words,
        Markup(bars),
        middle,
        floor,
        floor + 5,
        at,
        floor,
        EDGE,
        HEIGHT - 3,
        f"{least:.3g}",
        WIDTH - EDGE,
        HEIGHT - 3,
        f"{least + span:.3g}",
    )
