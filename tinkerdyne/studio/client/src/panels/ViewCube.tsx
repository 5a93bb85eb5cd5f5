// The view cube: which way the camera looks, and a click on a face to look from there; in the plane its two axes.
import { useEffect, useRef } from "preact/hooks";
import { Matrix3, Vector3 } from "three";
import { dimension } from "../state/store";
import { drawn, view } from "../view/current";
import { wording } from "../wording/spoken";

const HALF = 21; // px
const REACH = 40; // px, of an axis
const STEEP = 1.53; // rad

type Triple = readonly [number, number, number];
/** Name, normal and upward direction in the world, and where the camera goes. */
const FACES: readonly (readonly [keyof typeof wording.view.lookFrom, Triple, Triple, number, number])[] = [
  ["front", [0, -1, 0], [0, 0, 1], -Math.PI / 2, 0],
  ["right", [1, 0, 0], [0, 0, 1], 0, 0],
  ["back", [0, 1, 0], [0, 0, 1], Math.PI / 2, 0],
  ["left", [-1, 0, 0], [0, 0, 1], Math.PI, 0],
  ["top", [0, 0, 1], [0, 1, 0], -Math.PI / 2, STEEP],
  ["below", [0, 0, -1], [0, -1, 0], -Math.PI / 2, -STEEP],
];
const AXES: readonly (readonly [string, Triple])[] = [
  ["x", [1, 0, 0]],
  ["y", [0, 1, 0]],
  ["z", [0, 0, 1]],
];

export function ViewCube() {
  const box = useRef<HTMLDivElement>(null);
  useEffect(
    () =>
      drawn.subscribe(() => {
        if (box.current && view.stage)
          turn(box.current, new Matrix3().setFromMatrix4(view.stage.camera.active.matrixWorldInverse));
      }),
    [],
  );
  const look = (azimuth: number, elevation: number): void => {
    view.stage?.camera.look(azimuth, elevation);
    view.stage?.refresh();
  };
  const isFlat = dimension.value === 2;
  return (
    <div class="view-cube" ref={box}>
      <svg viewBox="-50 -50 100 100" aria-hidden="true">
        {AXES.map(([name]) => (
          <g key={name} class={`axis-${name}`}>
            <line x1="0" y1="0" x2="0" y2="0" />
            <text>{name}</text>
          </g>
        ))}
      </svg>
      {isFlat
        ? null
        : FACES.map(([name, , , azimuth, elevation]) => (
            <button
              key={name}
              tabIndex={-1}
              aria-label={wording.view.lookFrom[name]}
              onClick={() => look(azimuth, elevation)}
            >
              {wording.view.faces[name]}
            </button>
          ))}
    </div>
  );
}

/** Turn faces and axes as the camera is turned. */
function turn(box: HTMLElement, camera: Matrix3): void {
  const seen = (v: Triple): Vector3 => new Vector3(...v).applyMatrix3(camera);
  box.querySelectorAll("button").forEach((face, i) => {
    const [, normal = AXES[0]?.[1] ?? [1, 0, 0], up = normal] = FACES[i] ?? [];
    const [n, u] = [seen(normal), seen(up)];
    const r = u.clone().cross(n);
    const columns = [r, u.negate(), n].map((c) => `${c.x},${-c.y},${c.z},0`);
    const at = n.clone().multiplyScalar(HALF);
    face.style.transform = `matrix3d(${columns.join()},${at.x},${-at.y},${at.z},1)`;
    face.style.visibility = n.z > 0.02 ? "visible" : "hidden";
  });
  box.querySelectorAll("g").forEach((g, i) => {
    const axis = AXES[i]?.[1];
    if (!axis) return;
    const tip = seen(axis).multiplyScalar(REACH);
    const isShort = Math.hypot(tip.x, tip.y) < 6;
    g.style.opacity = isShort ? "0" : tip.z < -8 ? "0.45" : "1";
    g.querySelector("line")?.setAttribute("x2", String(tip.x));
    g.querySelector("line")?.setAttribute("y2", String(-tip.y));
    g.querySelector("text")?.setAttribute("x", String(1.14 * tip.x));
    g.querySelector("text")?.setAttribute("y", String(-1.14 * tip.y));
  });
}
