"""A fuzzer of supple: random scenes and files, run in processes with limits, sorted, and reduced to small reproducers."""
