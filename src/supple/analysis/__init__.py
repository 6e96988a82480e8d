"""Studies of methods and bodies: damping curves, orders, cost against accuracy, vibration modes."""
