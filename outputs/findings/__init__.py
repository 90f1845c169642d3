"""Findings: declared rules checked for every participant; prompts for a clinician, never a diagnosis."""
