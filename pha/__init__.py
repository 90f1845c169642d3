"""What people call: the command and the analysts' import."""
