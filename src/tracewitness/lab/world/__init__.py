"""The world of one run: its database with a log of every change, its accounts, its clock, and what goes wrong in it."""
