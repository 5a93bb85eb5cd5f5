"""Scene files that are broken, foreign or impossible: a SceneError that says where and what, and nothing else
happens."""

import errno
import json
import os
import resource
import stat

import pytest

import tinkerdyne as td
from tests.world.worlds import chain, own_type, unmet
from tinkerdyne import World, files
from tinkerdyne.language.types import REGISTRY
from tinkerdyne.world.scene import LARGEST_FILE, SceneError


def text_of(**sections) -> str:
    return json.dumps({"tinkerdyne": 1, **sections})


BOB = {"name": "bob", "type": "particle", "state": {"position": [1.0, 0.0]}}
HOOK = {"name": "hook", "type": "place", "at": [0.0, 0.0]}
STRING = {"name": "string", "type": "distance", "on": ["bob", "hook"], "length": 1.0}
GOOD = {"objects": [BOB], "connectors": [HOOK], "constraints": [STRING]}


def refused(text: str | bytes, says: str) -> None:
    with pytest.raises(SceneError, match=says):
        World.from_json(text)


def test_the_scene_that_the_tests_spoil_is_good():
    assert World.from_json(text_of(**GOOD)).run(0.1)


# --- not a scene at all ---------------------------------------------------------------------------
@pytest.mark.parametrize("share", [0.3, 0.6, 0.9, 0.999])
def test_a_truncated_file_is_refused_with_line_and_column(share, tmp_path):
    text = chain(3).to_json().rstrip()
    cut = text[: int(share * len(text))]
    path = tmp_path / "cut.json"
    path.write_text(cut)
    with pytest.raises(
        SceneError, match=r"cut\.json: the scene is cut short at line (\d+), column \d+"
    ) as caught:
        World.load(path)
    assert int(str(caught.value).split("line ")[1].split(",")[0]) == cut.count("\n") + 1
    assert path.read_text() == cut


@pytest.mark.parametrize("text", ["", " \n\t ", b"", b"\xef\xbb\xbf"])
def test_an_empty_file_is_refused(text):
    refused(text, "the scene is empty")


@pytest.mark.parametrize(
    "text",
    ["<html></html>", "hello", "{'tinkerdyne': 1}", '{"tinkerdyne": 1} {}', '{"tinkerdyne": 1,}', "{]"],
)
def test_what_is_not_json_is_refused_with_line_and_column(text):
    refused(text, r"this is not JSON at line 1, column \d+")


@pytest.mark.parametrize(
    ("data", "line"),
    [(b'{"tinkerdyne": 1,\n "name": "\xff"}', 2), (b"\x89PNG\r\n", 1), ("{}".encode("utf-16"), 1)],
)
def test_what_is_not_utf_8_is_refused(data, line):
    refused(data, f"this is not UTF-8 text: line {line} has the byte")


@pytest.mark.parametrize("text", ["3", "[]", "null", '"tinkerdyne"', "true"])
def test_json_that_is_not_an_object_is_refused(text):
    refused(text, "a scene must be an object")


def test_json_of_another_program_is_refused():
    refused('{"version": 3, "objects": []}', 'this is not a Tinkerdyne scene: the key "tinkerdyne"')


def test_a_byte_order_mark_is_accepted(tmp_path):
    path = tmp_path / "bom.json"
    path.write_bytes(b"\xef\xbb\xbf" + text_of(**GOOD).encode())
    assert World.load(path)["bob"].position == (1.0, 0.0)
    assert World.from_json("\ufeff" + text_of(**GOOD))["bob"].position == (1.0, 0.0)


