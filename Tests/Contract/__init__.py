"""Bad input: whatever is typed, piped or found on disk, the binary answers as promised."""
