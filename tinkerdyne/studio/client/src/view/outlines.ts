// Outlines of what is selected, hovered or in conflict: a line of some pixels round its picture, whatever lies before it.
import * as three from "three";
import { mergeVertices } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import { Batch } from "./instances";

const WIDTH = 2.6; // px

const HULL = /* glsl */ `
uniform vec2 size;
uniform float width;
varying vec3 tint;
void main() {
  tint = instanceColor;
  mat4 own = modelViewMatrix * instanceMatrix;
  mat3 turn = mat3(own);
  vec3 scales = vec3(dot(turn[0], turn[0]), dot(turn[1], turn[1]), dot(turn[2], turn[2]));
  vec4 place = projectionMatrix * own * vec4(position, 1.0);
  vec4 ahead = projectionMatrix * vec4(turn * (normal / max(scales, vec3(1e-20))), 0.0);
  vec2 away = (ahead.xy * place.w - place.xy * ahead.w) * size;
  float length_ = length(away);
  if (length_ > 0.0) place.xy += 2.0 * width * place.w * away / (length_ * size);
  gl_Position = place;
}`;
const TINT = /* glsl */ `
varying vec3 tint;
void main() {
  gl_FragColor = vec4(tint, 1.0);
  #include <colorspace_fragment>
}`;

/** Forms with one normal at each corner, so that a form grows without gaps. */
const smooth = new WeakMap<three.BufferGeometry, three.BufferGeometry>();

function smoothOf(form: three.BufferGeometry): three.BufferGeometry {
  let found = smooth.get(form);
  if (!found) {
    const bare = new three.BufferGeometry();
    bare.setAttribute("position", form.getAttribute("position"));
    bare.setIndex(form.getIndex());
    found = mergeVertices(bare, 1e-4);
    found.computeVertexNormals();
    smooth.set(form, found);
  }
  return found;
}

export class Outlines extends three.Group {
  private readonly hole = new three.MeshBasicMaterial({
    colorWrite: false,
    depthWrite: false,
    depthTest: false,
    side: three.DoubleSide,
    stencilWrite: true,
    stencilRef: 1,
    stencilZPass: three.ReplaceStencilOp,
  });
  private readonly hull = new three.ShaderMaterial({
    vertexShader: HULL,
    fragmentShader: TINT,
    uniforms: { size: { value: new three.Vector2(1, 1) }, width: { value: WIDTH } },
    side: three.DoubleSide,
    depthTest: false,
    depthWrite: false,
    transparent: true, // after all else
    stencilWrite: true,
    stencilRef: 1,
    stencilFunc: three.NotEqualStencilFunc,
  });
  private batches = new Map<number, [Batch, Batch]>();
  private fresh = new Set<number>();

  constructor() {
    super();
    this.hole.transparent = true;
  }

  resize(width: number, height: number): void {
    this.hull.uniforms["size"]?.value.set(width, height);
  }

  /** Draw a line round a form; one that changes its shape has smooth normals of its own. */
  put(form: three.BufferGeometry, matrix: three.Matrix4, colour: three.Color, isSoft = false): void {
    const used = isSoft ? form : smoothOf(form);
    let pair = this.batches.get(used.id);
    if (!pair) {
      const ordered =
        (order: number) =>
        (mesh: three.InstancedMesh): void => {
          mesh.renderOrder = order;
        };
      pair = [
        new Batch(this, used, this.hole, null, null, ordered(5)),
        new Batch(this, used, this.hull, null, null, ordered(6)),
      ];
      this.batches.set(used.id, pair);
    }
    this.fresh.add(used.id);
    for (const batch of pair) batch.put(matrix, colour);
  }

  commit(): void {
    for (const [id, pair] of this.batches) {
      for (const batch of pair) this.fresh.has(id) ? batch.commit() : batch.dispose();
      if (!this.fresh.has(id)) this.batches.delete(id);
    }
    this.fresh = new Set();
  }
}
