"""A simulated policy in the real pipe, to test the meter; no evidence about models."""
