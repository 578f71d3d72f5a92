"""Tests of the plain-Python referee, and the helpers they share."""
