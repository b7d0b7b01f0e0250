"""The ways in and out: who brings the bytes and who gets the text."""
