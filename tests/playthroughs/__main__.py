import sys

from kibitz.core.errors import KibitzError
from tests.playthroughs import write

try:
    write(sys.argv[1:])
except KibitzError as problem:
    sys.exit(str(problem))
