"""Seccomp filters, assembled by hand: a few classic BPF instructions over the number of a system call."""

import ctypes
import errno
import os
import platform
import struct
from collections.abc import Iterable
from dataclasses import dataclass

from .syscalls import (
    ALLOWED_TO_PROGRAMS,
    CLONE,
    CLONE3,
    FCNTL,
    FOR_THREADS,
    PATH_LOOKUPS,
    REFUSED_TO_SERVER,
)

_LOAD_WORD, _JUMP_IF_EQUAL, _JUMP_IF_AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_OFFSET_OF_NUMBER, _OFFSET_OF_MACHINE = 0, 4
_ALLOW, _KILL_PROCESS = 0x7FFF0000, 0x80000000
_REFUSE = 0x00050000 | errno.EPERM
_FIRST_X32_NUMBER = 0x40000000
_ASK_LISTENER, _NO_SUCH_CALL = 0x7FC00000, 0x00050000 | errno.ENOSYS
_OFFSETS_OF_ARGUMENTS = range(16, 64, 8)  # their lower halves
_FLAGS_OF_A_THREAD = 0x3D0F00  # those of pthread_create: memory, files and signals shared, same process
_DUPLICATE = 1030  # F_DUPFD_CLOEXEC
_SET_NO_NEW_PRIVILEGES, _SET_FILTER, _NEW_LISTENER = 38, 1, 8


@dataclass(frozen=True, slots=True)
class Machine:
    """A processor family: its audit number, the column of its call numbers, the number of seccomp itself."""

    audit: int
    column: int
    seccomp: int


MACHINES = {"x86_64": Machine(0xC000003E, 0, 317), "aarch64": Machine(0xC00000B7, 1, 277)}


def this_machine() -> Machine | None:
    """The machine we run on, or None where we have no numbers for it."""
    return MACHINES.get(platform.machine()) if platform.system() == "Linux" else None


def filter_for_programs(machine: Machine, may_look_up_paths: bool) -> bytes:
    """Only what arithmetic needs; everything else fails with EPERM.

    may_look_up_paths: whether paths may be opened and asked about. Where the host's files are in sight they
    may not: Landlock bars contents, but not the question whether a file is there, how large and how old.
    """
    allowed = ALLOWED_TO_PROGRAMS | FOR_THREADS | (PATH_LOOKUPS if may_look_up_paths else {})
    special = [
        *_only_with(CLONE[machine.column], 0, _FLAGS_OF_A_THREAD, _ALLOW),
        *_only_with(FCNTL[machine.column], 1, _DUPLICATE, _ALLOW),
        # Its flags lie in memory, out of a filter's sight; without it the C library takes clone.
        *_for_call(CLONE3[machine.column], _NO_SUCH_CALL),
    ]
    return _assemble(machine, _numbers(allowed, machine), _ALLOW, _REFUSE, special)


def filter_for_threads(machine: Machine, counted: bool) -> bytes:
    """Has this filter's listener answer each start of a thread, or, not counted, refuses it."""
    action = _ASK_LISTENER if counted else _REFUSE
    start = _only_with(CLONE[machine.column], 0, _FLAGS_OF_A_THREAD, action)
    return _assemble(machine, [], _ALLOW, _ALLOW, start)


def filter_for_server(machine: Machine) -> bytes:
    """Everything but what could reach out of the sandbox: given to bubblewrap, in force from its start."""
    return _assemble(machine, _numbers(REFUSED_TO_SERVER, machine), _REFUSE, otherwise=_ALLOW)


def install(program: bytes, flags: int = 0) -> int:
    """Put this process under a filter for good; returns what the kernel does. Raises OSError if refused."""
    machine = this_machine()
    if machine is None:
        raise OSError(errno.ENOSYS, "no seccomp")
    instructions = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("HP", len(program) // 8, ctypes.addressof(instructions))
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    returned = libc.syscall(machine.seccomp, _SET_FILTER, flags, header)
    if returned < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return returned


def install_with_listener(program: bytes) -> int:
    """The same; returns the descriptor on which calls wait that the filter asks about."""
    return install(program, _NEW_LISTENER)


def _numbers(calls: dict[str, tuple[int | None, int | None]], machine: Machine) -> list[int]:
    return [number for pair in calls.values() if (number := pair[machine.column]) is not None]


def _assemble(
    machine: Machine, numbers: Iterable[int], action: int, otherwise: int, special: Iterable[bytes] = ()
) -> bytes:
    # On x86_64 a second set of numbers (x32) would slip past a list of refused ones.
    code = [
        _instruction(_LOAD_WORD, _OFFSET_OF_MACHINE),
        _instruction(_JUMP_IF_EQUAL, machine.audit, 1, 0),
        _instruction(_RETURN, _KILL_PROCESS),
        _instruction(_LOAD_WORD, _OFFSET_OF_NUMBER),
        _instruction(_JUMP_IF_AT_LEAST, _FIRST_X32_NUMBER, 0, 1),
        _instruction(_RETURN, _KILL_PROCESS),
        *special,
    ]
    for number in numbers:
        code += _for_call(number, action)
    return b"".join([*code, _instruction(_RETURN, otherwise)])


def _for_call(number: int, action: int) -> list[bytes]:
    return [_instruction(_JUMP_IF_EQUAL, number, 0, 1), _instruction(_RETURN, action)]


def _only_with(number: int, argument: int, value: int, action: int) -> list[bytes]:
    """The action for a call whose argument has this value; any other call goes on to the next instruction."""
    return [
        _instruction(_JUMP_IF_EQUAL, number, 0, 4),
        _instruction(_LOAD_WORD, _OFFSETS_OF_ARGUMENTS[argument]),
        _instruction(_JUMP_IF_EQUAL, value, 0, 1),
        _instruction(_RETURN, action),
        _instruction(_LOAD_WORD, _OFFSET_OF_NUMBER),
    ]


def _instruction(code: int, operand: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, operand)
