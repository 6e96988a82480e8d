"""Semi-implicit and exponential methods, and hybrids of both."""
