"""Closing the energy balance of any integrator."""
