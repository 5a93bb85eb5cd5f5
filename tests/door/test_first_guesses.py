"""What a newcomer writes first works where its meaning is plain, or is refused with the line to write."""

import inspect

import numpy as np
import pytest

import tinkerdyne as td
from tinkerdyne.language.registry import REGISTRY
from tinkerdyne.language.synonyms import DONE_ELSEWHERE, NOT_OF_BODIES, OURS


# --- numbers as operands ------------------------------------------------------------------------------
@pytest.mark.parametrize("place", [(1, 1), [1, 1], np.array([1.0, 1.0]), (np.float64(1), 1)])
def test_plain_numbers_are_a_place_of_the_world(place):
    world = td.World()
    p = world.add(td.Particle("p", position=(1.2, 1.0)))
    held = world.add(td.connect(p, place))
    assert held.inputs[1].value == pytest.approx([1, 1])
    assert world.assemble().is_met and p.position == pytest.approx((1, 1), abs=1e-6)


def test_plain_numbers_are_a_direction_where_one_is_wanted():
    p = td.Particle("p", position=(0.5, 0.3))
    line = td.on_line(p, (0, 0), (2, 0))
    assert [i.type.name for i in line.inputs] == ["particle", "place", "world_direction"]
    assert line.inputs[2].along == (1.0, 0.0)


def test_plain_numbers_are_a_frame_of_the_world_at_their_place():
    world = td.World()
    wheel = world.add(td.PlanarBody("wheel", position=(2.0, 1.0)))
    hinge = world.add(td.pin((2, 1), wheel))
    assert hinge.inputs[0].type.name == "world_frame" and hinge.gap == pytest.approx(0)


def test_a_nail_takes_its_place_as_numbers_or_as_one_tuple():
    assert td.Nail(0, 1).at == td.Nail((0, 1)).at == td.Nail(np.array([0, 1])).at == (0.0, 1.0)


def test_operands_may_be_given_by_name():
    p = td.Particle("p")
    assert td.spring(a=p, b=(0, 0, 1)).inputs[0] is p
    assert td.spring(p, b=(0, 0, 1), stiffness=3).inputs[0] is p


def test_a_typed_formula_takes_places_by_name():
    world = td.World()
    p = world.add(td.Particle("p", position=(3.0, 4.0)))
    apart = world.add(td.formula("norm(p - c)", p=p, c=(0, 0)))
    assert apart.value == pytest.approx([5.0])


def test_a_world_with_plain_numbers_is_saved_and_loaded(tmp_path):
    world = td.World()
    p = world.add(td.Particle("p", position=(1.0, 0.0)))
    world.add(td.gravity(9.81), td.distance(p, (0, 0), length=1.0))
    world.save(tmp_path / "scene.json")
    again = td.World.load(tmp_path / "scene.json")
    for w in (world, again):
        w.run(0.5)
    assert again["p"].position == world["p"].position


# --- gravity ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("given", [9.81, (0, 0, -9.81), np.array([0, 0, -9.81])])
def test_gravity_takes_its_strength_or_its_vector(given):
    world = td.World()
    bead = world.add(td.Particle("bead"))
    world.add(td.gravity(given))
    world.step(0.1)
    assert bead.velocity == pytest.approx((0, 0, -0.981))


def test_a_part_of_the_display_that_is_not_there_is_refused_with_the_nearest():
    with pytest.raises(ValueError, match=r"a display has no 'plot'; .*; did you mean 'plots'\?"):
        td.World().show(plot=["energy"])


def test_gravity_by_its_strength_pulls_down_in_the_plane_too():
    world = td.World()
    bead = world.add(td.Particle("bead", position=(0.0, 0.0)))
    pull = world.add(td.gravity(1.6))
    world.step(0.1)
    assert bead.velocity == pytest.approx((0, -0.16)) and pull.g == (0.0, 0.0, -1.6)
    pull.g = 3.2
    assert pull.g == (0.0, 0.0, -3.2)


def test_gravity_upwards_must_be_said():
    with pytest.raises(ValueError, match=r"g of a new gravity is a strength downwards .* \(0, 0, 9.81\)"):
        td.gravity(-9.81)


def test_a_field_takes_no_inputs():
    with pytest.raises(
        TypeError, match=r"acts on every object .* world.add\(gravity\(g=\(0.0, 0.0, -9.81\)\)\)"
    ):
        td.gravity(td.Rod("rod"))


