"""``python -m tracewitness``: the command line."""

from tracewitness.cli.main import run

if __name__ == "__main__":
    run()
