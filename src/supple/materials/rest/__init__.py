"""Materials before they are deformed: energy, stress, stiffness, and what a formula must fulfil."""
