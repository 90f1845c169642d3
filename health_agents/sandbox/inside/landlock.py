"""Landlock: the kernel's own bar on files and networks, which a process puts on itself without any right.

The numbers are those of include/uapi/linux/landlock.h; they are the same on every processor.
"""

import ctypes
import os
import struct

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ASK_VERSION, _PATH_BENEATH = 1, 1
_READ_FILE, _READ_DIRECTORY = 1 << 2, 1 << 3
_TCP, _SCOPES = 0b11, 0b11  # bind and connect; abstract sockets and signals
# Rights over files by the version of the interface that brought them: up to version 1 there are 13.
_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 5: 16}
_TCP_SINCE, _SCOPES_SINCE = 4, 6

_libc = ctypes.CDLL(None, use_errno=True)


def version() -> int:
    """Version of the interface that this kernel offers; 0 where there is none or it is switched off."""
    return max(_libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _ASK_VERSION), 0)


def restrict(readable: str | None) -> None:
    """Bar this thread, and whatever it forks, from every file but those below ``readable``, from TCP, from
    abstract sockets and from signals to others, as far as the kernel's version knows them.

    What is open already stays open. Raises OSError where the kernel has no Landlock.
    """
    known = version()
    if known == 0:
        raise OSError("no Landlock")
    ruleset = _checked(_libc.syscall(_CREATE_RULESET, *_sized(ruleset_attributes(known)), 0))
    if readable is not None:
        folder = os.open(readable, os.O_PATH | os.O_CLOEXEC)
        rule = struct.pack("=Qi", _READ_FILE | _READ_DIRECTORY, folder)
        _checked(_libc.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, rule, 0))
        os.close(folder)
    _checked(_libc.prctl(38, 1, 0, 0, 0))  # PR_SET_NO_NEW_PRIVS
    _checked(_libc.syscall(_RESTRICT_SELF, ruleset, 0))
    os.close(ruleset)


def ruleset_attributes(known: int) -> bytes:
    """struct landlock_ruleset_attr that handles all that version ``known`` can: files, TCP, scopes."""
    file_rights = max(bits for since, bits in _FILE_RIGHTS.items() if since <= known)
    words = [(1 << file_rights) - 1]
    words += [_TCP] if known >= _TCP_SINCE else []
    words += [_SCOPES] if known >= _SCOPES_SINCE else []
    return struct.pack(f"={len(words)}Q", *words)


def _sized(data: bytes) -> tuple[bytes, ctypes.c_size_t]:
    return data, ctypes.c_size_t(len(data))


def _checked(returned: int) -> int:
    if returned < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return returned
