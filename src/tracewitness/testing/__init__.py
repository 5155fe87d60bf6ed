"""Run builder, scripted asker and canaries, for authors of formats and back ends."""
