import sys

from tests.golden import write

write(sys.argv[1:])
