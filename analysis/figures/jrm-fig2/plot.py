# SPDX-License-Identifier: GPL-2.0-only
"""Transmissions per second over the error rate, messages of ten packets."""

from lfn.figures.jrm import draw_transmissions

SHOWN = [
    ("lost", "jrm-lost", "errorRate"),
    ("safe", "jrm-safe", "errorRate"),
    ("three", "jrm-three", "errorRate"),
    ("adaptive", "jrm-adaptive", "errorRate"),
    ("no-floor", "jrm-no-floor", "errorRate"),
    ("paced-adaptive", "jrm-paced-adaptive", "errorRate"),
    ("paced", "jrm-paced", "errorRate"),
    ("paced-copies", "jrm-paced-copies", "errorRate"),
    ("slow", "jrm-slow", "receiverErrorRate"),
    ("missing", "jrm-missing", "receiverErrorRate"),
]
WORDS = [("close-until-20", (0, 20)), ("underestimated-above-20", (22, 30))]


def draw(results):
    limits = (-8.0, 14.0)
    return draw_transmissions(results, 10, SHOWN, "transmissions", limits, WORDS, complete=True)
