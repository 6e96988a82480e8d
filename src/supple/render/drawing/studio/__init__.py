"""Pictures in a shaded look: lamps with soft shadows, a seamless backdrop, and surfaces with material appearance."""
