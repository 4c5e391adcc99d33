# SPDX-License-Identifier: GPL-2.0-only
r"""Children that do not outlive their parent. Standard library only; without effect but on Linux.

As a program it becomes another one, which then ends with the process that it names:

    python process.py PARENT SIGNAL COMMAND ...
"""

import ctypes
import os
import signal
import sys

_LIBC = ctypes.CDLL(None)
_PR_SET_PDEATHSIG = 1


def end_with_parent(number=signal.SIGKILL, parent=None):
    """Ask the kernel to send ``number`` to this process when its parent ends, however it ends.

    A parent given by its process id, if it is gone already, has ended too early for the
    kernel to say so: the process ends itself.
    """
    if hasattr(_LIBC, "prctl"):
        _LIBC.prctl(_PR_SET_PDEATHSIG, int(number))
    if parent is not None and os.getppid() != parent:
        os.kill(os.getpid(), number)


def dying_with_this_process(interruptible=False):
    """Return a preexec_fn: the child ends with this process, so no simulation is left behind.

    Where ``interruptible``, it receives SIGINT, as a script's background job otherwise does not.
    """
    parent = os.getpid()

    def begin():
        end_with_parent(parent=parent)
        if interruptible:
            signal.signal(signal.SIGINT, signal.SIG_DFL)

    return begin


def following(parent, number, *command):
    """Return the words of a command that gets ``number`` when the process ``parent`` ends.

    The parent must be the one that starts it, in a thread that lives as long. Threads may do so at
    the same time, unlike with a preexec_fn.
    """
    own = [sys.executable, "-I", "-S", os.path.realpath(__file__)]
    return [*own, str(parent), str(int(number)), *map(str, command)]


def ending_with_this_process(*command, number=signal.SIGTERM):
    """Return the words of a command that gets ``number`` when this process ends, however."""
    return following(os.getpid(), number, *command)


def main(parent, number, *command):
    """Go on as another program, which ends with its parent."""
    end_with_parent(int(number), int(parent))
    for name in ("SIGPIPE", "SIGXFSZ"):  # which Python ignores, and the other program would as well
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        sys.exit(f"{command[0]}: {error.strerror}")


if __name__ == "__main__":
    main(*sys.argv[1:])
