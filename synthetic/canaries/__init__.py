"""Made names, dates and phrases that must go nowhere, and the search that proves it."""
