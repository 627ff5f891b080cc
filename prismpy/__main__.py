"""`python -m prismpy` is the command `prismpy`."""

from prismpy.cli import main

main()
