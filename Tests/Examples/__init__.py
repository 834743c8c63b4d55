"""The programs of Examples/ against the sandbox."""
