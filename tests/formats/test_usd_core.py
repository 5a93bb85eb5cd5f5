"""USD as its own library reads it (usd-core, which has wheels up to Python 3.13)."""

import warnings

import numpy as np
import pytest

import tinkerdyne as td
from tinkerdyne import gallery
from tinkerdyne.formats import write_model

pytestmark = [pytest.mark.mission("S3"), pytest.mark.long]
SCENES = ("stewart", "bowling", "trebuchet", "differential")  # joints of several kinds, contact, ropes


def written(folder, name, ending):
    world = gallery.load(name).build()
    run = world.record(0.1, every=0.02)
    path = folder / f"{name}{ending}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what is left out is another test's affair
        write_model(path, world, recording=run)
    return path, world, run


@pytest.mark.parametrize("ending", [".usda", ".usdc"])
@pytest.mark.parametrize("name", SCENES)
def test_usd_is_read_as_it_was_written(tmp_path, name, ending):
    from pxr import Usd, UsdGeom, UsdPhysics

    path, world, run = written(tmp_path, name, ending)
    stage = Usd.Stage.Open(str(path))
    assert UsdGeom.GetStageUpAxis(stage) == "Z" and UsdGeom.GetStageMetersPerUnit(stage) == 1
    moving = [prim for prim in stage.Traverse() if prim.HasAPI(UsdPhysics.RigidBodyAPI)]
    assert moving
    for prim in moving:
        body = world[prim.GetCustomDataByKey("tinkerdyne:name")]
        mass = UsdPhysics.MassAPI(prim).GetMassAttr().Get()
        assert mass == pytest.approx(body.mass, rel=1e-6)  # a float there
        for k, time in enumerate(run.time):
            code = (time - run.time[0]) * stage.GetTimeCodesPerSecond()
            matrix = UsdGeom.Xformable(prim).ComputeLocalToWorldTransform(code)
            place = matrix.ExtractTranslation()
            assert np.array(place) == pytest.approx(run[f"{body.name}.position"][k], abs=1e-9)
            w, *v = run[f"{body.name}.orientation"][k]
            turn = matrix.ExtractRotationQuat()
            found = (turn.GetReal(), *turn.GetImaginary())
            assert abs(np.dot(found, (w, *v))) == pytest.approx(1, abs=1e-6)
    for prim in stage.Traverse():
        if prim.IsA(UsdPhysics.Joint):
            joint = UsdPhysics.Joint(prim)
            ends = [*joint.GetBody0Rel().GetTargets(), *joint.GetBody1Rel().GetTargets()]
            assert ends and all(stage.GetPrimAtPath(one) for one in ends)


@pytest.mark.parametrize("name", SCENES)
def test_usds_own_checks_find_nothing(tmp_path, name):
    from pxr import Usd, UsdValidation

    path, _, _ = written(tmp_path, name, ".usda")
    registry = UsdValidation.ValidationRegistry()
    context = UsdValidation.ValidationContext(registry.GetOrLoadAllValidators())
    found = context.Validate(Usd.Stage.Open(str(path)))
    assert not found, [(one.GetName(), one.GetMessage()) for one in found]


def test_a_body_has_its_whole_inertia(tmp_path):
    from pxr import Gf, Usd, UsdPhysics

    world = td.World()
    world.add(td.RigidBody("odd", mass=1.7, inertia=(0.3, 0.2, 0.25, 0.01, 0.02, -0.03)))
    write_model(tmp_path / "odd.usda", world)
    stage = Usd.Stage.Open(str(tmp_path / "odd.usda"))
    (prim,) = [one for one in stage.Traverse() if one.HasAPI(UsdPhysics.MassAPI)]
    mass = UsdPhysics.MassAPI(prim)
    R = np.array(Gf.Matrix3d(Gf.Quatd(mass.GetPrincipalAxesAttr().Get()))).T
    tensor = R @ np.diag(mass.GetDiagonalInertiaAttr().Get()) @ R.T
    assert tensor == pytest.approx(np.reshape(world["odd"].inertia, (3, 3)), abs=1e-6)
