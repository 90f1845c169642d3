"""Answers of the Fitbit Web API as a script keeps them."""
