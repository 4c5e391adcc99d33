# SPDX-License-Identifier: GPL-2.0-only
"""Transmissions per second over the error rate, messages of one packet."""

from lfn.figures.jrm import draw_transmissions

SHOWN = [("lost", "jrm-lost", "errorRate"), ("safe", "jrm-safe", "errorRate")]


def draw(results):
    words = [("very-close", (0, 30))]
    limits = (-12.0, 10.0)
    return draw_transmissions(results, 1, SHOWN, "transmissions", limits, words)
