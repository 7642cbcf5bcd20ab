"""`kibitz serve`: a table in the browser."""

from __future__ import annotations

import ipaddress
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli.arguments import asked_number
from kibitz.core.errors import BadInput, MissingExtra


def serve(
    port: Annotated[int, typer.Option(help="Where to listen; 0 takes any port that is free.")] = 8765,
    host: Annotated[
        str, typer.Option(help="The address to listen at; others than this machine's need --public.")
    ] = "127.0.0.1",
    public: Annotated[bool, typer.Option("--public", help="Let other machines connect.")] = False,
    data: Annotated[Path, typer.Option(help="The folder of tables and games.")] = Path("kibitz-table"),
    workers: Annotated[int, typer.Option(help="Processes in which bots think; 0 for one per core.")] = 0,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
) -> None:
    """Play in the browser: prints a link and serves until Ctrl-C; tables are kept.

    Example: kibitz serve --port 9000 --data my-games
    """
    asked_number("port", port, 0, 65535)
    asked_number("workers", workers, 0, 256)
    if not _is_local(host) and not public:
        raise BadInput(
            f"--host {host} lets other machines connect: add --public if you want that; "
            "whoever has a link can then sit at its table, and nothing is encrypted unless a proxy does it"
        )
    run = _runner()
    run(host=host, port=port, data=data, workers=workers or os.cpu_count() or 1, browser=browser, show=None)


def show_records(file: Path, port: int, browser: bool) -> None:
    """Open a file of records in the browser; nothing is kept."""
    if not file.is_file():
        raise BadInput(f"{file} is no file that can be read")
    run = _runner()
    with tempfile.TemporaryDirectory(prefix="kibitz-replay-") as data:
        run(host="127.0.0.1", port=port, data=Path(data), workers=1, browser=browser, show=file)


def _runner() -> Callable[..., None]:
    """What runs a server, once the extra is known to be there."""
    try:
        from kibitz.web.running import run
    except ImportError as problem:
        if str(problem.name).split(".")[0] == "kibitz":
            raise
        raise MissingExtra(problem.name, "web") from None
    return run


def _is_local(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        raise BadInput(f"--host {host} is not possible: an address like 127.0.0.1 or 0.0.0.0 is") from None
