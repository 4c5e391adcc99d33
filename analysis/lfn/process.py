# SPDX-License-Identifier: GPL-2.0-only
"""Children that do not outlive their parent. Standard library only, Linux."""

import ctypes
import signal

_LIBC = ctypes.CDLL(None)
_PR_SET_PDEATHSIG = 1


def end_with_parent(number=signal.SIGKILL):
    """Ask the kernel to send ``number`` to this process when its parent ends, however it ends.

    Also serves as preexec_fn of a child: a killed campaign leaves no simulation behind.
    """
    _LIBC.prctl(_PR_SET_PDEATHSIG, int(number))


def end_with_parent_or_interrupt():
    """end_with_parent() for a child that hears SIGINT though a script's background job does not."""
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
