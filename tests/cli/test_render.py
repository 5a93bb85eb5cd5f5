"""`tinkerdyne render`: pictures, films and replays, drawn by the studio's own page."""

import pytest
from typer.testing import CliRunner

from tests.studio.unpacked import parts
from tinkerdyne.cli import app


def render(*arguments):
    return CliRunner().invoke(app, ["render", *map(str, arguments)])


def test_a_replay_is_one_file_that_needs_nothing_else(page, tmp_path):
    out = tmp_path / "four_bar.html"
    found = render("four_bar", "--out", out, "--seconds", 0.5)
    assert found.exit_code == 0, found.output
    text = out.read_text()
    assert (
        "recording" in parts(text)
        and "http://" not in text.split("<script", 1)[0]
        and 'src="' not in text.split("</head>")[0]
    )


def test_pictures_and_films_have_the_size_that_was_asked_for(drawn_page, tmp_path):
    from PIL import Image

    still, film = tmp_path / "still.png", tmp_path / "film.gif"
    found = render("compound_pendulum", "--out", still, "--seconds", 0.2, "--size", "320x200")
    assert found.exit_code == 0, found.output
    image = Image.open(still)
    # something is drawn
    assert image.size == (320, 200) and len(image.convert("RGB").getcolors(1 << 20)) > 20
    found = render("compound_pendulum", "--out", film, "--seconds", 0.2, "--size", "160x100", "--rate", 10)
    assert found.exit_code == 0, found.output
    moving = Image.open(film)
    assert moving.size == (160, 100) and moving.n_frames == 3


@pytest.mark.parametrize("at", [0.0, 1.0])
def test_what_falls_out_of_the_first_picture_is_framed_as_a_whole(at, drawn_page, tmp_path):
    import numpy as np
    from PIL import Image

    still = tmp_path / "still.png"
    found = render("falling_ball", "--out", still, "--seconds", 1.0, "--at", at, "--size", "320x200")
    assert found.exit_code == 0, found.output
    pixels = np.asarray(Image.open(still).convert("RGB"), dtype=int)
    coloured = np.ptp(pixels, axis=2) > 60  # the two balls; ground and sky are grey
    assert np.count_nonzero(coloured) > 20


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("nothing_like_it", "--out", "x.png"), "there is no scene 'nothing_like_it'"),
        (("four_bar", "--out", "x.avi"), "must end in"),
        (("four_bar", "--out", "x.png", "--size", "big"), "--size must be such as 960x540"),
        (("four_bar", "--out", "x.png", "--seconds", "-1"), "--seconds must be a positive number"),
        (("four_bar", "--out", "no/such/folder/x.png"), "folder"),
    ],
)
def test_wrong_usage_is_said_in_a_line(arguments, says, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = render(*arguments)
    assert found.exit_code in (1, 2) and says in found.output and "Traceback" not in found.output
