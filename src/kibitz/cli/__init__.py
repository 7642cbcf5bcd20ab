"""The command line: one thin file per verb, loaded only when the verb is used."""
