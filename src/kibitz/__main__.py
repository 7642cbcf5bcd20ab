"""`python -m kibitz` is `kibitz`."""

from kibitz.cli.main import main

main()
