"""Campaigns of random cases: scene files, formulas, edits, interrupts, messages of the socket."""
