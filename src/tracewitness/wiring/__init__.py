"""Settings, and the one place that plugs formats and back ends in."""
