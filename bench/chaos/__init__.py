"""The chaos run: faults in a seeded order under load, and the invariants checked against the clients' record."""
