"""Contact: what is measured of it."""
