"""The trace, its ledger, its window and the extractors of evidence. Nothing here knows the report."""
