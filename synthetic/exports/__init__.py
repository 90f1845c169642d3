"""The recording in the vendors' file forms."""
