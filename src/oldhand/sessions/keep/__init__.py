"""Keeping: export, erase, prune, and what stays sound and gone."""
