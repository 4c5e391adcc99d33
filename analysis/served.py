# SPDX-License-Identifier: GPL-2.0-only
"""Run scripts without starting and importing for each: a server per script forks a child per call.

python analysis/served.py --serve FOLDER/draw_figure
LFN_SERVERS=FOLDER python analysis/served.py PARENT draw_figure --figure ... --build build

The second command does what draw_figure.py does, in a child of the server: a request is its words,
the child's output goes to its standard output and error, and its status is its own. It does the
work itself without a server, or where a file of the analysis is younger than the server. It ends
with the process PARENT; 0 names none. Standard library only.
"""

import contextlib
import importlib
import os
import signal
import socket
import sys
import time

import lfn
from lfn.process import end_with_parent

DECLINED = 255
"""What the server's function returns where the client has to do the work itself."""
_MOST_BYTES = 1 << 16
"""Of a request, which is one message."""


def ask(path, words):
    """Have the server of socket ``path`` call its function with ``words``.

    Returns the exit status, 1 where the child was killed; None where there is no server, where it
    has declined, or where the words are too long.
    """
    request = b"\0".join(map(os.fsencode, (os.getcwd(), *words)))
    if len(request) > _MOST_BYTES:
        return None
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as connection:
        try:
            connection.connect(str(path))
        except OSError:
            return None
        socket.send_fds(connection, [request], [1, 2])
        answer = connection.recv(1)
    if not answer:
        print(f"the server of {path} ended before it answered", file=sys.stderr)
    status = answer[0] if answer else 1
    return None if status == DECLINED else status


def serve(path, function):
    """Answer requests at socket ``path`` until this process ends, each in a child.

    ``function`` gets the words of a request and returns the exit status.
    """
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the children
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # of a terminal: the children end first
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        listener.bind(str(path))
        listener.listen(64)
        while True:
            connection, _ = listener.accept()
            if os.fork() == 0:
                listener.close()
                _answer(connection, function)
            connection.close()


def _answer(connection, function):
    """Do what a request asks for, as a process of its own, and end."""
    import threading  # the client starts without

    status = 1
    try:
        end_with_parent(signal.SIGKILL)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        request, (out, err), *_ = socket.recv_fds(connection, _MOST_BYTES, 2)
        folder, *words = request.split(b"\0")
        for stream, given in ((1, out), (2, err)):
            os.dup2(given, stream)
        threading.Thread(target=_end_with_client, args=[connection], daemon=True).start()
        os.chdir(folder)
        status = function([os.fsdecode(word) for word in words])
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    except BaseException:  # as a program's own would end it
        sys.excepthook(*sys.exc_info())
    finally:
        with contextlib.suppress(OSError):  # the client has gone
            sys.stdout.flush()
            sys.stderr.flush()
            connection.sendall(bytes([status or 0]))
        os._exit(0)


def _end_with_client(connection):
    """End this process when the client has gone: its work is not needed."""
    connection.recv(1)
    os.kill(os.getpid(), signal.SIGTERM)


def is_current(began):
    """Check whether the files of the analysis have not changed since a time (ns).

    An editor's lock is a link to nowhere, and its copies come and go.
    """
    from pathlib import Path  # the client starts without

    modules = Path(lfn.__file__).resolve().parent
    files = [*Path(__file__).resolve().parent.glob("*.py"), *modules.rglob("*.*")]
    for file in files:
        with contextlib.suppress(FileNotFoundError):
            if file.suffix != ".pyc" and file.stat().st_mtime_ns >= began:
                return False
    return True


def main(argv):
    """Entry point; returns the exit status."""
    if argv[:1] == ["--serve"] and len(argv) == 2:
        began = time.time_ns()
        script = importlib.import_module(os.path.basename(argv[1]))
        serve(argv[1], lambda words: script.main(words) if is_current(began) else DECLINED)
        return 0
    parent, name, *words = argv
    if int(parent):
        end_with_parent(signal.SIGTERM, int(parent))
    folder = os.environ.get("LFN_SERVERS")
    status = ask(os.path.join(folder, name), words) if folder else None
    if status is None:
        status = importlib.import_module(name).main(words)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
