"""What tests let worker processes do."""

import os
import signal

import polars as pl


class Odd(Exception):  # noqa: N818
    """An exception that cannot be sent over as it is."""

    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} {two} Ada Lovelace")


def square(number: int) -> int:
    """The plain case."""
    return number * number


def killed_at_three(number: int) -> int:
    """Like the kernel's killer when memory runs out."""
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def odd_at_three(number: int) -> int:
    """A fault nobody foresaw."""
    if number == 3:
        raise Odd(1, 2)
    return number


def process_of(_number: int) -> int:
    """Where it runs."""
    return os.getpid()


def threads_of_polars(_number: int) -> int:
    """How many cores one process may use."""
    return pl.thread_pool_size()
