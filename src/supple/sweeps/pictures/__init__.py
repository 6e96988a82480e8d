"""Pictures of sweeps, and pictures drawn by the workers of a farm."""
