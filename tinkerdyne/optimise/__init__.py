"""Dynamics as a medium: optimisation, snakes and fitting, pulled by hand while they run (ID90 §5.3)."""
