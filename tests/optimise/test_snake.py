"""Snakes: boundaries beside the true ones, hands, frames, masks, saving, and what is refused (G4)."""

import numpy as np
import pytest

import tinkerdyne as td
from tinkerdyne.behaviors.images import photo
from tinkerdyne.optimise.settle import rate
from tinkerdyne.optimise.snake import Snake, circle, resampled

SIDE = 80


def disc(x, y, radius, side=SIDE):
    """A bright disc about a place of the plane, as an image."""
    up, across = np.mgrid[side - 0.5 : 0 : -1, 0.5:side]
    return np.round(40 + 180 / (1 + np.exp((np.hypot(across - x, up - y) - radius) / 0.7)))


def distances(polygon, x, y, radius):
    return np.abs(np.hypot(*(polygon - (x, y)).T) - radius)


def snake_on(image, places, **options):
    world = td.World(order=1, max_step=10.0)
    return Snake(world, photo(image, name="photo", scales=(1.5, 4.0)), places, **options)


@pytest.fixture
def settled():
    snake = snake_on(disc(42, 33, 17), circle((40, 35), 24, 60))
    assert snake.settle()
    return snake


def test_snake_locks_on_to_a_disc(settled):
    assert distances(settled.polygon, 42, 33, 17).max() < 0.2


def test_mask_is_the_disc(settled):
    up, across = np.mgrid[SIDE - 0.5 : 0 : -1, 0.5:SIDE]
    true = np.hypot(across - 42, up - 33) < 17
    mask = settled.mask()
    assert mask.shape == true.shape and (mask ^ true).sum() <= 0.02 * true.sum()


def test_pixels_are_rows_and_columns(settled):
    rows, columns = settled.pixels.T
    assert rows.mean() == pytest.approx(SIDE - 33 - 0.5, abs=0.5) and columns.mean() == pytest.approx(
        41.5, abs=0.5
    )


def test_snake_stops_where_the_forces_end():
    snake = snake_on(np.full((20, 20), 7.0), circle((10, 10), 5, 20), tension=1.0, bending=0.0)
    snake.world.step(1.0)
    assert rate(snake.world) > 0
    snake.change(tension=0.0)
    here = snake.polygon
    snake.world.step(10.0)
    assert np.array_equal(snake.polygon, here) and rate(snake.world) == 0


def test_hand_pulls_a_point_and_it_goes_back(settled):
    held = settled.nearest((42, 52))
    grip = settled.world.grab(held, limit=1e3)
    grip.move(42, 60)
    for _ in range(20):
        settled.world.step(0.5)
    assert held.position[1] > 58
    assert (
        distances(settled.polygon, 42, 33, 17)[:30].max() > 5
        or distances(settled.polygon, 42, 33, 17).max() > 5
    )
    grip.release()
    settled.settle()
    assert distances(settled.polygon, 42, 33, 17).max() < 0.2


def test_spring_and_nail_hold_a_point(settled):
    point = settled.nearest((25, 33))
    settled.world.add(td.spring(point, td.Nail(20, 33), stiffness=1e3))
    other = settled.nearest((59, 33))
    settled.world.add(td.nail(other, at=(64, 33)))
    settled.settle()
    assert point.position == pytest.approx((20, 33), abs=0.2) and other.position == pytest.approx(
        (64, 33), abs=1e-6
    )


def test_volcano_drives_points_off_and_can_be_taken_away(settled):
    hills = settled.volcano((42, 52), height=500.0, width=5.0)
    settled.settle()
    assert np.hypot(*(settled.polygon - (42, 52)).T).min() > 3
    settled.world.remove(*hills)
    settled.settle()
    assert distances(settled.polygon, 42, 33, 17).max() < 0.2


def test_snake_follows_a_disc_that_moves_and_swells(settled):
    frames = [disc(42 - 0.8 * k, 33 + 0.6 * k, 17 + 0.2 * k) for k in range(1, 11)]
    for k, polygon in enumerate(settled.track(frames, steps=15, seconds=2.0), 1):
        assert distances(polygon, 42 - 0.8 * k, 33 + 0.6 * k, 17 + 0.2 * k).mean() < 0.3


def test_open_snake_follows_a_line_between_its_nails():
    step = np.zeros((40, 60))
    step[:18] = 200.0  # an edge at y = 22
    places = np.stack([np.linspace(8, 52, 30), np.full(30, 18.0)], 1)
    snake = snake_on(step, places, closed=False)
    assert snake.settle()
    assert snake.polygon[:, 1] == pytest.approx(np.full(30, 22.0), abs=0.1)
    with pytest.raises(ValueError, match="open"):
        snake.mask()


