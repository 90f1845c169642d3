"""Answers of the Google Health API as a script keeps them."""
