"""Laboratory reports: PDFs by the positions of their words, no vendor templates."""

from ingest.labs.ingest import RESULT_VERSION, ingest_labs
from ingest.labs.ocr import engine_version as picture_engine

__all__ = ["RESULT_VERSION", "ingest_labs", "picture_engine"]
