"""Questionnaires and the forms they are exported in."""
