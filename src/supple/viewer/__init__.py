"""The page in the browser: a simulation as it runs, or a recorded run. It reads frames, never a solver's inside."""
