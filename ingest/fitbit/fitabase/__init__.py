"""Exports of the research service Fitabase: a CSV file a kind, on the wall clock without offsets."""