# --- refusals that name the line ----------------------------------------------------------------------
@pytest.mark.parametrize(
    ("line", "says"),
    [
        (lambda p: td.spring(p, p, 100), r"takes 2 inputs \(a, b\), not 3; .* spring\(a, b, stiffness=100\)"),
        (lambda p: td.point(td.Rod("r"), (1, 0, 0)), r"parameters go by name: point\(body, at=\(1, 0, 0\)\)"),
        (lambda p: td.Rod(2.0), r"the name of a rod must be text, not 2.0; .* Rod\(length=2.0\)"),
        (lambda p: td.Particle((0, 0, 1)), r"parameters go by name: Particle\(position=\(0, 0, 1\)\)"),
        (
            lambda p: td.servo(td.Variable("x"), 0.5),
            r'formula\("0.5"\), for an unknown Variable\(value=0.5\)',
        ),
        (lambda p: td.equal(p, (1, 1, 1)), r"write held\(x, at=\(1, 1, 1\)\)"),
        (lambda p: td.connect(p, "hook"), r"to take an item by its name write world\['hook'\]"),
        (
            lambda p: td.connect(p, td.Rod("r")),
            "rod 'r' supplies a frame; it has the points end1, end2, centre",
        ),
        (lambda p: td.gravity(0, 0, -9.81), r"g of a new gravity is one tuple: gravity\(\(0, 0, -9.81\)\)"),
        (lambda p: td.Rod("r", 2, 0.1), r"by name: Rod\('r', length=2, radius=0.1\)"),
        (lambda p: td.Box(1, 2, 3), r"by name: Box\(size=\(1, 2, 3\)\)"),
        (lambda p: td.Box((1, 2, 3)), r"by name: Box\(size=\(1, 2, 3\)\)"),
        (lambda p: td.Polygon([(0, 0), (1, 0), (0, 1)]), r"by name: Polygon\(vertices=\[\(0, 0\)"),
        (lambda p: td.point(td.Rod("r"), 0, 0, 1), r"takes 1 input .* point\(body, at=\(0, 0, 1\)\)"),
        (lambda p: td.spring(p, p, 100, 1), r"spring\(a, b, stiffness=100, length=1\)"),
        (lambda p: td.Nail(p, (0, 0, 0)), r"a Nail is a place alone; .* nail\(p, at=…\)"),
        (lambda p: td.pin(p, p), r"a new pin must be a frame, .* write join\(pin, a, b, at=…\)"),
        (
            lambda p: td.pin(td.Box(), td.Box(), at=(0, 0, 0)),
            r"no parameter at; .* write join\(pin, a, b, at=…\)",
        ),
        (lambda p: td.join(p, p, td.pin, at=(0, 0, 0)), r"first of join is the type of the joint, not <part"),
        (lambda p: td.join("pin", p, p, at=(0, 0, 0)), r"first of join is the type of the joint, not 'pin'"),
        (
            lambda p: td.join(td.pin, p, "box", at=(0, 0, 0)),
            "a joint takes two bodies, not 'box'|rigid bodies",
        ),
        (lambda p: td.Rod(lenght=2), "a new rod has no lenght; .* did you mean 'length'"),
        (lambda p: td.path([(0, 0, 0, 1)]), r"by name: path\(keys=\[\(0, 0, 0, 1\)\]\)"),
        (
            lambda p: td.drive(td.join(td.pin, None, td.Box(), at=(0, 0, 0), name="hinge")),
            "its coordinates are hinge.turn$",
        ),
        (lambda p: td.spring(p, p, stifness=2), "no parameter stifness; .* did you mean 'stiffness'"),
    ],
)
def test_what_is_not_plain_is_refused_with_the_right_line(line, says):
    with pytest.raises(TypeError, match=says):
        line(td.Particle("p"))


@pytest.mark.parametrize(
    ("name", "meant"), [("center", "centre"), ("end", "end2"), ("pos", "position"), ("inertai", "inertia")]
)
def test_a_name_that_an_item_has_not_is_refused_with_its_places_and_the_nearest(name, meant):
    with pytest.raises(AttributeError, match=rf"it has mass, .* end1, end2, centre; did you mean '{meant}'"):
        getattr(td.Rod("r"), name)


