"""The generated completions, each typed into its own shell."""
