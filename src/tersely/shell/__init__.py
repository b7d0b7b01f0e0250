"""Run commands for an agent exactly as they were asked for."""
