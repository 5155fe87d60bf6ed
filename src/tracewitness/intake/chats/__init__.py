"""Transcripts of conversations with a model, in the forms of the providers' interfaces.

Each dialect turns messages into turns (:mod:`tracewitness.intake.turns`); what people dump around the messages (lists,
requests with responses, lines) is the same for all and is taken off in :mod:`tracewitness.intake.chats.dumps`.
"""