def test_stiffer_wire_is_smoother(settled):
    rough = disc(42, 33, 17) + np.random.default_rng(0).normal(size=(SIDE, SIDE)) * 40
    bends = []
    for bending in (0.05, 5.0):
        snake = snake_on(rough, circle((42, 33), 20, 60), bending=bending)
        snake.settle(pixels=0.01)
        p = snake.polygon
        bends.append(np.abs(np.roll(p, 1, 0) - 2 * p + np.roll(p, -1, 0)).sum())
    assert bends[1] < 0.7 * bends[0]


def test_saved_snake_comes_back(settled):
    again = Snake.of(td.World.from_json(settled.world.to_json()))
    assert np.array_equal(again.polygon, settled.polygon) and again.closed and len(again.points) == 60
    again.change(tension=2.0)
    assert again.world["snake 3 link"].tension == 2.0 and settled.world["snake 3 link"].tension != 2.0
    again.world.undo()
    assert again.world["snake 3 link"].tension == settled.world["snake 3 link"].tension


def test_change_of_the_wire_is_one_edit(settled):
    before = settled.world.to_json()
    settled.change(tension=1.0, strength=50.0)
    settled.world.undo()
    assert settled.world.to_json() == before


def test_drawn_line_is_spread_evenly():
    square = resampled([(0, 0), (4, 0), (4, 4), (0, 4)], 16)
    assert np.hypot(*np.diff(square, axis=0).T) == pytest.approx(np.ones(15))
    line = resampled([(0, 0), (1, 0), (3, 0)], 4, closed=False)
    assert line[:, 0].tolist() == [0, 1, 2, 3]


def test_bad_snakes_are_refused_in_words():
    image = disc(42, 33, 17)
    for places, said in [
        (np.zeros((3, 2)), "4 to 10000 places"),
        (np.zeros((9, 3)), "4 to 10000 places"),
        (np.full((9, 2), np.nan), "not finite, number 0"),
    ]:
        with pytest.raises(ValueError, match=said):
            snake_on(image, places)
    world = td.World(order=1)
    with pytest.raises(TypeError, match="picture"):
        Snake(world, td.Particle(position=(0, 0)), circle((0, 0), 1))
    with pytest.raises(ValueError, match="order=1"):
        Snake(td.World(), photo(image), circle((0, 0), 1))
    with pytest.raises(KeyError, match="no snake 'snake'"):
        Snake.of(world)
    with pytest.raises(ValueError, match="length"):
        resampled([(1, 1), (1, 1)], 5)
    snake = snake_on(image, circle((40, 35), 24, 60))
    with pytest.raises(TypeError, match="no colour"):
        snake.change(colour=1.0)
    with pytest.raises(ValueError, match="rows × columns"):
        snake.show(np.zeros(4))


def test_negative_stiffness_is_refused_before_anything_changes(settled):
    before = len(settled.world.items)
    for key in ("bending", "tension"):
        with pytest.raises(ValueError, match=f"{key} of snake 'snake' must not be negative.*not -1"):
            settled.change(**{key: -1})
        with pytest.raises(ValueError, match=f"{key} of snake 'other' must not be negative"):
            Snake(settled.world, settled.shown, circle((40, 35), 24, 60), name="other", **{key: -1.0})
    assert len(settled.world.items) == before and settled.world["snake 3 link"].bending == 0.1


def test_snake_goes_on_without_a_point_that_was_deleted(settled):
    whole = settled.polygon
    settled.world.remove(settled.points[2])
    again = Snake.of(settled.world)
    for snake in (settled, again):
        assert snake.closed and np.array_equal(snake.polygon, np.delete(whole, 2, axis=0))
        assert snake.mask().any() and snake.nearest(whole[2]) in snake.points
        snake.change(tension=0.3)
    settled.world.remove(*again.points[:1])
    assert len(Snake.of(settled.world).points) == 58
    settled.world.undo(), settled.world.undo(), settled.world.undo(), settled.world.undo()
    assert np.array_equal(settled.polygon, whole)
    settled.world.remove(*settled.points)
    with pytest.raises(KeyError, match="no points left"):
        settled.polygon  # noqa: B018


def test_open_snake_without_its_first_point_is_still_open():
    snake = snake_on(np.full((20, 20), 7.0), [(2, 2), (6, 3), (10, 4), (14, 3), (18, 2)], closed=False)
    snake.world.remove(snake.points[0])
    assert not Snake.of(snake.world).closed and len(Snake.of(snake.world).polygon) == 4
    snake.change(tension=0.5, strength=3.0)
