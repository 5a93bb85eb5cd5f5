"""`python -m benchmarks.same --rev COMMIT`: does the working tree compute the same bytes as a commit, and as
fast?"""

from __future__ import annotations

import inspect
import json
import os
from importlib.metadata import version
from typing import Annotated

import typer

from . import same_object
from .same_tree import FOLDER, commit_of, new_tree, old_tree

Rev = Annotated[str, typer.Option(help="the commit to compare with")]
Object = Annotated[
    bool, typer.Option("--object", help="compare the object code of the compiled core, and nothing else")
]


def compare_objects(commit: str) -> bool:
    """Whether the compiled core has the same code and constants; the commit's is compiled once for each CPU
    target."""
    made_by = same_object.digest(inspect.getsource(same_object), version("llvmlite"))[:12]
    kept = FOLDER / f"object-{commit[:12]}-{os.environ.get('TINKERDYNE_CPU') or 'native'}-{made_by}.json"
    if kept.exists():
        old = json.loads(kept.read_text())
    else:
        with old_tree(commit) as tree:
            old = json.loads(tree.run("same_object.py"))
        kept.write_text(json.dumps(old))
    with new_tree() as tree:
        new = json.loads(tree.run("same_object.py"))
    said = same_object.compare(old, new)
    sizes = ", ".join(f"{name} {size}" for name, (size, *_) in new["sections"].items())
    print("\n".join(said) if said else f"the object code is equal: {sizes} bytes")
    return not said


def main(rev: Rev = "HEAD", is_object: Object = False) -> None:
    """Compare the working tree with a commit."""
    commit = commit_of(rev)
    if is_object:
        raise typer.Exit(0 if compare_objects(commit) else 1)


if __name__ == "__main__":
    typer.run(main)
