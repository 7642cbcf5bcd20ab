from tests.playthroughs import main

main()
