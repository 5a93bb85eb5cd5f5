"""Models of other programs beside those programs: accelerations at random states without contact."""
