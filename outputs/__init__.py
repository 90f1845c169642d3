"""What is derived and published: the store, percentiles, findings, the dossier, releases and pages."""
