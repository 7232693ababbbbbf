"""Every error of the SDK, and whose fault each one is.

```
TarneebError
├─ RulesError (ValueError)       MalformedError · IllegalMoveError
├─ HarnessError (RuntimeError)   ours, never charged to a bot
└─ ConfigError (ValueError)      the user's: one line with the file, the key and the fix
```
"""

from __future__ import annotations

from tarneeb_sdk.game.errors import IllegalMoveError, MalformedError, RulesError, TarneebError

__all__ = [
    "ConfigError",
    "HarnessError",
    "IllegalMoveError",
    "MalformedError",
    "RulesError",
    "TarneebError",
]


class HarnessError(TarneebError, RuntimeError):
    """The harness failed, not a bot and not the user."""


class ConfigError(TarneebError, ValueError):
    """The user's mistake, told in one line that names the place and the fix."""
