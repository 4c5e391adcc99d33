# SPDX-License-Identifier: GPL-2.0-only
"""Children that do not outlive their parent. Standard library only, Linux."""

import ctypes
import os
import signal

_LIBC = ctypes.CDLL(None)
_PR_SET_PDEATHSIG = 1


def end_with_parent(number=signal.SIGKILL, parent=None):
    """Ask the kernel to send ``number`` to this process when its parent ends, however it ends.

    A parent that is told by its process id, and is gone already, has ended too early for the
    kernel to say so: the process ends itself.
    """
    _LIBC.prctl(_PR_SET_PDEATHSIG, int(number))
    if parent is not None and os.getppid() != parent:
        os.kill(os.getpid(), number)


def dying_with_this_process(interruptible=False):
    """Return a preexec_fn: the child ends with this process, so no simulation is left behind.

    Where ``interruptible``, it hears SIGINT, as a script's background job otherwise does not.
    """
    parent = os.getpid()

    def begin():
        end_with_parent(parent=parent)
        if interruptible:
            signal.signal(signal.SIGINT, signal.SIG_DFL)

    return begin
