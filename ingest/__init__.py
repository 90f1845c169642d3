"""Exports, lab reports and surveys become core tables: whose is it, place it in time, convert, check."""