# --- words of other programs ---------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("line", "says"),
    [
        (lambda p: td.spring(p, (0, 0, 0), k=3), "'stiffness'"),
        (lambda p: td.spring(p, (0, 0, 0), rest_length=3), "'length'"),
        (lambda p: td.contact(mu=0.3), "'friction'"),
        (lambda p: td.Sphere(r=0.3), "'radius'"),
        (lambda p: td.Box(width=1, height=2), "'size'"),
        (lambda p: td.Box(static=True), "'is_fixed'"),
        (lambda p: td.Polygon(corners=[(0, 0), (1, 0), (0, 1)]), "'vertices'"),
        (lambda p: td.Box().omega, "'spin'"),
        (lambda p: td.Box().rotation, "'orientation'"),
        (lambda p: td.PlanarBody().rotation, "'angle'"),
        (lambda p: p.z, "'position'"),
        (lambda p: td.Ground(), "'Floor'"),
        (lambda p: td.Ball(), "'Sphere'"),
        (lambda p: td.RevoluteJoint(), "'pin'"),
        (lambda p: td.World().now, "'time'"),
    ],
)
def test_a_word_of_other_programs_is_refused_with_ours(line, says):
    with pytest.raises((TypeError, AttributeError), match=f"did you mean {says}"):
        line(td.Particle("p"))


def test_words_of_others_stand_for_words_that_there_are():
    words = {*td.__all__, *dir(td.World()), *dir(td.Recording), *dir(td.World().diagnose())}
    for kind in REGISTRY.values():
        words |= {*kind.parameter_names(), *kind.state_names(), *kind.readings, *kind.own_names()}
    assert set(OURS) <= words
    assert not set(OURS) & set(DONE_ELSEWHERE) and not set(DONE_ELSEWHERE) & set(NOT_OF_BODIES)


def test_what_is_done_elsewhere_is_refused_with_its_line():
    world = td.World()
    box = world.add(td.Box("box"))
    for line, says in [
        (lambda: box.remove(), r"to take it out write world.remove\(box\)"),
        (lambda: box.apply_impulse((1, 0, 0)), r"write world.impulse\(box.centre, \(1, 0, 0\)\)"),
        (lambda: world.add_body(box), r"write world.add\(item\)"),
        (lambda: world.copy(), r"write copy.deepcopy\(world\)"),
        (lambda: td.Sketch(box), "write from tinkerdyne.sketch import Sketch"),
        (lambda: td.Mesh("part.stl"), r"write Mesh.load\('part.stl'\)"),
        (lambda: world.at(1.0, td.Change(box, "mass", 3.0)), "write 'box', not <box 'box'>"),
        (lambda: world.record(0.1).box, r"such as run\['box.position'\]"),
        (lambda: world.contacts(box.top), "contacts takes a body, not point 'box.top'"),
        (
            lambda: world.settings.update(method="rattle") or world.settings.__setitem__("max_step", 1.0),
            r"settings are changed by world.configure\(max_step=1.0\)",
        ),
        (lambda: world.find("box"), r"write world\['name'\]"),
        (lambda: td.formula(3), "takes 1 text, such as .*, not 3"),
        (lambda: td.HeightField(heights=[[0, 1], [1]]), "rows of finite heights, all as long"),
        (lambda: world["bx"], "did you mean 'box'"),
        (lambda: world["box.top"], r"write world\['box'\].top"),
        (lambda: world[0], "there is no 0"),
    ]:
        with pytest.raises((TypeError, AttributeError, KeyError, ValueError), match=says):
            line()


def refusal(line):
    """What is said when a line is refused."""
    with pytest.raises((AttributeError, TypeError, KeyError, ValueError)) as refused:
        line()
    return str(refused.value)


def test_a_wrong_call_is_refused_with_the_way_to_call():
    world = td.World()
    rod, box = world.add(td.Rod("rod"), td.Box("box"))
    for line, says in [
        (lambda: world.step(), "'dt'; write world.step(dt)"),
        (
            lambda: world.run(1, fps=60),
            "'fps'; write world.run(seconds, *, dt=None, each=None)",
        ),
        (lambda: world.ramp(rod, "mass", 2.0), "write world.ramp(item, parameter, *, to, start, end"),
        (lambda: world.record(1, evry=2), "; did you mean 'every'?"),
        (lambda: td.World("scene.json"), "a file is read by World.load('scene.json')"),
        (lambda: td.Model().variable(), "write model.variable(name, value=1.0"),
        (lambda: td.join(td.pin, rod, box), "'at'; write join(kind, a, b, *, at, axis"),
        (lambda: td.Model("x"), "a model takes a first-order world, or nothing, not 'x'"),
        (
            lambda: world.run(1, each=lambda: None),
            "write each=lambda world: …",
        ),
        (lambda: world.record(0.1, of="box"), "of takes a list of items: of=[world['box']]"),
    ]:
        assert says in refusal(line)
    with pytest.raises(TypeError) as deeper:  # what goes wrong within a right call is told as it is
        world.step("a")
    assert str(deeper.value) == "dt must be a number, not 'a'"
    assert inspect.signature(td.World.step) == inspect.Signature.from_callable(td.World.step.__wrapped__)


