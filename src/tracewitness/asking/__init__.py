"""The model port: question, answer, vote. No provider code."""
