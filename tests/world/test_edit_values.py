"""Edits are values: they survive JSON, and mean the same afterwards."""

import json

import pytest

import tinkerdyne as td
from tinkerdyne.world.edit import edit_of, plain


def log_of_edits():
    """A world built and changed by hand, and every edit that did it."""
    world, log = td.World(), []
    carry_out = world.apply

    def apply(edit):
        log.append(edit)
        return carry_out(edit)

    world.apply = apply  # type: ignore[method-assign]
    rod = world.add(td.Rod("rod", position=(0.5, 0, 0)))
    world.add(td.connect(rod.end1, td.Nail(0, 0, 0), name="joint"), td.gravity())
    world.add(
        td.formula_force(
            td.formula("a*k", a=td.coordinate(rod.end2, td.world_direction()), k=2.0), "-3", name="typed"
        )
    )
    world.configure(max_step=2e-3, tolerance=1e-9)
    rod.mass = 2.5
    rod.velocity = (0, 0.25, 0)
    world["joint"].is_on = False
    world.apply(td.Rename("rod", "bar"))
    world.apply(td.Several((td.Change("joint", "is_on", True), td.Change("joint", "tau", 0.25))))
    world.remove("typed")
    return world, log


def test_a_log_of_edits_sent_as_json_builds_the_same_world():
    world, log = log_of_edits()
    assert {type(e) for e in log} >= {td.Add, td.Remove, td.Change, td.Move, td.Rename, td.Several}
    sent = [json.loads(json.dumps(plain(edit))) for edit in log]
    again = td.World()
    for document in sent:
        again.apply(edit_of(document))
    world.step(0.2), again.step(0.2)
    assert again.to_json() == world.to_json()


def test_every_edit_is_the_same_value_after_json():
    _, log = log_of_edits()
    for edit in log:
        assert edit_of(json.loads(json.dumps(plain(edit)))) == edit
        assert hash(edit) == hash(edit)


@pytest.mark.parametrize(
    "document, word",
    [
        (3, "kind"),
        ({"edit": "Explode"}, "kind"),
        ({"edit": "Rename", "name": "a"}, "missing"),
        ({"edit": "Remove", "names": [], "x": 1}, "x"),
    ],
)
def test_what_is_no_edit_is_refused_in_words(document, word):
    with pytest.raises(ValueError, match=word):
        edit_of(document)
