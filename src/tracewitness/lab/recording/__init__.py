"""What an agent did and what its browser showed, and the logs that are made of it."""
