"""Exports of the Fitbit and Google Health account, in every layout that was in use."""
