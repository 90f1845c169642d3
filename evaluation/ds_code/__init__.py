"""ds-code: programs written to a precise contract, run on hand-worked cases (the paper's task DS.2)."""