@pytest.mark.parametrize("written", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999", "1" + "0" * 400])
def test_numbers_that_are_not_finite_are_refused_with_their_place(written):
    text = text_of(**GOOD).replace('"length": 1.0', f'\n  "length": {written}')
    refused(text, rf"{written[:40]} at line 2, column 13 is not a finite number")


def test_a_number_inside_a_name_is_not_mistaken_for_one():
    text = text_of(**GOOD).replace('"bob"', '"NaN, 1e999"').replace('"length": 1.0', '\n"length": NaN')
    refused(text, "NaN at line 2, column 11 is not a finite number")


def test_a_key_given_twice_is_refused():
    text = text_of(**GOOD).replace('"length": 1.0', '"length": 1.0, "length": 2.0')
    refused(text, "the key 'length' of 'string' is given twice")


def test_a_hundred_thousand_levels_of_nesting_are_refused():
    refused(
        '{"tinkerdyne": 1, "objects": ' + "[" * 100_000 + "]" * 100_000 + "}",
        "nested deeper than any scene needs",
    )
    refused('{"a":' * 100_000 + "1" + "}" * 100_000, "nested deeper than any scene needs")


def test_a_file_of_a_gigabyte_is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.truncate(2**30)
    with pytest.raises(
        SceneError,
        match=rf"huge\.json: 1,073,741,824 bytes are more than a scene may have \({LARGEST_FILE:,}\)",
    ):
        World.load(path)


@pytest.mark.parametrize("place", ["name", "on", "text", "key"])
def test_lone_surrogates_are_refused(place):
    half = "\ud800"
    spoiled = {
        "name": {"objects": [{"name": f"b{half}", "type": "particle"}]},
        "on": {"objects": [BOB], "behaviors": [{"name": "d", "type": "drag", "on": [half]}]},
        "text": {"objects": [BOB], "behaviors": [{"name": "e", "type": "typed_energy", "text": f"1{half}"}]},
        "key": {"objects": [{**BOB, half: 1}]},
    }[place]
    text = text_of(**spoiled)
    assert "\\ud800" in text
    refused(text, r"surrogate|printable|\\ud800")
    refused(text.replace("\\ud800", half), "half of a surrogate pair")


def test_very_long_names_are_refused():
    refused(
        text_of(objects=[{"name": "x" * 100_000, "type": "particle"}]),
        r"the name of objects\[0\] may have 256 characters, not 100000",
    )


# --- items ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"objects": [BOB, BOB]}, "two items are called 'bob': one under 'objects', one under 'objects'"),
        (
            {"connectors": [HOOK, {**HOOK, "name": "bob"}]},
            "two items are called 'bob': one under 'objects', one under 'connectors'",
        ),
        ({"connectors": []}, "distance 'string' refers to 'hook', which is not in the scene"),
        (
            {"constraints": [{**STRING, "on": ["bub", "hook"]}]},
            r"refers to 'bub', which is not in the scene \(did you mean 'bob'\?\)",
        ),
        (
            {"objects": [{**BOB, "type": "partical"}]},
            r"'bob' has the unknown type 'partical' \(did you mean 'particle'\?\); .*defined",
        ),
        (
            {"objects": [{**BOB, "mas": 1}]},
            r"particle 'bob' has no field 'mas' \(did you mean 'mass'\?\); it has name, type, state, mass",
        ),
        (
            {"objects": [{**BOB, "state": {"speed": 1}}]},
            "the state of particle 'bob' has no field 'speed'.*; it has position, velocity",
        ),
        ({"objects": [{**BOB, "on": ["hook"]}]}, "particle 'bob' has no field 'on'"),
        ({"colours": {}}, "a scene has no field 'colours'"),
        ({"stepper": {"speed": 1}}, "\"stepper\" has no field 'speed'"),
        ({"settings": {"speed": 1}}, "settings: a world has no setting 'speed'; it has method"),
        ({"settings": {"method": ["rattle"]}}, "settings: method must be one of"),
        ({"objects": [{"type": "particle"}]}, r'objects\[0\] lacks "name"'),
        ({"objects": [{"name": "", "type": "particle"}]}, r"the name of objects\[0\] is empty"),
        ({"objects": [{"name": "bob"}]}, "'bob' lacks \"type\""),
        (
            {"constraints": [{"name": "string", "type": "distance"}]},
            r'distance \'string\' lacks "on": the names of its inputs \(a, b\)',
        ),
        ({"constraints": [{**STRING, "on": ["bob"]}]}, r"distance 'string' takes 2 inputs \(a, b\), not 1"),
        ({"behaviors": [{"name": "f", "type": "typed_energy"}]}, "typed_energy 'f' lacks \"text\""),
        ({"objects": [HOOK]}, 'place \'hook\' stands under "objects"; it belongs under "connectors"'),
        ({"objects": {"bob": BOB}}, r'"objects" must be a list \[…\], not'),
        ({"objects": ["bob"]}, r"objects\[0\] must be an object \{…\}, not 'bob'"),
        ({"constraints": [{**STRING, "on": "bob"}]}, r'"on" of distance \'string\' must be a list'),
        (
            {"constraints": [{**STRING, "on": [1, 2]}]},
            r'"on" of distance \'string\'\[0\] must be text, not 1',
        ),
        ({"objects": [{**BOB, "type": 7}]}, "\"type\" of 'bob' must be text, not 7"),
        ({"objects": [{**BOB, "mass": -1}]}, "mass of particle 'bob' must be positive, not -1"),
        ({"objects": [{**BOB, "mass": "1"}]}, "mass of particle 'bob' must be a number, not '1'"),
        ({"objects": [{**BOB, "mass": None}]}, "mass of particle 'bob' must be a number, not None"),
        ({"objects": [{**BOB, "mass": {}}]}, "mass of particle 'bob' must be a number"),
        ({"objects": [{**BOB, "is_fixed": 1}]}, "is_fixed of particle 'bob' must be True or False, not 1"),
        (
            {"objects": [{**BOB, "state": {"position": [1]}}]},
            "position of particle 'bob' must have 2 or 3 numbers, not 1",
        ),
        ({"objects": [{**BOB, "state": 3}]}, "\"state\" of particle 'bob' must be an object"),
        (
            {"constraints": [{**STRING, "memory": [1, 2]}]},
            "memory of distance 'string' must have 5 numbers, not 2",
        ),
        (
            {"constraints": [{**STRING, "memory": [1, 2, "3", 4]}]},
            r"memory\[2\] of distance 'string' must be a number, not '3'",
        ),
        ({"time": "now"}, "\"time\" must be a number, not 'now'"),
        ({"order": ["bob", "bib"]}, "\"order\" names 'bib', which is not in the scene"),
        ({"order": ["bob", "bob"]}, "\"order\" names 'bob' twice"),
    ],
)
def test_whatever_is_wrong_with_an_item_is_said_with_its_name(change, says):
    refused(text_of(**{**GOOD, **change}), says)


