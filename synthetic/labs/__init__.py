"""Blood and the reports that laboratories print of it."""
