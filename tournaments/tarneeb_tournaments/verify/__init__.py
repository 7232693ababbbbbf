"""Proves a results file, or says what is wrong in it first."""
