"""Tables of research platforms and public data sets that were made from the vendor's data."""
