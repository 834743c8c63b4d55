"""The binary against the sandbox: a real TLS counterpart that shares no code with it."""
