"""The studio's side of dynamics as a medium: curves, models, images and data by hand (G2 to G6)."""