def test_inputs_and_parameters_that_are_mixed_up_are_told_apart():
    rod, p = td.Rod("rod"), td.Particle("p")
    for line, says in [
        (lambda: td.motor(rod, 10), "parameters go by name: motor(a, b, speed=10)"),
        (lambda: td.servo(td.Variable(), goal=1), "and is plugged into x, to"),
        (
            lambda: td.drive(rod, speed=2),
            "write a coordinate of a joint, such as hinge.turn",
        ),
        (lambda: td.align(rod, rod), "supplies a frame; write direction(rod, along=(0, 0, 1))"),
        (lambda: td.on_curve(p, td.Circle()), "input 'u' is a scalar: a coordinate of a joint"),
        (lambda: td.group("a"), "input 1 of a new group must be"),
        (lambda: td.Line((0, 0), (1, 1)), "parameters go by name: Line(points=((0, 0), (1, 1)))"),
        (lambda: td.Circle((0, 0), 2), "parameters go by name: Circle(position=(0, 0), radius=2)"),
        (lambda: td.Bezier([(0, 0), (1, 1)]), "parameters go by name: Bezier(points=[(0, 0), (1, 1)])"),
        (lambda: td.Sphere(None), "parameters go by name: Sphere(radius=…)"),
        (lambda: td.coordinate(p, "z"), "must be an object or a connector, not 'z'; write (0, 0, 1)"),
        (lambda: td.join(td.pin, rod, td.Box(), at=(0, 0, 0), axis="y"), "not 'y'; write (0, 1, 0)"),
        (lambda: td.component(p, 2), "parameters go by name: component(x, of=2)"),
        (lambda: td.nail(p, at=rod.end2), "is plain numbers, not <point 'rod.end2'"),
        (lambda: td.Nail(x=0, y=1), "write Nail(0, 0, 1)"),
        (lambda: td.Box("box", friction=0.5), "write world.add(material(box, friction=0.5))"),
        (lambda: td.Box(colour="red"), "colours are chosen by the studio"),
        (lambda: td.constraint("c"), "@constraint stands above the function that is its formula"),
        (lambda: td.formula("a", 3), "write formula(text, *, name='', **names)"),
        (lambda: td.settle(rod), "settle takes a world, not <rod 'rod'>"),
        (lambda: td.save_svg("a.svg", td.World()), "write save_svg(world, 'drawing.svg')"),
        (lambda: td.World(method="RATTLE"), "did you mean 'rattle'?"),
        (lambda: td.Model().variable("x", low=1, high=0), "the bounds of x must be in order"),
        (lambda: td.Model().minimize("x"), "did you mean 'minimise'?"),
        (lambda: td.force(rod, (0, 0, 1)), "write world.add(pull(rod.end2, by=(0, 0, 1)))"),
        (lambda: td.torque(rod, (0, 0, 1)), "write world.add(twist(rod, by=(0, 0, 1)))"),
        (lambda: td.velocity(rod), "of an item read rod.velocity"),
    ]:
        assert says in refusal(line)


