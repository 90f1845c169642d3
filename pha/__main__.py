"""``python -m pha`` is the command ``pha``."""

from pha.cli import main

main()
