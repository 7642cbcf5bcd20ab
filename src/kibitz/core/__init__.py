"""The alphabet: kernels, luck, the game contract and its three doors. No game and no algorithm."""
