"""Seccomp filters, assembled by hand: a few classic BPF instructions over the number of a system call."""

import ctypes
import errno
import os
import platform
import struct
from collections.abc import Iterable
from dataclasses import dataclass

from .syscalls import ALLOWED_TO_PROGRAMS, PATH_LOOKUPS, REFUSED_TO_SERVER

_LOAD_WORD, _JUMP_IF_EQUAL, _JUMP_IF_AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_OFFSET_OF_NUMBER, _OFFSET_OF_MACHINE = 0, 4
_ALLOW, _KILL_PROCESS = 0x7FFF0000, 0x80000000
_REFUSE = 0x00050000 | errno.EPERM
_FIRST_X32_NUMBER = 0x40000000
_SET_NO_NEW_PRIVILEGES, _SET_SECCOMP, _FILTER_MODE = 38, 22, 2


@dataclass(frozen=True, slots=True)
class Machine:
    """A processor family: its audit number and the column of its system call numbers."""

    audit: int
    column: int


MACHINES = {"x86_64": Machine(0xC000003E, 0), "aarch64": Machine(0xC00000B7, 1)}


def this_machine() -> Machine | None:
    """The machine we run on, or None where we have no numbers for it."""
    return MACHINES.get(platform.machine()) if platform.system() == "Linux" else None


def filter_for_programs(machine: Machine, may_look_up_paths: bool) -> bytes:
    """Only what arithmetic needs; everything else fails with EPERM.

    may_look_up_paths: whether paths may be opened and asked about. Where the host's files are in sight they
    may not: Landlock bars contents, but not the question whether a file is there, how large and how old.
    """
    allowed = ALLOWED_TO_PROGRAMS | (PATH_LOOKUPS if may_look_up_paths else {})
    return _assemble(machine, _numbers(allowed, machine), _ALLOW, otherwise=_REFUSE)


def filter_for_server(machine: Machine) -> bytes:
    """Everything but what could reach out of the sandbox: given to bubblewrap, in force from its start."""
    return _assemble(machine, _numbers(REFUSED_TO_SERVER, machine), _REFUSE, otherwise=_ALLOW)


def install(program: bytes) -> None:
    """Put this process under a filter for good. Raises OSError where the kernel refuses."""
    instructions = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("HP", len(program) // 8, ctypes.addressof(instructions))
    libc = ctypes.CDLL(None, use_errno=True)
    for arguments in ((_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0), (_SET_SECCOMP, _FILTER_MODE, header, 0, 0)):
        if libc.prctl(*arguments) != 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def _numbers(calls: dict[str, tuple[int | None, int | None]], machine: Machine) -> list[int]:
    return [number for pair in calls.values() if (number := pair[machine.column]) is not None]


def _assemble(machine: Machine, numbers: Iterable[int], action: int, otherwise: int) -> bytes:
    # On x86_64 a second set of numbers (x32) would slip past a list of refused ones.
    code = [
        _instruction(_LOAD_WORD, _OFFSET_OF_MACHINE),
        _instruction(_JUMP_IF_EQUAL, machine.audit, 1, 0),
        _instruction(_RETURN, _KILL_PROCESS),
        _instruction(_LOAD_WORD, _OFFSET_OF_NUMBER),
        _instruction(_JUMP_IF_AT_LEAST, _FIRST_X32_NUMBER, 0, 1),
        _instruction(_RETURN, _KILL_PROCESS),
    ]
    for number in numbers:
        code += [_instruction(_JUMP_IF_EQUAL, number, 0, 1), _instruction(_RETURN, action)]
    return b"".join([*code, _instruction(_RETURN, otherwise)])


def _instruction(code: int, operand: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, operand)
