"""Schedules, ratings, results and standings."""
