"""How surely sketches are solved: random ones of eight families, made by simulation, and told with noise."""
