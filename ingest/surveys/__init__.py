"""Questionnaires: REDCap, Qualtrics, Google Forms and plain tables, by their data dictionaries."""

from ingest.surveys.ingest import RESULT_VERSION, ingest_surveys

__all__ = ["RESULT_VERSION", "ingest_surveys"]
