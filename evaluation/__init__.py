"""Evaluations of the agents: open benchmarks, rubrics, autoraters and the statistics to read them by."""
