"""The Prefect boundary: batches of participants around plain functions."""
