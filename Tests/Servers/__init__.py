"""Real and hostile servers on loopback, for one test run."""

from .stand import Stand

__all__ = ["Stand"]
