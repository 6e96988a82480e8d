"""Pictures in a shaded look: lamps with soft shadows, a backdrop without an edge, and surfaces that feel like something."""
