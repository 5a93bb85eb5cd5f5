// Marks of constraints, behaviors and paths, kept in step with the model.
import * as three from "three";
import { isCurve } from "../media/curves";
import { hovered, tracks, typeOf } from "../state/store";
import { keysOf } from "../state/values";
import type { ItemInfo } from "../wire/protocol";
import type { Palette } from "./colours";
import { type Glyph, glyphOf, type Materials } from "./glyphs";
import { bodiesOf } from "./places";

const FADED = 0.35;

type Standard = Materials<three.MeshStandardMaterial>;

/** The glyph of an item, with what it was made for and of. */
export type Mark = Glyph & { item: ItemInfo; key: string; materials: Standard };

export class Marks extends three.Group {
  readonly all = new Map<string, Mark>();

  /** Keep the marks that are unchanged, make those that are new. */
  rebuild(items: readonly ItemInfo[], palette: Palette): void {
    const wanted = new Map(
      items
        .filter((i) => i.family === "constraint" || i.family === "behavior" || typeOf(i)?.glyph === "path")
        .map((i) => [i.name, i]),
    );
    for (const [name, mark] of this.all) {
      const item = wanted.get(name);
      const key = item ? keyOf(item) : "";
      if (key === mark.key && item) {
        mark.item = item;
        wanted.delete(name);
        continue;
      }
      this.remove(mark.object);
      for (const key of keysOf(mark.materials)) mark.materials[key].dispose();
      this.all.delete(name);
    }
    for (const item of wanted.values()) {
      const materials = standard(palette);
      const glyph = glyphOf(item, materials);
      if (!glyph) continue;
      glyph.object.traverse((o) => (o.userData["name"] = item.name));
      this.all.set(item.name, Object.assign(glyph, { item, key: keyOf(item), materials }));
      this.add(glyph.object);
    }
  }

  /** Move all marks to where the newest frame has them. */
  place(unit: number): void {
    const acting = tracks.value?.acting;
    const since = new Set(tracks.value?.layout.since);
    for (const [name, mark] of this.all) {
      mark.update(unit);
      if (
        mark.item.family === "constraint" &&
        mark.item.is_on &&
        !acting?.has(name) &&
        !bodiesOf(mark.item).some(isCurve)
      )
        mark.object.visible = false; // not yet, or no more
      if (since.has(mark.item.key)) mark.object.visible = false;
    }
  }

  /** Colours of what is selected, hovered, in conflict or switched off. */
  paint(p: Palette, chosen: ReadonlySet<string>, conflict: ReadonlySet<string>): void {
    for (const [name, mark] of this.all) {
      const glow = conflict.has(name)
        ? p.conflict
        : chosen.has(name)
          ? p.select
          : hovered.value === name
            ? p.hover
            : 0;
      const colours: Record<keyof Materials, number> = { metal: p.metal, dark: p.dark, accent: p.behavior };
      for (const key of ["metal", "dark", "accent"] as const) {
        const m = mark.materials[key];
        m.color.set(glow || colours[key]);
        m.emissive.set(glow).multiplyScalar(0.35);
        m.transparent = !mark.item.is_on;
        m.opacity = mark.item.is_on ? 1 : FADED;
      }
    }
  }
}

function standard(p: Palette): Standard {
  return {
    metal: new three.MeshStandardMaterial({ color: p.metal, roughness: 0.4, metalness: 0.25 }),
    dark: new three.MeshStandardMaterial({ color: p.dark, roughness: 0.55, metalness: 0.1 }),
    accent: new three.MeshStandardMaterial({ color: p.behavior, roughness: 0.5 }),
  };
}

function keyOf(item: ItemInfo): string {
  return `${item.of} ${item.inputs.join(" ")} ${JSON.stringify(item.values["keys"]) ?? ""}`;
}
