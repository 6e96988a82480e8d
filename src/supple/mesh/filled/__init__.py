"""Surfaces filled with tets: the mesher, and the transfer of groups."""
