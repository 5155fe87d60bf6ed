"""Many runs: drawn from a seed, made in parallel, taken up again where it stopped, and written as logs."""
