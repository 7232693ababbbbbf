"""gRPC, told how to wait for its sockets. That must be said before it is loaded: import it here."""

from __future__ import annotations

import os

# By default (newer versions) a message goes through threads of a pool. A server of `grpc.aio` whose
# own thread reads the sockets takes 115 µs of processor time for a message in and one out, and
# not 190; a decision in the whole referee takes 36 µs, and not 39 (gRPC 1.85). All versions from
# 1.49 to 1.85 know these names. What the user has chosen stays.
os.environ.setdefault("GRPC_EXPERIMENTS", "-event_engine_client,-event_engine_listener")

import grpc

__all__ = ["grpc"]
