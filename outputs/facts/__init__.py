"""Facts of the dossier: everything that may be said of a participant, each with its table cell."""
