"""What runs cost, per skill and model, and whether they worked."""
