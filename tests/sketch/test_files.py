"""Gestures, sketch files and the command: round trips, and what is wrong with malformed ones (M8's acting
input)."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import tinkerdyne as td
from scenes.sketch.acted.chain import chain
from scenes.sketch.acted.die import die
from scenes.sketch.acted.hat import hat_and_box
from scenes.sketch.acted.pencil import pencil
from tinkerdyne.cli.sketch import drawn_sketch
from tinkerdyne.files import SceneError
from tinkerdyne.sketch.problem.parameters import parameters
from tinkerdyne.sketch.problem.problem import problem
from tinkerdyne.sketch.tell.document import document_of, save_sketch
from tinkerdyne.sketch.tell.file import load_sketch
from tinkerdyne.sketch.tell.gesture import Gesture, load_gesture
from tinkerdyne.sketch.tell.sketch import Sketch
from tinkerdyne.sketch.tell.story import Surface

BODY = {"type": "box", "name": "die", "size": [0.1, 0.1, 0.1]}
STORY = [{"want": "die", "when": "start", "position": [0, 0, 1]}, {"want": "die", "position": [1, 0, 0.5]}]


def written(path, **changes):
    path.write_text(json.dumps({"sketch": 1, "bodies": [BODY], "story": STORY, **changes}))
    return path


def test_a_sketch_comes_back_from_its_file(tmp_path):
    sketch = pencil(1)
    save_sketch(sketch, tmp_path / "pencil.json")
    again = load_sketch(tmp_path / "pencil.json")
    assert again.statement().structure() == sketch.statement().structure()
    assert np.array_equal(again.flights[0].tracks["pencil"].places, sketch.flights[0].tracks["pencil"].places)
    assert again.solve(restarts=1).cost == pytest.approx(sketch.solve(restarts=1).cost, rel=1e-9)


def test_collisions_of_bodies_regions_and_what_may_vary_come_back_from_a_file(tmp_path):
    sketch = hat_and_box(2)
    sketch.vary_force(sketch.bodies[1], (-1, 0, 0), (1, 0, 0))
    sketch.vary_inertia(sketch.bodies[0], 0.9, 1.1)
    sketch.land(sketch.bodies[1], (0.03, 0.03, 0.03), on=Surface((0, 0, -0.5), name="floor"))
    save_sketch(sketch, tmp_path / "hat.json")
    again = load_sketch(tmp_path / "hat.json")
    assert document_of(again) == document_of(sketch)
    P = problem(sketch.statement().structure(has_gaps=True))
    assert problem(again.statement().structure(has_gaps=True)) is P
    given = [parameters(one.statement(), P) for one in (sketch, again)]
    assert np.allclose(*given, rtol=0, atol=1e-12)
    sketch.condition(lambda hat, box: hat.x[0] - box.x[0], 0, 1, name="side by side")
    with pytest.raises(ValueError, match="'side by side' is a Python function"):
        save_sketch(sketch, tmp_path / "hat.json")
    twice = Sketch(sketch.bodies[1])
    twice.keep_above(Surface())
    twice.keep_above(Surface((0, 0, -1)))
    with pytest.raises(ValueError, match="two surfaces are called 'table'"):
        document_of(twice)
    assert document_of(load_sketch(tmp_path / "hat.json")) == document_of(again)  # nothing was overwritten


def test_faces_and_balls_that_are_met_come_back_from_a_file(tmp_path):
    box, ball = td.Box("box", size=(0.1,) * 3), td.Sphere("ball", radius=0.05)
    sketch = Sketch(box, ball)
    sketch.want(box, when="start", position=(0, 0, 1))
    sketch.collide(ball, None, box, origin=(0.05, 0, 0), normal=(1, 0, 0))
    sketch.collide(box, box.left_front_bottom, ball, restitution=(0.2, 0.4))
    save_sketch(sketch, tmp_path / "both.json")
    again = load_sketch(tmp_path / "both.json")
    assert document_of(again) == document_of(sketch)
    assert again.statement().structure() == sketch.statement().structure()
    P = problem(sketch.statement().structure())
    assert np.array_equal(*(parameters(one.statement(), P) for one in (sketch, again)))
    assert [c.on.ball for c in again.collisions] == [0.0, 0.05]


@pytest.mark.parametrize("ending", [".csv", ".npz", ".json"])
def test_gestures_are_read_smoothed_and_resampled(tmp_path, ending):
    rng = np.random.default_rng(0)
    t, clock = np.linspace(0, 2.5, 80), 1e5
    x = np.stack([t, t**2, np.sin(t)], axis=1)
    # the sign of a quaternion means nothing
    q = np.tile((1.0, 0, 0, 0), (80, 1)) * np.where(np.arange(80) % 2, -1, 1)[:, None]
    path = tmp_path / f"gesture{ending}"
    if ending == ".csv":
        rows = np.column_stack([t + clock, x, q])
        path.write_text(
            "t,x,y,z,qw,qx,qy,qz\n" + "\n".join(",".join(map(repr, map(float, row))) for row in rows)
        )
    elif ending == ".npz":
        np.savez(path, places=x, orientations=q, times=t + clock)
    else:
        path.write_text(
            json.dumps({"places": x.tolist(), "orientations": q.tolist(), "times": (t + clock).tolist()})
        )
    found = load_gesture(path)
    # from the first sample on, whatever the clock said
    assert np.allclose(found.places, x) and np.allclose(found.times, t)
    noisy = Gesture(x + 0.01 * rng.normal(size=x.shape), q, t).smoothed(2.0)
    assert np.abs(noisy.places - x)[5:-5].mean() < 0.006 and np.allclose(np.abs(noisy.orientations[:, 0]), 1)
    wavy = Gesture(x + 0.01 * rng.normal(size=x.shape), q, t)
    assert np.allclose(wavy.smoothed(3.0).places[[0, -1]], wavy.places[[0, -1]], atol=1e-12)  # the ends stay
    assert np.array_equal(wavy.smoothed(0).places, wavy.places)
    few = found.resampled(9)
    assert len(few) == 9 and np.allclose(few.places[[0, -1]], x[[0, -1]])
    assert np.allclose(np.interp(few.times, t, x[:, 0]), few.places[:, 0], atol=1e-3)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("x,y\n1,2\n3,4\n", "x, y and z"),
        ("x,y,z,colour\n1,2,3,4\n1,2,3,4\n", "colour"),
        ("x,y,z\n1,2,3\n1,2\n", "line 3"),
        ("x,y,z\n1,2,3\n1,2,three\n", "three"),
        ("x,y,z,qw\n1,2,3,1\n1,2,3,1\n", "all of qw"),
        ("t,x,y,z\n1,1,2,3\n0,1,2,3\n", "rise"),
        ("x,y,z\n1,2,3\n1,2,nan\n", "finite"),
        ("", "head line"),
        ("x,x,y,z\n1,9,2,3\n1,9,2,3\n", "column 'x' is given twice"),
        ("t,time,x,y,z\n1,1,1,2,3\n2,2,1,2,3\n", "column 'time' is given twice"),
        ("x,y,z\n" + "1" * 200_000 + ",2,3\n1,2,3\n", "field limit"),
        ("x,y,z\n1e200,2,3\n1,2,3\n", "are they in metres"),
        ("x,y,z\n1,2,3\n1,2,\xe9\n", "byte 17 is not UTF-8"),
    ],
)
def test_malformed_gestures_are_refused_in_words(tmp_path, text, says):
    path = tmp_path / "bad.csv"
    path.write_text(text, encoding="latin-1")
    with pytest.raises(SceneError, match=says) as refused:
        load_gesture(path)
    assert str(path) in str(refused.value)


def test_damaged_archives_and_nested_lists_are_refused_with_the_entry_that_names_them(tmp_path):
    x = np.random.default_rng(0).normal(size=(20, 3))
    np.savez_compressed(tmp_path / "good.npz", places=x)
    good = (tmp_path / "good.npz").read_bytes()
    np.save(tmp_path / "one.npy", x)
    np.savez(tmp_path / "complex.npz", places=x + 0j)
    damaged = good[:60] + bytes(b ^ 0x5A for b in good[60:100]) + good[100:]
    for name, data, says in (
        ("empty.npz", b"", "empty or damaged"),
        ("half.npz", good[: len(good) // 2], "empty or damaged"),
        ("damaged.npz", damaged, "empty or damaged"),
        ("one.npz", (tmp_path / "one.npy").read_bytes(), "single .npy array"),
        ("complex.npz", (tmp_path / "complex.npz").read_bytes(), "must be real numbers"),
        ("deep.json", b"[" * 100_000 + b"]" * 100_000, "nested too deep"),
        ("long.json", b'{"places": [[1' + b"0" * 5000 + b", 0, 0]]}", "digits"),
    ):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(SceneError, match=rf"story\[0\]: .*{name}: this is no gesture: .*{says}"):
            load_sketch(written(tmp_path / "sketch.json", story=[{"follow": "die", "gesture": name}]))


def test_a_gesture_of_one_sample_stays_as_it_is():
    assert np.array_equal(Gesture(np.ones((1, 3))).smoothed().places, np.ones((1, 3)))
    for count in (2.5, "a", 1, True):
        with pytest.raises(ValueError, match="at least 2 samples"):
            Gesture(np.ones((5, 3))).resampled(count)


def test_infinite_bounds_and_letters_are_kept_in_files_that_are_json(tmp_path):
    def strict(text):
        raise ValueError(f"{text} is no JSON")

    spelled = die("ODD")
    free = Sketch(td.Box("die", size=(0.1,) * 3))
    free.want(free.bodies[0], position=((-np.inf, 0, 0), (np.inf, 1, 1)))
    tree = chain(1)
    tree.begin(within=np.inf, angle=0.1)
    tree.want(tree.tree.links[0].item, ((-np.inf, -1, 0), (0, np.inf, 2)), when=0.5)
    for sketch in (spelled, free, tree):
        save_sketch(sketch, tmp_path / "kept.json")
        json.loads((tmp_path / "kept.json").read_text(), parse_constant=strict)
        again = load_sketch(tmp_path / "kept.json")
        assert document_of(again) == document_of(sketch)
    assert [again.start_high[0], *again.holds[1].high] == [np.inf, 0, np.inf, 2]
    save_sketch(spelled, tmp_path / "kept.json")
    letters = [
        [mark.letter for mark in one.marks["die"]] for one in (spelled, load_sketch(tmp_path / "kept.json"))
    ]
    assert letters[0] == letters[1] and letters[0]
    for marks, says in (
        ({"cup": []}, "no body 'cup'"),
        ({"die": [{"letter": "A"}]}, "a mark has letter"),
        ([], "marks are lists"),
    ):
        with pytest.raises(SceneError, match=f"marks: .*{says}|marks: {says}"):
            load_sketch(written(tmp_path / "bad.json", marks=marks))


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"sketch": 2}, "format 2"),
        ({"sketh": 1}, "'sketh'"),
        ({"bodies": []}, "bodies must be a list"),
        ({"bodies": [{"type": "boks", "name": "die"}]}, "no body of type 'boks'"),
        ({"bodies": [{**BODY, "size": [0.1, 0.1]}]}, r"bodies\[0\].*3 numbers"),
        ({"bodies": [{"type": "box"}]}, "needs a name"),
        ({"bodies": [BODY, BODY]}, r"bodies\[1\].*already"),
        ({"gap_weight": -1}, "gap_weight"),
        ({"story": [{"collide": "die", "at": [0, 0, 0], "with": "hat"}]}, "no body 'hat'"),
        ({"story": [{"hop": "die"}]}, r"story\[0\].*follow, bounce"),
        ({"story": [{"want": "cup", "position": [0, 0, 0]}]}, "no body 'cup'"),
        ({"story": [{"bounce": "die", "on": "floor"}]}, "no surface 'floor'"),
        ({"story": [{"bounce": "die", "at": "tip"}]}, "tip"),
        ({"story": [{"follow": "die", "gesture": "../x.csv"}]}, "beside the sketch"),
        (
            {"story": [{"follow": "die", "gesture": "gone.csv"}]},
            r"story\[0\]: gesture 'gone.csv' cannot be read",
        ),
        ({"story": [{"follow": "die", "places": [[0, 0]]}]}, "rows of 3"),
        ({"story": [{"want": "die", "position": [0, 0, 1], "colour": 3}]}, "colour"),
        ({"story": [{"bounce": "die", "colour": 3}]}, "bounce got an unexpected field 'colour'"),
        ({"story": [{"collide": "die", "at": [0, 0, 0]}]}, "missing a required field: 'with'"),
        ({"story": [{"vary_force": "die", "low": [0, 0, 0]}]}, "missing a required field: 'high'"),
        ({"story": [{"want": ["die"], "position": [0, 0, 0]}]}, r"no body \['die'\]"),
        ({"story": [{"want": "die", "position": [np.inf, 0, 0]}]}, "must be finite"),
        ({"story": [{"want": "die", "position": [0, 0, 0], "time": -1}]}, "must not be negative"),
        ({"story": [{"want": "die", "position": [0, 0, 0], "hard": "no"}]}, "True or False"),
        ({"story": [{"lasts": 0.3}]}, "two times"),
        (
            {"story": [{"split": True}, {"want": "die", "position": [1, 2, "x"]}]},
            r"story\[1\]: position of box 'die' must be 3",
        ),
        (
            {"story": [{"follow": "die", "places": [[0, 0, 0], [1, 2, "x"]]}]},
            r"story\[0\]: places\[1\]\[2\] must be a number",
        ),
        (
            {"story": [{"follow": "die", "places": [[0, 0, 0]], "times": ["x"]}]},
            r"story\[0\]: times\[0\] must be a number",
        ),
        (
            {"story": [{"bounce": "die", "at": [9, 9, 9]}]},
            r"story\[0\]: the contact of box 'die' lies .* m off",
        ),
        ({"story": [{"keep_apart": "die"}]}, "two bodies"),
        ({"story": [{"follow": "die", "gesture": 3}]}, "name of a file"),
        ({"bodies": [{**BODY, "is_fixed": True}]}, "is fixed"),
        ({"surfaces": [{"name": "t", "origin": 3}]}, r"surfaces\[0\].*sequence of numbers"),
        ({"name": 5}, "must be text"),
        ({"surfaces": [{"name": "s"}, {"name": "s"}]}, r"surfaces\[1\]: there is a surface 's' already"),
    ],
)
def test_malformed_sketches_are_refused_in_words(tmp_path, changes, says):
    with pytest.raises(SceneError, match=says):
        load_sketch(written(tmp_path / "bad.json", **changes))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"rows": [5, 600]}, "gesture's 20"),
        ({"rows": "all"}, "two numbers"),
        ({"smooth": -1}, "negative"),
        ({"smooth": "much"}, "must be a number"),
        ({"timed": "yes"}, "true or false"),
    ],
)
def test_a_gesture_beside_a_sketch_is_used_as_it_says(tmp_path, options, says):
    t = np.linspace(0, 1, 20)
    np.savez(
        tmp_path / "throw.npz", places=np.stack([t, 0 * t, 1 + t * (1 - t)], axis=1), times=1e5 + t**2 + t
    )
    told = {"follow": "die", "gesture": "throw.npz"}
    sketch = load_sketch(written(tmp_path / "good.json", story=[{**told, "rows": [0, 20], "smooth": 0}]))
    assert len(sketch.flights[0].tracks["die"].places) == 20 and sketch.flights[0].tracks["die"].times is None
    with pytest.raises(SceneError, match=says):
        load_sketch(written(tmp_path / "bad.json", story=[{**told, **options}]))


def test_broken_json_is_told_with_its_place(tmp_path):
    path = tmp_path / "bad.json"
    twice = '{"sketch": 1, "bodies": [{"type": "box", "name": "a", "name": "b"}]}'
    for text, says in (
        ('{"sketch": 1,', "line 1"),
        ("[]", "no sketch"),
        ("", "not JSON"),
        (twice, "'name' is given twice"),
        ('{"sketch": 1' + "0" * 5000 + "}", "bad.json: this is not JSON"),
    ):
        path.write_text(text)
        with pytest.raises(SceneError, match=says):
            load_sketch(path)


def command():
    import typer

    from tinkerdyne.cli.sketch import sketch

    app = typer.Typer()
    app.command()(sketch)
    return app


def test_the_command_writes_the_motion_and_says_what_was_met(tmp_path):
    path = written(tmp_path / "throw.json")
    run = CliRunner().invoke(
        command(), [str(path), "--out", str(tmp_path / "motion.json"), "--restarts", "1", "--json"]
    )
    report = json.loads(run.stdout)
    assert run.exit_code == 0 and report["met"] and (tmp_path / "motion.json").exists()
    drawn = CliRunner().invoke(
        command(), [str(path), "--plot", str(tmp_path / "motion.png"), "--restarts", "1"]
    )
    assert (
        drawn.exit_code == 0
        and "obeys physics" in drawn.stdout
        and (tmp_path / "motion.png").stat().st_size > 10_000
    )
    never = [
        {"want": "die", "when": "start", "position": [0, 0, 1]},
        {"lasts": [0.1, 0.1]},
        {"want": "die", "position": [0, 0, 1]},
        {"want": "die", "velocity": [0, 0, 9]},
    ]
    failed = CliRunner().invoke(
        command(), [str(written(tmp_path / "never.json", story=never)), "--restarts", "1"]
    )
    assert failed.exit_code == 1 and "could not be met" in failed.stdout
    wrong = CliRunner().invoke(command(), [str(tmp_path / "nowhere.json")])
    assert wrong.exit_code == 2
    assert drawn_sketch(str(path), tmp_path / "plot.png") and (tmp_path / "plot.png").stat().st_size > 10_000
    assert not drawn_sketch(str(tmp_path / "motion.json"), tmp_path / "plot.png")  # a scene, not a sketch
    late = tmp_path / "late.json"  # says that it is a sketch at its end
    late.write_text(json.dumps({"name": "x" * 300, "bodies": [BODY], "story": STORY, "sketch": 1}))
    assert drawn_sketch(str(late), tmp_path / "plot.png")


@pytest.mark.mission("M7")
def test_the_command_solves_sketches_of_trees(tmp_path):
    rods = [
        {"type": "rod", "name": f"rod {k}", "length": 0.4, "mass": 0.3, "position": [0.2 + 0.4 * k, 0, 1]}
        for k in range(2)
    ]
    joints = [{"type": "pin", "a": None, "b": "rod 0", "at": [0, 0, 1], "axis": [0, 1, 0]},
              {"type": "pin", "a": "rod 0", "b": "rod 1", "at": [0.4, 0, 1], "axis": [0, 1, 0]}]  # fmt: skip
    story = [{"want": "rod 1", "place": [0.35, 0, 0.45], "at": "end2"}, {"lasts": [0.2, 0.8]}]
    path = written(tmp_path / "swing.json", bodies=rods, joints=joints, story=story, steps=12)
    run = CliRunner().invoke(
        command(), [str(path), "--out", str(tmp_path / "motion.json"), "--restarts", "1", "--json"]
    )
    report = json.loads(run.stdout)
    assert (
        run.exit_code == 0 and report["met"] and report["gaps"] == [] and (tmp_path / "motion.json").exists()
    )
    drawn = CliRunner().invoke(
        command(), [str(path), "--plot", str(tmp_path / "motion.png"), "--restarts", "1"]
    )
    assert drawn.exit_code == 0 and (tmp_path / "motion.png").stat().st_size > 10_000
    refused = CliRunner().invoke(command(), [str(path), "--search", "beam"])
    assert refused.exit_code == 2