def test_things_plugged_into_each_other_in_a_ring_are_refused():
    ring = [
        {"name": "a", "type": "between", "on": ["hook", "c"]},
        {"name": "b", "type": "between", "on": ["a", "hook"]},
        {"name": "c", "type": "between", "on": ["b", "b"]},
    ]
    refused(text_of(connectors=[HOOK, *ring]), "plugged into each other in a ring: a → c → b → a")
    refused(text_of(connectors=[{"name": "a", "type": "between", "on": ["a", "a"]}]), "in a ring: a → a")


def test_a_formula_in_a_file_is_as_safe_as_one_typed_in():
    bad = {
        "name": "f",
        "type": "typed_energy",
        "on": ["bob"],
        "names": ["x"],
        "text": "__import__('os').system('true')",
    }
    refused(text_of(objects=[BOB], behaviors=[bad]), "typed_energy 'f'")
    refused(text_of(objects=[BOB], behaviors=[{**bad, "text": "x[0] + y"}]), "(?s)typed_energy 'f'.*'y'")
    refused(text_of(objects=[BOB], behaviors=[{**bad, "names": []}]), "typed_energy 'f'")
    refused(text_of(objects=[BOB], behaviors=[{**bad, "text": []}]), "typed_energy 'f'")
    refused(
        text_of(objects=[BOB], behaviors=[{**bad, "text": "x[0]", "constants": {"k": "1"}}]),
        "k of typed_energy 'f' must be a number",
    )


def test_a_part_that_its_object_has_not_is_refused():
    tip = {"name": "tip", "type": "point", "on": ["rod"], "part": "end3"}
    refused(
        text_of(objects=[{"name": "rod", "type": "rod"}], connectors=[tip]),
        "the part 'end3' of rod 'rod', which has end1, end2",
    )
    refused(
        text_of(objects=[{"name": "rod", "type": "rod"}], connectors=[{**tip, "part": 3}]),
        "\"part\" of 'tip' must be text, not 3",
    )


