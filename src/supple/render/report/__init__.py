"""The report: one self-contained HTML page about a run, or several runs side by side."""
