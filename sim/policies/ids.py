"""The numbers by which kernels know the policies."""

RANDOM_ID, TEXTBOOK_ID = range(2)
