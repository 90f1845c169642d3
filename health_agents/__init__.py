"""The agents, the door to language models and the sandbox for programs."""
