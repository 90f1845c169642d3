"""Threads of a program, counted by the server: the kernel asks it before each one starts.

Polars can't work without threads, and a limit on processes does not bind where the host's user is root. So a
filter of its own holds each call that would start a thread until the server has answered it.
"""

import errno
import fcntl
import struct

MOST_THREADS = 64  # that a program may start in all
_RECEIVE, _ANSWER = 0xC0502100, 0xC0182101  # SECCOMP_IOCTL_NOTIF_RECV and _SEND
_NOTIFICATION_BYTES = 80
_GO_ON = 1  # SECCOMP_USER_NOTIF_FLAG_CONTINUE


class ThreadCount:
    """What one program has started. ``listener`` is the descriptor of its filter."""

    def __init__(self, listener: int) -> None:
        self.listener = listener
        self.started = 0

    def answer(self) -> bool:
        """Answer the call that waits: it goes on, or fails with EAGAIN beyond MOST_THREADS.

        False where none can come any more, as the program has ended.
        """
        notification = bytearray(_NOTIFICATION_BYTES)
        try:
            fcntl.ioctl(self.listener, _RECEIVE, notification)
            self.started += 1
            may = self.started <= MOST_THREADS
            error, flags = (0, _GO_ON) if may else (-errno.EAGAIN, 0)
            reply = struct.pack("=8sqiI", bytes(notification[:8]), 0, error, flags)
            fcntl.ioctl(self.listener, _ANSWER, bytearray(reply))
        except OSError:
            return False
        return True
