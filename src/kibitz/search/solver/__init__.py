"""One search with open cards for every game of the kit: values of cards for an aim, exact or against a threshold."""
