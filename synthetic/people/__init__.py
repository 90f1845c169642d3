"""Who takes part: persona, body, health profile, what is planted in them."""
