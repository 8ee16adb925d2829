"""The benchmark's measuring part: starts what is measured, loads it, reads the system's counters, reports."""
