"""Code that an agent executes as an action, without the words that it says in it; parsed or scanned, never run."""
