"""A person in a real browser: Chromium, at the pages of the sandbox and of the login itself."""
