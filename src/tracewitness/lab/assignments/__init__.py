"""Tasks with their goals and the honest way to reach them: what is drawn out of the rows of a world."""
