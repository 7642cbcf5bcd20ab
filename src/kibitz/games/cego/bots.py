"""tmp"""
BOTS = {}
