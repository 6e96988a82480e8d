"""Random visitors of the live page: everything that its controls can say, to a simulation without a browser."""