def test_a_type_of_ones_own_that_is_not_defined_is_named():
    world = own_type()
    text = world.to_json()
    kept = REGISTRY.pop("model_on_circle")
    try:
        refused(text, r"'rim' has the unknown type 'model_on_circle'.*; a type of your own must be defined")
        with pytest.raises(
            SceneError,
            match="model_on_circle 'rim' cannot be saved: its type 'model_on_circle' is not registered",
        ):
            world.to_json()
    finally:
        REGISTRY["model_on_circle"] = kept
    assert World.from_json(text)["rim"].type is kept


# --- versions -------------------------------------------------------------------------------------
def test_a_newer_version_is_refused_and_the_file_stays_as_it_is(tmp_path):
    path = tmp_path / "new.json"
    text = '{"tinkerdyne": 3, "dreams": []}'
    path.write_text(text)
    with pytest.raises(
        SceneError, match=r"new\.json: the scene has version 3, and this program reads up to 2; update"
    ):
        World.load(path)
    assert path.read_text() == text


@pytest.mark.parametrize("version", ["1", -1, 1.5, True, None, []])
def test_a_version_that_is_none_is_refused(version):
    refused(json.dumps({"tinkerdyne": version}), '"tinkerdyne" must be the version of the format')


def test_faults_in_an_older_version_are_refused_too():
    refused('{"tinkerdyne": 0, "items": [{"type": "particle"}]}', r'items\[0\] lacks "name"')
    refused(
        '{"tinkerdyne": 0, "items": [{"name": "p", "type": "particle", "colour": 1}]}',
        "'p' has no field 'colour'",
    )
    refused(
        '{"tinkerdyne": 0, "items": [{"name": "p", "type": "particle"}, {"name": "p", "type": "particle"}]}',
        "two items are called 'p'",
    )
    refused('{"tinkerdyne": 0, "objects": []}', "a scene of version 0 has no field 'objects'")


# --- the state it starts in -----------------------------------------------------------------------
def test_an_inconsistent_state_is_loaded_with_its_residual_and_the_way_out():
    opened = {**GOOD, "objects": [{**BOB, "state": {"position": [1.5, 0.0]}}]}
    with pytest.warns(UserWarning, match=r"distance 'string' is open by 0\.5; .*world\.project\(\)"):
        world = World.from_json(text_of(**opened))
    world.run(2.0)
    assert world["string"].gap < 1e-6


def test_a_state_edited_by_hand_in_a_saved_scene_is_noticed_and_closes_gently():
    world = chain(2)
    world.run(0.5)
    document = json.loads(world.to_json())
    document["objects"][1]["state"]["position"][1] += 0.3
    with pytest.warns(UserWarning, match=r"connect 'connect-2' is open by 0\.3"):
        other = World.from_json(json.dumps(document))
    other.run(0.01)
    assert other["connect-2"].gap == pytest.approx(0.3, abs=0.01)
    other.run(2.0)
    assert other["connect-2"].gap < 1e-6


def test_a_constraint_on_its_way_is_no_inconsistency(recwarn):
    world = unmet()
    world.run(0.1)
    other = World.from_json(world.to_json())
    assert not recwarn.list
    assert other["nail-1"].gap == world["nail-1"].gap > 0.1


# --- the open world and the file on disk ----------------------------------------------------------
def test_a_failed_load_leaves_the_open_world_alone(tmp_path):
    world = chain(2)
    world.run(0.1)
    before = world.to_json()
    path = tmp_path / "bad.json"
    path.write_text(before[:-40])
    with pytest.raises(SceneError):
        World.load(path)
    assert world.to_json() == before


def test_a_missing_file_a_folder_and_a_pipe_are_told_apart(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"nowhere\.json"):
        World.load(tmp_path / "nowhere.json")
    with pytest.raises(IsADirectoryError, match="a scene is a file, but this is a folder"):
        World.load(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="a scene is a plain file, but this is not one"):
        World.load(tmp_path / "pipe")


def test_saving_to_a_folder_or_into_a_missing_one_is_refused(tmp_path):
    with pytest.raises(IsADirectoryError, match=r"not saved, .*this is a folder"):
        chain(1).save(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"not saved, .*there is no folder .*; make it first"):
        chain(1).save(tmp_path / "missing" / "scene.json")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match=r"not saved, .*plain file"):
        chain(1).save(tmp_path / "pipe")
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["pipe"]


