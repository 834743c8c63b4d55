"""The built binary against servers that we did not write."""
