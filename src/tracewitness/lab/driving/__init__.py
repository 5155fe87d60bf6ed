"""Plans carried out in a real browser, with a mouse or with the keyboard alone."""
