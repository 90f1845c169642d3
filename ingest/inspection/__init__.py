"""What a file or folder is, in plain words, for a coordinator who answers a participant.

It reads as a run would, so that what it tells is what a run will find. Within a study's folder it compares
with participants.csv; elsewhere nobody is compared with a registry.
Nothing it returns is personal: no names of people, files or members, no values.
"""

from ingest.inspection.inspect import inspect_path

__all__ = ["inspect_path"]
