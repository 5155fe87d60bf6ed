"""The six apps of the lab, as data: what they hold, what can be done with it, which pages they have."""
