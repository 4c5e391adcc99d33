# SPDX-License-Identifier: GPL-2.0-only
"""Which packets the path emulator lost or held in measurements of the original programs.

It draws a number for every data packet, in their order, so that its seed gives them all.
"""

from itertools import islice


def draws(seed):
    """Yield the emulator's numbers from 0 to 1: xorshift64*, a hundred of them thrown away."""
    word = 2**64 - 1
    state = (seed * 0x9E3779B97F4A7C15 + 1) & word

    def draw():
        nonlocal state
        state ^= state >> 12
        state ^= (state << 25) & word
        state ^= state >> 27
        return ((state * 2685821657736338717 & word) >> 11) / 2**53

    for _ in range(100):
        draw()
    while True:
        yield draw()


def lost(seed, probability, count):
    """Return which of ``count`` packets are lost, from 1."""
    numbers = islice(draws(seed), count)
    return [k for k, number in enumerate(numbers, 1) if number < probability]


def held(seed, probability, passed, count):
    """Return which of ``count`` packets are held until ``passed`` later ones have passed, from 1.

    One packet is held at a time: one that is chosen while another waits passes as the rest do.
    """
    chosen = []
    for k in lost(seed, probability, count):
        if not chosen or k > chosen[-1] + passed:
            chosen.append(k)
    return chosen