def test_what_is_read_but_not_set_is_told_with_what_can_be():
    world = td.World()
    rod = world.add(td.Rod("rod"))
    for line, says in [
        (lambda: setattr(rod, "end2", (0, 0, 1)), "write world.add(nail(rod.end2, at=(0, 0, 1)))"),
        (
            lambda: setattr(rod, "inertia", (1, 1, 1)),
            "'inertia' of rod 'rod' is read, not set",
        ),
        (lambda: setattr(rod, "name", "bar"), "write world.apply(Rename('rod', 'new'))"),
        (lambda: setattr(rod.end2, "value", (0, 0, 1)), "'value' of point 'rod.end2' is read, not set"),
        (
            lambda: setattr(world, "time", 3.0),
            "World(time=2.0) begins there",
        ),
        (lambda: setattr(world, "energy", 3.0), "the energy of a world is read, not set"),
        (lambda: world.__setitem__("rod", td.Rod()), "items come by world.add(item)"),
        (lambda: world.__delitem__("rod"), "items go by world.remove('rod')"),
        (
            lambda: world.load("scene.json"),
            "world = World.load('scene.json')",
        ),
        (lambda: world.settings.max_step, "read world.settings['max_step']"),
        (lambda: world.reactions(rod), "reactions are those of a constraint, not of rod 'rod'"),
        (lambda: world.grab(rod.end2).releas(), "a grip has no 'releas'; did you mean 'release'?"),
        (lambda: world.settle(), "write settle(world)"),
        (lambda: world.diagnose().freedom, "a diagnosis has no 'freedom'; did you mean 'freedoms'?"),
        (lambda: world.step(0.1).stauts, "a result has no 'stauts'; did you mean 'status'?"),
        (lambda: world.record(0.1)["rod.position.z"], "write run['rod.position'][:, 2]"),
        (lambda: world.record(0.1)["rod.postion"], "did you mean 'rod.position'?"),
        (lambda: world.record(0.1).to_csv, "write run.save('run.csv')"),
        (lambda: rod.momentum, "write rod.mass * np.array(rod.velocity)"),
        (lambda: rod.rotate(1), "write rod.orientation = (0.7071, 0, 0, 0.7071)"),
    ]:
        assert says in refusal(line)
    assert rod.name == "rod" and world.time == pytest.approx(0.4) and not hasattr(world, "load")


def test_several_items_may_be_given_in_a_list():
    corners = [td.Particle(position=at) for at in ((0, 0), (1, 0), (0, 1))]
    area = td.area_of(corners)
    assert list(area.inputs) == corners == list(td.area_of(*corners).inputs)


def test_the_lines_that_refusals_name_run():
    world = td.World()
    rod, box = world.add(td.Rod("rod"), td.Box("box", position=(2, 0, 0)))
    world.add(td.twist(rod, by=(0, 0, 1)), td.pull(rod.centre, by=(1, 0, 0)))
    held = world.add(td.nail(rod.end2, at=(0, 0, 1)))
    assert list(world.reactions(held)) == ["rod"]
    run = world.record(0.1)
    assert np.gradient(run["rod.velocity"], run.time, axis=0).shape == run["rod.position"].shape
    world.apply(td.Rename("rod", "bar"))
    with world.history.one_step():
        rod.mass, box.mass = 2.0, 3.0
    world.undo()
    assert rod.name == "bar" and rod.mass == box.mass == 1.0
    world.remove(*world)
    assert not world.items


@pytest.mark.parametrize("orientation", [(1, 0, 0, 0), (0.6, 0.8, 0, 0), (0.5, 0.5, -0.5, 0.5)])
def test_a_joint_may_be_made_at_a_named_place(orientation):
    world = td.World()
    a, b = world.add(
        td.Box("a", position=(0, 1, 2), orientation=orientation), td.Box("b", position=(1, 1, 2))
    )
    hinge = world.add(td.join(td.pin, a, b, at=a.right))
    assert hinge.inputs[0].value[:3] == pytest.approx(a.right.value, abs=1e-12) and hinge.gap < 1e-12
    disc = world.add(td.Disc("disc", position=(3, 1), angle=0.7))
    axle = world.add(td.join(td.pin, None, disc, at=disc.top))
    assert axle.inputs[0].value[:2] == pytest.approx(disc.top.value, abs=1e-12)
    with pytest.raises(TypeError, match="at a named place of a body, not at box 'b'"):
        td.join(td.pin, a, b, at=b)


def test_what_is_read_of_the_settings_changes_none():
    world = td.World()
    read = world.settings
    read.update(method="dop853")
    assert world.settings["method"] == "rattle" and world.settings == td.World().settings


def test_a_formula_that_gives_nothing_or_no_force_is_told():
    @td.constraint
    def forgets(a: td.Point):
        a - a

    @td.behavior
    def plain(a: td.Point):
        return -a

    for kind, says in [
        (forgets, "its formula returns nothing; end it with return"),
        (plain, r"behavior plain returned a plain value; return energy\(…\)"),
    ]:
        with pytest.raises(ValueError, match=says):
            kind(td.Particle("p"))


