"""The report: one HTML page that tells what a run did, or several runs side by side, and needs nothing but a browser."""
