"""What Prefect runs: one flow a file, no logic."""
