"""The warm fork server: it imports a library once and gives each program a fresh copy of itself.

It sees no data: a program's request comes on a channel of its own, whose descriptor the server passes on
unread. So nothing of one participant can be in the memory that the next participant's program inherits.
Usage: python -m inside.server CONTROL_DESCRIPTOR bubblewrap|landlock|child_process
"""

import gc
import os
import select
import signal
import socket
import sys

from . import landlock, preload, seccomp
from .program import Wall, run_and_exit
from .protocol import ENDED, ON_DEMAND, READY, RUN
from .threads import ThreadCount

CHANNEL, TO_SERVER = 3, 4
MOST_DESCRIPTORS = 4096


def prepare(wall: Wall) -> None:
    """Import what every program needs, then give up what this wall has a process give up by itself.

    Raises OSError where the kernel refuses.
    """
    preload.for_frames()
    if wall == "bubblewrap" and landlock.version():
        landlock.restrict(readable="/")  # one more layer: reading is all that is ever asked of this root
    if wall == "landlock":
        machine = seccomp.this_machine()
        if machine is None:
            raise OSError("this processor is not supported")
        preload.everything()
        landlock.restrict(readable=None)
        seccomp.install(seccomp.filter_for_server(machine))


def serve(control: socket.socket, wall: Wall) -> None:
    """Run programs until the other side closes the control socket."""
    waker, wakes = os.pipe()
    os.set_blocking(wakes, False)
    signal.set_wakeup_fd(wakes)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    gc.freeze()
    control.sendall(READY)
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, 1, 1)
        if not message:
            return
        if message in ON_DEMAND:
            preload.on_demand(ON_DEMAND[message])
            gc.freeze()
            control.sendall(READY)
        if message == RUN and descriptors:
            ours, theirs = socket.socketpair()
            child = os.fork()
            if child == 0:
                _become_program(descriptors[0], theirs, wall)
            theirs.close()
            os.close(descriptors[0])
            with ours:
                control.sendall(ENDED.pack(*_wait(child, waker, control, ours)))


def _become_program(channel: int, to_server: socket.socket, wall: Wall) -> None:
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    # Numbers above all that are taken, so that neither copy falls on the other.
    high = os.dup2(to_server.fileno(), MOST_DESCRIPTORS // 2)
    os.dup2(channel, CHANNEL)
    os.dup2(high, TO_SERVER)
    # Standard error leads to the host until the server is ready; a program gets the null device.
    os.dup2(1, 2)
    os.closerange(TO_SERVER + 1, MOST_DESCRIPTORS)
    run_and_exit(CHANNEL, socket.socket(fileno=TO_SERVER), wall)


def _wait(child: int, waker: int, control: socket.socket, from_child: socket.socket) -> tuple[int, int]:
    """Wait status and CPU microseconds of a child, which any word on the control socket kills."""
    watched: set[int | socket.socket] = {waker, control, from_child}
    threads: ThreadCount | None = None
    try:
        while True:
            ended, status, usage = os.wait4(child, os.WNOHANG)
            if ended:
                return status, round((usage.ru_utime + usage.ru_stime) * 1e6)
            ready, _, _ = select.select(watched, [], [])
            if waker in ready:
                os.read(waker, 64)
            if control in ready:
                control.recv(1)
                os.kill(child, signal.SIGKILL)
                watched.discard(control)
            if threads is not None and threads.listener in ready and not threads.answer():
                watched.discard(threads.listener)
            if from_child in ready:
                watched.discard(from_child)
                threads = _threads_of(from_child)
                watched |= {threads.listener} if threads is not None else set()
    finally:
        if threads is not None:
            os.close(threads.listener)


def _threads_of(child: socket.socket) -> ThreadCount | None:
    """The count of a child's threads; None where it ended before it sent its listener."""
    _, descriptors, _, _ = socket.recv_fds(child, 1, 1)
    return ThreadCount(descriptors[0]) if descriptors else None


if __name__ == "__main__":
    chosen: Wall = sys.argv[2]  # pyright: ignore[reportAssignmentType] - the outer end gives one of the three
    prepare(chosen)
    serve(socket.socket(fileno=int(sys.argv[1])), chosen)
