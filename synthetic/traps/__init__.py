"""Planted traps: named switches, each with the files that hold it and its right answer."""
