"""Random numbers that depend on the seed, the participant's number and the purpose, and on nothing else."""

import zlib

import numpy as np


def generator(seed: int, purpose: str, number: int = 0) -> np.random.Generator:
    """A generator of its own for one purpose of one participant.

    Participant ``number`` draws the same however many others there are, and a new purpose shifts no other.
    """
    entropy = [seed, zlib.crc32(purpose.encode()), number]
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(entropy)))
