"""Shorter tool output for coding agents; whatever is left out can be brought back."""
