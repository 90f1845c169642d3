"""Laboratory reports: PDFs by the positions of their words, no vendor templates."""

from ingest.labs.ingest import RESULT_VERSION, ingest_labs

__all__ = ["RESULT_VERSION", "ingest_labs"]
