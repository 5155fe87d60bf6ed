"""Statistics of judges: intervals, paired tests, agreement, risk bounds. Pure; a source of chance is handed in."""
