"""Real and hostile servers on loopback, for one test run."""
