// What the menus have for curves, models, images and data.

import { reveal } from "../state/layout";
import { act, ask, report } from "../state/session";
import * as store from "../state/store";
import type { Attach } from "../wire/protocol";
import { wording } from "../wording/spoken";
import type { Action } from "./action";
import { drawSheet } from "./draw";
import { loadData, loadMesh, loadPicture, loadSheets, loadSvg, loadTexture, saveSvg } from "./loading";
import { pick } from "./pick";

type Ports = readonly (readonly [name: string, kind: string])[];
const POINTS: Ports = [
  ["a", "point"],
  ["b", "point"],
];
const CURVES: Ports = [
  ["a", "curve"],
  ["b", "curve"],
];
const LINE: Ports = [[wording.actions.mirrorLine, "curve"]];
const ATTACHING: readonly (readonly [Attach["how"], string, Ports, string])[] = [
  [
    "fixed",
    wording.actions.attachAtAFixedPoint,
    POINTS,
    "connect(curve_point(a, u=0.5), curve_point(b, u=0.5))",
  ],
  ["slide", wording.actions.attachTheFirstPointSlidesAlong, POINTS, "on_curve(point, curve, u)"],
  ["cross", wording.actions.attachCrossAndSlide, POINTS, "attach(a, u, b, w)"],
  ["tangent", wording.actions.attachTangentTouchAndSlide, POINTS, "tangential(a, u, b, w)"],
  ["equal_length", wording.actions.equalLengths, CURVES, "equal_length(a, b)"],
  ["equal_area", wording.actions.equalAreas, CURVES, "equal_area(a, b)"],
  ["equal_radius", wording.actions.equalRadii, CURVES, "equal_radius(a, b)"],
  ["keep_length", wording.actions.keepItsLength, CURVES.slice(0, 1), "held(length_of(a), at=(2.0,))"],
  ["keep_area", wording.actions.keepItsArea, CURVES.slice(0, 1), "held(area_within(a), at=(2.0,))"],
  ["mirror", wording.actions.mirrorImagesInALine, [...CURVES, ...LINE], "mirror_images(a, b, line)"],
  [
    "mirror_points",
    wording.actions.mirrorTwoPointsInALine,
    [...POINTS, ...LINE],
    "mirror_points(a.point, b.point, line)",
  ],
];

/** Something that picks curves, or points of them, and attaches them. */
function attaching(how: Attach["how"], title: string, wanted: Ports, python: string): Action {
  const ports = wanted.map(([name, kind]) => ({ name, kind, is_many: false }));
  return {
    id: `attach:${how}`,
    title,
    menu: "Insert",
    group: "Attach curves",
    python: `world.add(${python})`,
    run: () =>
      pick({
        title,
        ports,
        type: null,
        make: ([a = "", b = "", line = ""]) => ask({ do: "attach", how, a, b, line }),
      }),
  };
}

/** Begin to pick what shall be attached so. */
export function attachBy(how: Attach["how"]): void {
  for (const one of ATTACHING) if (one[0] === how) attaching(...one).run();
}

const shows = (side: store.SideName) => (): void => {
  store.side.value = side;
  reveal("side");
};

export const MEDIA: readonly Action[] = [
  {
    id: "new-curves",
    title: wording.common.newWorldOfCurvesAndModels,
    menu: "File",
    python: "world = World(order=1)",
    run: () => void act({ do: "new", dimension: 2, order: 1 }),
  },
  {
    id: "svg-in",
    title: wording.actions.importSvgAsCurves,
    menu: "File",
    python: 'world.add(*curves_from_svg(Path("drawing.svg")))',
    run: () => void loadSvg().catch(report),
  },
  {
    id: "svg-out",
    title: wording.actions.exportThePlaneAsSvg,
    menu: "File",
    python: 'save_svg(world, "drawing.svg")',
    run: () => void saveSvg().catch(report),
  },
  {
    id: "curve",
    title: wording.actions.newCurve,
    menu: "Insert",
    group: "By hand",
    keys: "C",
    python: 'world.add(typed_curve("a*cos(u)", "b*sin(u)", span=(0, "2*pi"), a=1, b=0.6))',
    run: () => (store.dialog.value = "curve"),
  },
  {
    id: "sheet",
    title: wording.actions.drawAnElasticSheetTroid,
    menu: "Insert",
    group: "By hand",
    python: "world.add(sheet(vertices=((0, 0), (1, 0), (1, 1))))",
    run: drawSheet,
  },
  {
    id: "sheets",
    title: wording.actions.troidFromADrawingSvg,
    menu: "Insert",
    group: "By hand",
    python: 'world.add(*sheets_from_svg(Path("drawing.svg")))',
    run: () => void loadSheets().catch(report),
  },
  {
    id: "mesh",
    title: wording.actions.troidFromAMesh,
    menu: "Insert",
    group: "By hand",
    python: "world.add(block(vertices=vertices, faces=faces))",
    run: () => void loadMesh().catch(report),
  },
  {
    id: "texture",
    title: wording.actions.imageOnATroid,
    menu: "Insert",
    group: "By hand",
    python: 'world.add(picture(image=Path("face.png"), width=2))',
    run: () => void loadTexture().catch(report),
  },
  {
    id: "image",
    title: wording.actions.image,
    menu: "Insert",
    group: "By hand",
    python: 'world.add(photo("cell.png"))',
    run: () => void loadPicture().catch(report),
  },
  {
    id: "data",
    title: wording.actions.data,
    menu: "Insert",
    group: "By hand",
    python: 'fit = Fit("line", "data.csv", a=0, b=1)',
    run: () => {
      shows("data")();
      void loadData().catch(report);
    },
  },
  ...ATTACHING.map((one) => attaching(...one)),
  {
    id: "side-inspector",
    title: wording.common.inspector,
    menu: "View",
    group: "Panels",
    run: shows("inspector"),
    isOn: () => store.side.value === "inspector",
  },
  {
    id: "side-model",
    title: wording.common.model,
    menu: "View",
    group: "Panels",
    keys: "M",
    run: shows("model"),
    isOn: () => store.side.value === "model",
  },
  {
    id: "side-image",
    title: wording.actions.imageAndSnakes,
    menu: "View",
    group: "Panels",
    run: shows("image"),
    isOn: () => store.side.value === "image",
  },
  {
    id: "side-data",
    title: wording.actions.dataAndFits,
    menu: "View",
    group: "Panels",
    run: shows("data"),
    isOn: () => store.side.value === "data",
  },
];
