"""Many runs of one scene: values of its keys, computation on workers, and results."""
