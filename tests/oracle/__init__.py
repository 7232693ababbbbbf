"""A second rules engine, slow and plain, to hold the first one against.

It is written from docs/rules.md alone and shares no code with `tarneeb_sdk.game`: cards are texts
such as "AS", hands are lists, and each rule stands where its number is. Read it beside the rules.
"""
