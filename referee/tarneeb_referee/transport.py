"""gRPC, told how to wait for its sockets. That must be said before it is loaded: import it here."""

from __future__ import annotations

import os

# By default (newer versions) a message goes through threads of a pool, which costs a server of
# `grpc.aio` 190 µs of processor time for a message in and one out, and not 115 (docs/adr/0017).
# Versions from 1.49 to 1.85 take these names. What the user has chosen stays.
os.environ.setdefault("GRPC_EXPERIMENTS", "-event_engine_client,-event_engine_listener")

import grpc

__all__ = ["grpc"]
