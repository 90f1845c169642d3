"""Which clock a file is on, and which clock a participant lived by, with the evidence for both.

``steps`` and ``zone_history`` turn instants into local days and back. ``sightings`` and ``votes`` say what
files show of the offset, ``inference`` makes the history of it, ``false_z`` judges files that write ``Z``.
"""
