"""A step taken once on formal vectors, and the program that it leaves."""
