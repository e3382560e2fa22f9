"""What may be shown to whom, and in what words."""