def test_the_package_says_its_version():
    assert td.__version__[0].isdigit()


def test_who_is_to_be_called_must_be_a_function():
    world = td.World()
    for line in (
        lambda: world.on_contact(3),
        lambda: world.run(0.1, each=3),
        lambda: world.live(0.1, each=world),
    ):
        with pytest.raises(TypeError, match=r"must be a function that is called, such as print"):
            line()
    assert world.time == 0.0


# --- inertia, widths, places of polygons --------------------------------------------------------------
def test_inertia_is_read_in_one_form_that_can_be_written():
    box = td.Box("box", size=(1.0, 2.0, 3.0), mass=12.0)
    assert box.inertia == ((13.0, 0.0, 0.0), (0.0, 10.0, 0.0), (0.0, 0.0, 5.0))
    assert td.RigidBody(inertia=(13, 10, 5)).inertia == box.inertia
    assert td.RigidBody(inertia=(13, 10, 5, 0, 0, 0)).inertia == box.inertia
    assert td.RigidBody(inertia=box.inertia).inertia == box.inertia
    assert td.RigidBody(inertia=np.array(box.inertia)).inertia == box.inertia
    body = td.RigidBody()
    body.inertia = (13, 10, 5)
    assert body.inertia == box.inertia


def test_a_planar_rod_says_that_its_width_counts():
    assert "width" in td.PlanarRod.__doc__ and "0.1 m when nothing is said" in " ".join(
        td.PlanarRod.__doc__.split()
    )
    rod = td.PlanarRod("rod", length=2.0, mass=3.0)
    assert rod.inertia == pytest.approx(3.0 * (2.0**2 + rod.width**2) / 12)


def test_a_polygon_can_lie_where_it_was_drawn():
    body = td.Polygon("p", vertices=[(1, 1), (3, 1), (3, 2), (1, 2)])
    assert body.position == (0.0, 0.0) and "body.position = body.offset" in " ".join(
        td.Polygon.__doc__.split()
    )
    body.position = body.offset
    world = td.World()
    world.add(body)
    assert body.corner1.value == pytest.approx((1, 1)) and body.corner3.value == pytest.approx((3, 2))


# --- fits and conditions ------------------------------------------------------------------------------
def test_a_fit_takes_model_and_data_in_either_order():
    rows = [(0.0, 1.0), (1.0, 3.0), (2.0, 5.0)]
    for given in (("y = a + b*x", rows), (rows, "y = a + b*x"), (np.array(rows), "line")):
        fit = td.Fit(*given, a=0.0, b=1.0)
        fit.settle()
        assert fit.values == pytest.approx({"a": 1.0, "b": 2.0}, abs=1e-6)


def test_a_fit_may_have_a_kink():
    x = np.linspace(0, 4, 21)
    rows = np.column_stack([x, np.where(x < 2, 1.0, 1.0 + 3 * (x - 2))])
    fit = td.Fit("y = a if x < 2 else a + b*(x - 2)", rows, a=0.0, b=1.0)
    fit.settle()
    assert fit.values == pytest.approx({"a": 1.0, "b": 3.0}, abs=1e-6)


def test_a_force_may_act_on_one_side_only():
    """A wall at x = 0 by a typed energy: a bead bounces off it with its speed."""
    world = td.World(max_step=1e-4)
    bead = world.add(td.Particle("bead", position=(0.1, 0.0), velocity=(-1.0, 0.0)))
    world.add(td.formula_energy("k*p.x^2/2 if p.x < 0 else 0", p=bead, k=1e4))
    world.run(0.3)
    assert bead.velocity == pytest.approx((1.0, 0.0), rel=1e-4)


# --- the world ----------------------------------------------------------------------------------------
@pytest.fixture
def world():
    world = td.World()
    world.add(td.Particle("ball"), td.gravity(name="pull"))
    return world


def test_a_world_goes_through_its_items(world):
    assert list(world) == [*world] == list(world.items) and [item.name for item in world] == ["ball", "pull"]


