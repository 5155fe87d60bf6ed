"""Ids, digests, three-valued logic and typed answer values.

Standard library only and no input or output: everything above may use this layer, and it knows nothing of them.
"""
