// Images that troids carry along, stretched over their drawings.
import * as three from "three";
import { ask, report } from "../state/session";
import { items, pictures } from "../state/store";
import type { ItemInfo } from "../wire/protocol";
import { view } from "./current";

const coming = new Set<Promise<void>>();

/** The name under which the page knows an item's texture; "" for none. */
export const textureOf = (item: ItemInfo): string => String(item.values["texture"] ?? "");

/** Put an item's texture on a material, as soon as it is here. */
export function applyTexture(item: ItemInfo, material: three.MeshStandardMaterial): void {
  if (!textureOf(item)) return;
  const done = load(item, material).catch((reason: unknown) => {
    if (items.value.has(item.name)) report(reason);
  });
  coming.add(done);
  void done.finally(() => coming.delete(done));
}

async function load(item: ItemInfo, material: three.MeshStandardMaterial): Promise<void> {
  const info =
    pictures.value.get(item.name) ?? (await ask({ do: "report", what: "picture", name: item.name }));
  const texture = await new three.TextureLoader().loadAsync(info.image);
  texture.colorSpace = three.SRGBColorSpace;
  material.map = texture;
  material.alphaTest = 0.5; // what is transparent is not there
  material.needsUpdate = true;
  view.stage?.refresh();
}

/** When all textures that were asked for are here. */
export async function texturesApplied(): Promise<void> {
  while (coming.size) await Promise.all(coming);
}

/** Lay an image over a surface: each face sees it along the axis that it faces most, stretched over the surface's box. */
export function withTextureCoordinates(surface: three.BufferGeometry): three.BufferGeometry {
  const places = surface.getAttribute("position");
  const normals = surface.getAttribute("normal");
  const box = boxOf(places);
  const size = box.getSize(new three.Vector3());
  const uv = new Float32Array(2 * places.count);
  for (let i = 0; i < places.count; i++) {
    const x = (places.getX(i) - box.min.x) / (size.x || 1);
    const y = (places.getY(i) - box.min.y) / (size.y || 1);
    const z = (places.getZ(i) - box.min.z) / (size.z || 1);
    const [a, b, c] = [Math.abs(normals.getX(i)), Math.abs(normals.getY(i)), Math.abs(normals.getZ(i))];
    uv.set(c >= a && c >= b ? [x, y] : b >= a ? [x, z] : [y, z], 2 * i);
  }
  surface.setAttribute("uv", new three.BufferAttribute(uv, 2));
  return surface;
}

function boxOf(places: three.BufferAttribute | three.InterleavedBufferAttribute): three.Box3 {
  const box = new three.Box3();
  for (let i = 0; i < places.count; i++)
    box.expandByPoint(new three.Vector3().fromBufferAttribute(places, i));
  return box;
}
