"""What a right reader gets, in the forms of the published tables."""
