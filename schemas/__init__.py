"""Declarations: tables, settings, the registry's row and the table of error codes."""
