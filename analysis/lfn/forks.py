# SPDX-License-Identifier: GPL-2.0-only
"""A server that answers each request in a forked child, and its client. Standard library only.

What takes long to import is imported once. A request is the words of a command line; its output
goes to the client's standard output and error, its end is the client's exit status.
"""

import contextlib
import os
import signal
import socket
import sys

from lfn.process import end_with_parent

DECLINED = 255
"""What the server's function returns where the client has to do the work itself."""
_MOST_BYTES = 1 << 20
"""Of a request."""


def ask(path, words):
    """Have the server of socket ``path`` call its function with ``words``.

    Returns the exit status, 1 where the child was killed; None where there is no server, or where
    it has declined.
    """
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(str(path))
        except OSError:
            return None
        request = b"\0".join(map(os.fsencode, (os.getcwd(), *words)))
        socket.send_fds(connection, [len(request).to_bytes(4, "big")], [1, 2])
        connection.sendall(request)
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
    with socket.socket(socket.AF_UNIX) as listener:
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
        head, (out, err), *_ = socket.recv_fds(connection, 4, 2)
        folder, *words = _receive(connection, int.from_bytes(head, "big")).split(b"\0")
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


def _receive(connection, size):
    """Return ``size`` bytes of a connection; raises ValueError where there are fewer."""
    if size > _MOST_BYTES:
        raise ValueError(f"a request of {size} bytes")
    data = b""
    while len(data) < size:
        piece = connection.recv(size - len(data))
        if not piece:
            raise ValueError("half a request")
        data += piece
    return data


def _end_with_client(connection):
    """End this process when the client has gone: nobody wants its work."""
    connection.recv(1)
    os.kill(os.getpid(), signal.SIGTERM)
