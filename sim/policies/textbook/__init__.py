"""The `textbook` policy: a competent scripted player."""