def test_saving_through_a_symbolic_link_replaces_the_file_it_points_to(tmp_path):
    (tmp_path / "real").mkdir()
    target, link = tmp_path / "real" / "scene.json", tmp_path / "link.json"
    target.write_text("old")
    link.symlink_to(target)
    chain(1).save(link)
    assert link.is_symlink()
    assert World.load(target)["rod0"].mass == 1.0
    loose = tmp_path / "loose.json"
    loose.symlink_to(tmp_path / "not yet.json")
    chain(1).save(loose)
    assert loose.is_symlink() and (tmp_path / "not yet.json").is_file()
    ring = tmp_path / "ring.json"
    ring.symlink_to(ring)
    with pytest.raises(OSError, match=r"not saved, .*circle"):
        chain(1).save(ring)


def test_a_disk_that_is_full_leaves_the_old_file_whole_and_nothing_behind(tmp_path):
    path = tmp_path / "scene.json"
    chain(1).save(path)
    old = path.read_bytes()
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        with pytest.raises(OSError, match="not saved, and what was there is intact") as caught:
            chain(20).save(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert caught.value.errno == errno.EFBIG
    assert path.read_bytes() == old
    assert [p.name for p in tmp_path.iterdir()] == ["scene.json"]


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_disk_that_fails_late_leaves_the_old_file_whole_and_nothing_behind(step, tmp_path, monkeypatch):
    path = tmp_path / "scene.json"
    chain(1).save(path)
    old = path.read_bytes()

    def full(*args, **kw):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, step, full)
    with pytest.raises(
        OSError, match="not saved, and what was there is intact: No space left on device"
    ) as caught:
        chain(2).save(path)
    monkeypatch.undo()
    assert caught.value.errno == errno.ENOSPC
    assert path.read_bytes() == old
    assert [p.name for p in tmp_path.iterdir()] == ["scene.json"]


def test_a_folder_that_cannot_be_written_is_said(tmp_path, monkeypatch):
    path = tmp_path / "scene.json"
    path.write_text("old")

    def forbidden(*args, **kw):
        raise PermissionError(errno.EACCES, "Permission denied")

    # the tests may run as root, whom no folder refuses
    monkeypatch.setattr(files, "open", forbidden, raising=False)
    with pytest.raises(
        PermissionError, match=r"not saved, and what was there is intact: Permission denied.*scene\.json"
    ):
        chain(1).save(path)
    assert path.read_text() == "old"


def test_saving_keeps_the_permissions_of_the_file_and_obeys_the_mask_for_a_new_one(tmp_path):
    path = tmp_path / "scene.json"
    path.write_text("old")
    path.chmod(0o640)
    chain(1).save(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    before = os.umask(0o027)
    try:
        chain(1).save(tmp_path / "new.json")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new.json").stat().st_mode) == 0o640


def test_what_a_killed_program_left_is_swept_and_what_another_is_writing_is_not(tmp_path):
    left, fresh, other = (
        tmp_path / n for n in (".scene.json.1-dead.tmp", ".scene.json.2-live.tmp", ".other.json.1-dead.tmp")
    )
    for path in (left, fresh, other):
        path.write_text("{")
    for path in (left, other):
        os.utime(path, (0, 0))
    chain(1).save(tmp_path / "scene.json")
    assert sorted(p.name for p in tmp_path.iterdir()) == [other.name, fresh.name, "scene.json"]


def test_a_world_that_cannot_be_written_down_is_not_saved(tmp_path):
    path = tmp_path / "scene.json"
    path.write_text("old")

    @td.connector(name="fault_choosy")
    def fault_choosy(p: td.Point, *, which: td.Choice = frozenset({1})) -> td.Point:
        """A point with a choice that JSON has no word for."""
        return p

    world = World()
    bead = world.add(td.Particle("bead"))
    world.add(fault_choosy(bead, name="odd"))
    with pytest.raises(SceneError, match="fault_choosy 'odd' cannot be written as JSON"):
        world.save(path)
    assert path.read_text() == "old"
    REGISTRY.pop("fault_choosy")
