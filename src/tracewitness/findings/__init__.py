"""The only records that cross between the sides.

Closed enumerations, step numbers, digests and typed answer values; no free text. Prose (quotes, rationales) stays with
its side and in the store, behind a digest.
"""
