import docker.errors
import pytest
import requests
import urllib3

from tarneeb_referee.hosts.docker.failures import (
    EngineError,
    EngineUnreachableError,
    FailureKind,
    NotThereError,
    StateConflictError,
    exit_code_of_failed_start,
    sort_failure,
)


def answer(status: int, text: str) -> docker.errors.APIError:
    response = requests.Response()
    response.status_code = status
    return docker.errors.APIError("refused", response=response, explanation=text)


def chained(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


REFUSED = ConnectionRefusedError(111, "Connection refused")
READ_TIMED_OUT = urllib3.exceptions.ReadTimeoutError(
    urllib3.HTTPConnectionPool("engine"), "/", "Read timed out."
)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (REFUSED, FailureKind.UNREACHABLE),
        (FileNotFoundError(2, "No such file or directory"), FailureKind.UNREACHABLE),
        (BrokenPipeError(32, "Broken pipe"), FailureKind.UNREACHABLE),
        (requests.ConnectionError(urllib3.exceptions.ProtocolError("x", REFUSED)), FailureKind.UNREACHABLE),
        (requests.exceptions.ChunkedEncodingError("cut"), FailureKind.UNREACHABLE),
        (chained(docker.errors.DockerException("no version"), REFUSED), FailureKind.UNREACHABLE),
        (docker.errors.DockerException("no version"), FailureKind.UNREACHABLE),
        (requests.ReadTimeout("slow"), FailureKind.SILENT),
        (TimeoutError(), FailureKind.SILENT),
        # How a time-out in the middle of an answer looks.
        (requests.ConnectionError(READ_TIMED_OUT), FailureKind.SILENT),
        (answer(404, "No such container: abc"), FailureKind.NOT_THERE),
        (docker.errors.ImageNotFound("none", response=answer(404, "x").response), FailureKind.NOT_THERE),
        (answer(409, "Container abc is not running"), FailureKind.CONFLICT),
        (answer(500, "write /var/lib: no space left on device"), FailureKind.OUT_OF_RESOURCES),
        (answer(500, "fork/exec /usr/bin/runc: cannot allocate memory"), FailureKind.OUT_OF_RESOURCES),
        (answer(500, "something else"), FailureKind.REFUSED),
        (answer(400, 'exec: "no space left on device": not found'), FailureKind.REFUSED),
    ],
)  # fmt: skip
def test_each_failure_has_its_kind(error: Exception, kind: FailureKind) -> None:
    failure = sort_failure(error)
    assert failure is not None
    assert failure.kind is kind


@pytest.mark.parametrize("error", [KeyError("Id"), TypeError("x"), ZeroDivisionError()])
def test_a_bug_of_ours_is_no_failure_of_the_engine(error: Exception) -> None:
    assert sort_failure(error) is None


@pytest.mark.parametrize(
    ("kind", "error_type"),
    [
        (answer(404, "gone"), NotThereError),
        (answer(409, "busy"), StateConflictError),
        (REFUSED, EngineUnreachableError),
        (answer(500, "x"), EngineError),
    ],
)
def test_errors_tell_what_was_tried(kind: Exception, error_type: type[EngineError]) -> None:
    failure = sort_failure(kind)
    assert failure is not None
    error = failure.as_error("create a container")
    assert type(error) is error_type
    assert str(error).startswith("cannot create a container: ")


def test_the_reason_is_dug_out_of_the_layers_around_it() -> None:
    error = requests.ConnectionError(
        urllib3.exceptions.ProtocolError("Connection aborted.", REFUSED)
    )
    failure = sort_failure(error)
    assert failure is not None
    assert failure.text == "no container engine answers: connection refused"


@pytest.mark.parametrize("text", ["a\nb\x1b[2J", 1000 * "long "])
def test_what_an_engine_says_fits_on_one_line(text: str) -> None:
    failure = sort_failure(answer(500, text))
    assert failure is not None
    assert failure.text.isprintable()
    assert len(failure.text) <= 400


def test_a_long_text_keeps_what_failed_and_why() -> None:
    failure = sort_failure(answer(500, f"mounting {'x' * 1000}: not a directory"))
    assert failure is not None
    assert failure.text.startswith("mounting x")
    assert failure.text.endswith("x: not a directory")
    assert len(failure.text) == 400


SHIM = "failed to create shim task: OCI runtime create failed: "
RUNC = f"{SHIM}runc create failed: unable to start container process: "
OLD_RUNC = f"{SHIM}container_linux.go:380: starting container process caused: "
CHDIR = 'chdir to cwd ("/w") set in config.json failed: permission denied: unknown'
NO_RUNC = 'exec: "runc": executable file not found in $PATH: unknown'


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        # As Docker 20.10 with runc 1.1 says it.
        (127, f'{RUNC}exec: "nope": executable file not found in $PATH: unknown', 127),
        (127, f'{RUNC}exec: "./f": stat ./f: no such file or directory: unknown', 127),
        (126, f'{RUNC}exec: "/etc": permission denied: unknown', 126),
        (128, f'{RUNC}exec: "/f": stat /f: too many levels of symbolic links: unknown', 126),
        (128, f'{RUNC}exec: "/xx": stat /xx: file name too long: unknown', 126),
        (126, f"{RUNC}error during container init: {CHDIR}", 126),
        # Other versions.
        (127, f'{RUNC}error during container init: exec: "nope": not found: unknown', 127),
        (127, f'{OLD_RUNC}exec: "nope": executable file not found in $PATH: unknown', 127),
        (126, f"{OLD_RUNC}process_linux.go:545: container init caused: {CHDIR}", 126),
        # A disk that cannot be read is ours, whatever a command's name may say.
        (128, f'{RUNC}exec: "/f": stat /f: input/output error: unknown', None),
        (128, f'{RUNC}exec: "not a directory": input/output error: unknown', None),
        # A runtime that is not there is ours, though the words and the code are the same.
        (127, f"{SHIM}unable to retrieve OCI runtime error: {NO_RUNC}", None),
        (127, f"failed to start shim: {NO_RUNC}", None),
        (126, "failed to start shim: fork/exec /usr/bin/shim: exec format error", None),
        # What is mounted is ours, and where it is mounted the image's: a doubt.
        (127, f'{RUNC}error during container init: error mounting "/seat": not a directory', None),
        (127, "mount source /gone: no such file or directory", None),
        (128, "runc create failed: no space left on device", None),
        (128, "unable to find user 25000: read /etc/passwd: is a directory", None),
        (0, "", None),
    ],
)
def test_only_a_command_that_cannot_run_is_the_images_doing(
    code: int, text: str, expected: int | None
) -> None:
    assert exit_code_of_failed_start({"ExitCode": code, "Error": text}) == expected
