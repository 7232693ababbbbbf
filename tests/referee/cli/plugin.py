"""Commands of a package that is not ours, for test_main.py."""

import click

to_raise: BaseException | None = None
not_a_command = print


@click.command()
@click.option("--name", default="nobody")
def good(name: str) -> None:
    if to_raise is not None:
        raise to_raise
    click.echo(f"good to see {name}")
