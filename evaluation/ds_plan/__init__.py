"""ds-plan: plans of an analysis, scored by a rubric of yes-no questions (the paper's task DS.1)."""
