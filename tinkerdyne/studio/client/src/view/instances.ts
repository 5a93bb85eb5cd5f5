// Instances: all that has one form and one finish is drawn by one call, however many there are.
import * as three from "three";

/** How a surface looks, beside its colour; "faded" is what is switched off. */
export type Finish = "part" | "metal" | "dark" | "accent" | "faded";

const LEAST = 16; // instances there is room for at once
const EDGE = 0.42; // how dark edges are

const FINISHES: Readonly<Record<Finish, three.MeshStandardMaterialParameters>> = {
  part: {
    roughness: 0.5,
    metalness: 0.04,
    polygonOffset: true,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 1,
  },
  metal: { roughness: 0.34, metalness: 0.45 },
  dark: { roughness: 0.5, metalness: 0.2 },
  accent: { roughness: 0.45, metalness: 0.1 },
  faded: { roughness: 0.6, transparent: true, opacity: 0.35, depthWrite: false },
};

/** Line segments of which there are several: three draws them as it draws meshes of which there are several. */
class InstancedLines extends three.LineSegments<three.BufferGeometry, three.LineBasicMaterial> {
  readonly isInstancedMesh = true;
  readonly instanceColor = null;
  readonly morphTexture = null;
  readonly instanceMatrix: three.InstancedBufferAttribute;
  count = 0;

  constructor(geometry: three.BufferGeometry, material: three.LineBasicMaterial, room: number) {
    super(geometry, material);
    this.instanceMatrix = new three.InstancedBufferAttribute(new Float32Array(16 * room), 16);
  }

  dispose(): void {
    this.dispatchEvent({ type: "dispose" } as never); // the event of an InstancedMesh
  }
}

/** All things of one form: filled anew for every picture. */
export class Batch {
  count = 0;
  private room = 0;
  private mesh: three.InstancedMesh | null = null;
  private lines: InstancedLines | null = null;
  private matrices = new Float32Array(16 * LEAST);
  private colours = new Float32Array(3 * LEAST);

  constructor(
    private readonly group: three.Object3D,
    private readonly geometry: three.BufferGeometry,
    private readonly material: three.Material,
    private readonly edges: three.BufferGeometry | null = null,
    private readonly pen: three.LineBasicMaterial | null = null,
    private readonly dress: (mesh: three.InstancedMesh) => void = () => undefined,
  ) {}

  put(matrix: three.Matrix4, colour: three.Color): void {
    const i = this.count++;
    if (16 * this.count > this.matrices.length) {
      this.matrices = grown(this.matrices);
      this.colours = grown(this.colours);
    }
    matrix.toArray(this.matrices, 16 * i);
    colour.toArray(this.colours, 3 * i);
  }

  /** Show what was put since the last time. */
  commit(): void {
    if (this.count > this.room) this.make();
    const { mesh, lines } = this;
    if (!mesh) return;
    mesh.count = this.count;
    mesh.visible = this.count > 0;
    mesh.instanceMatrix.array.set(this.matrices.subarray(0, 16 * this.count));
    mesh.instanceMatrix.needsUpdate = true;
    mesh.instanceColor?.array.set(this.colours.subarray(0, 3 * this.count));
    if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    if (lines) {
      lines.count = this.count;
      lines.visible = mesh.visible;
      lines.instanceMatrix.array.set(this.matrices.subarray(0, 16 * this.count));
      lines.instanceMatrix.needsUpdate = true;
    }
    this.count = 0;
  }

  private make(): void {
    this.dispose();
    this.room = this.matrices.length / 16;
    this.mesh = new three.InstancedMesh(this.geometry, this.material, this.room);
    this.mesh.instanceColor = new three.InstancedBufferAttribute(new Float32Array(3 * this.room), 3);
    this.dress(this.mesh);
    this.lines = this.edges && this.pen ? new InstancedLines(this.edges, this.pen, this.room) : null;
    for (const one of [this.mesh, this.lines]) {
      if (!one) continue;
      one.frustumCulled = false;
      one.raycast = () => undefined;
      this.group.add(one);
    }
  }

  dispose(): void {
    for (const one of [this.mesh, this.lines]) {
      if (!one) continue;
      this.group.remove(one);
      one.dispose();
    }
  }
}

function grown(numbers: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
  const more = new Float32Array(2 * numbers.length);
  more.set(numbers);
  return more;
}

/** Bodies, joints and all that is drawn of simple forms. */
export class Instances extends three.Group {
  readonly materials: Readonly<Record<Finish, three.MeshStandardMaterial>>;
  private readonly pen = new three.LineBasicMaterial({ transparent: true, opacity: EDGE });
  private readonly batches = new Map<string, Batch>();
  private fresh = new Set<string>();

  constructor() {
    super();
    const made = Object.entries(FINISHES).map(
      ([name, how]) => [name, new three.MeshStandardMaterial(how)] as const,
    );
    this.materials = Object.fromEntries(made) as Record<Finish, three.MeshStandardMaterial>; // one for each finish
  }

  /** Draw a form somewhere in the next picture. */
  put(
    form: three.BufferGeometry,
    finish: Finish,
    matrix: three.Matrix4,
    colour: three.Color,
    edges: three.BufferGeometry | null = null,
    castsShadow = true,
  ): void {
    const key = `${form.id} ${finish} ${castsShadow}`;
    let batch = this.batches.get(key);
    if (!batch) {
      batch = new Batch(this, form, this.materials[finish], edges, this.pen, (mesh) => {
        mesh.castShadow = castsShadow && finish !== "faded";
        mesh.receiveShadow = true;
      });
      this.batches.set(key, batch);
    }
    this.fresh.add(key);
    batch.put(matrix, colour);
  }

  /** All that belongs to the picture was put. */
  commit(edge: number): void {
    this.pen.color.set(edge);
    for (const [key, batch] of this.batches) {
      if (this.fresh.has(key)) batch.commit();
      else {
        batch.dispose();
        this.batches.delete(key);
      }
    }
    this.fresh = new Set();
  }
}
