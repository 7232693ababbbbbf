from importlib import metadata

from tarneeb_sdk.version import VERSION


def test_the_sdk_has_the_version_of_its_distribution() -> None:
    found = set()
    for name in ("tarneeb-referee", "tarneeb-sdk"):
        try:
            found.add(metadata.version(name))
        except metadata.PackageNotFoundError:
            continue
    assert found == {VERSION}
