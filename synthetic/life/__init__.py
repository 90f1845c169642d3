"""What a person lived through and the device recorded: minutes, nights, exercises, daily values."""
