"""What the two ends say to each other.

On the control socket: READY. Then for each program: the letter of a library that no program named before, and
READY in return; RUN (with a channel's descriptor), perhaps KILL, and ENDED (wait status, CPU microseconds) in
return. On the program's channel: a request, its end, a report.
A request is one line of JSON, then the program's text and the frames as Arrow streams.
"""

import json
import struct
from dataclasses import dataclass

READY, RUN, KILL = b"A", b"R", b"K"
ON_DEMAND = {b"P": "polars", b"S": "scipy", b"M": "statsmodels"}
ENDED = struct.Struct("!iQ")


@dataclass(frozen=True, slots=True)
class Request:
    """A program, its frames (name -> Arrow IPC stream) and its limits.

    cpu_seconds and memory_bytes (address space) are enforced in the program's own process.
    """

    program: str
    frames: dict[str, bytes]
    cpu_seconds: int
    memory_bytes: int


def pack(request: Request) -> bytes:
    """A request as bytes."""
    text = request.program.encode()
    header = {
        "cpu_seconds": request.cpu_seconds,
        "memory_bytes": request.memory_bytes,
        "program": len(text),
        "frames": [[name, len(stream)] for name, stream in request.frames.items()],
    }
    return b"".join([json.dumps(header).encode(), b"\n", text, *request.frames.values()])


def unpack(data: bytes) -> Request:
    """The request that ``pack`` wrote."""
    line, _, rest = data.partition(b"\n")
    header = json.loads(line)
    at = int(header["program"])
    text, frames = rest[:at].decode(), dict[str, bytes]()
    for name, length in header["frames"]:
        frames[name] = rest[at : at + length]
        at += length
    return Request(text, frames, header["cpu_seconds"], header["memory_bytes"])
