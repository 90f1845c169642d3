"""Exports of the research service Fitabase."""
