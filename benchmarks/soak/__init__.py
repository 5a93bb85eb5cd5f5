"""Long runs of the gallery: energy, gap and memory over simulated minutes and hours."""