@pytest.mark.parametrize(
    ("who", "ask"),
    [
        ("ramp", lambda world, name: world.ramp(name, "mass", to=2.0, start=0.0, end=1.0)),
        ("grab", lambda world, name: world.grab(name)),
        ("impulse", lambda world, name: world.impulse(name, (0, 0, 1))),
        ("reactions", lambda world, name: world.reactions(name)),
        ("record", lambda world, name: world.record(0.1, of=[name])),
        ("contacts", lambda world, name: world.contacts(name)),
        ("on_contact", lambda world, name: world.on_contact(print, of=name)),
    ],
)
def test_a_name_where_an_item_is_wanted_is_refused_with_the_line_to_write(world, who, ask):
    with pytest.raises(TypeError, match=rf"^{who} takes an item, not 'ball'; .* write world\['ball'\]$"):
        ask(world, "ball")
    assert world.time == 0.0 and not world.timeline


@pytest.mark.parametrize(
    ("ask", "line"),
    [
        (lambda world: world.simulate(2), "world.run(2.0)"),
        (lambda world: setattr(world, "dt", 0.01), "world.step(1/60)"),
        (lambda world: td.World(dt=0.01), "world.configure(max_step=1e-3)"),
        (lambda world: td.hinge, "world.add(pin(a, b))"),
        (lambda world: td.load, "World.load("),
        (lambda world: world.add(td.nail("ball.centre")), "world['ball'].centre"),
        (lambda world: world.grab("ball.centre"), "world['ball'].centre"),
    ],
)
def test_words_of_other_programs_are_refused_with_the_line_to_write(world, ask, line):
    with pytest.raises((AttributeError, TypeError, ValueError)) as refused:
        ask(world)
    assert line in str(refused.value)


@pytest.mark.parametrize("gather", [list, tuple, iter])
def test_several_items_may_be_added_in_a_list(world, gather):
    a, b = td.Particle("a"), td.Particle("b")
    assert world.add(gather([a, b])) == (a, b) and a in world and b in world
    assert world.add([td.Particle("c")]) == (world["c"],) and world.add([]) == ()
    assert world.add(td.Particle("d")) is world["d"]


@pytest.mark.parametrize(
    ("kind", "line"),
    [(td.gravity, "gravity()"), (td.spring, "spring(a, b)"), (td.Rod, "Rod()"), (td.pin, "pin(a, b)")],
)
def test_a_type_that_is_added_is_refused_with_the_line_to_write(world, kind, line):
    with pytest.raises(TypeError) as refused:
        world.add(kind)
    assert f"world.add({line})" in str(refused.value)
    with pytest.raises(TypeError, match="can be added, not 'rod'"):
        world.add("rod")


def test_gravity_is_no_setting_and_no_attribute(world):
    with pytest.raises(ValueError, match=r"world\.add\(gravity\(9\.81\)\)$"):
        td.World(gravity=9.81)
    with pytest.raises(AttributeError, match=r"write world\['pull'\]$"):
        _ = world.gravity
    world.remove("pull")
    with pytest.raises(AttributeError, match=r"write world\.add\(gravity\(\)\)$"):
        _ = world.gravity
    with pytest.raises(AttributeError, match=r"no 'gravity' to set; .*world\.add\(gravity\(\)\)$"):
        world.gravity = 9.81


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("bodies", "[item for item in world if item.type.family == 'object']"),
        ("constraints", "[item for item in world if item.type.family == 'constraint']"),
        ("ball", "world['ball']"),
        ("max_step", "world.configure(max_step=…)"),
        ("energi", "did you mean 'energy'?"),
    ],
)
def test_what_a_world_has_elsewhere_is_named(world, name, line):
    with pytest.raises(AttributeError) as refused:
        getattr(world, name)
    assert str(refused.value).endswith(line)
    assert not hasattr(world, name) and not hasattr(world, "_nothing")
    if line.startswith("["):
        assert eval(line, {"world": world}) in ([world["ball"]], [])


def test_a_setting_is_not_set_as_an_attribute(world):
    with pytest.raises(AttributeError, match=r"world\.configure\(method=…\)"):
        world.method = "dense"
    with pytest.raises(ValueError, match="did you mean 'method'"):
        td.World(metod="dense")


def test_a_fit_to_two_arrays_is_refused_with_the_line_to_write():
    x = np.arange(3.0)
    with pytest.raises(TypeError, match=r"np\.column_stack\(\[x, y\]\), a=0\.0, b=1\.0\)$"):
        td.Fit(x, 2 * x, "y = a + b*x", a=0.0, b=1.0)
    assert td.Fit("y = a + b*x", np.column_stack([x, 2 * x]), a=0.0, b=1.0).parameters
