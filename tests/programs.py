"""Programs that a test starts."""

import subprocess
from types import TracebackType


class Program(subprocess.Popen[bytes]):
    """A program that ends with its test: one that failed does not wait for it, it kills it."""

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if exc_type is not None:
            self.kill()
        super().__exit__(exc_type, value, traceback)
