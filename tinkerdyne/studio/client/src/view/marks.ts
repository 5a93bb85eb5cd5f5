// Marks of constraints, behaviors and paths, kept in step with the model.
import * as three from "three";
import { isCurve } from "../media/curves";
import { hovered, tracks, typeOf } from "../state/store";
import { keysOf } from "../state/values";
import type { ItemInfo } from "../wire/protocol";
import type { Palette } from "./colours";
import { type Glyph, glyphOf, type Materials } from "./glyphs";
import type { Instances } from "./instances";
import type { Outlines } from "./outlines";
import { bodiesOf } from "./places";

type Standard = Materials<three.MeshStandardMaterial>;

/** The glyph of an item, with what it was made for; `own` are the materials of one that is drawn by itself. */
export type Mark = Glyph & { item: ItemInfo; key: string; own: Standard | null };

const FINISHES: readonly (keyof Materials)[] = ["metal", "dark", "accent"];

/** What glyphs are made of whose parts are drawn with those of others. */
const SHARED: Standard = fresh();

export class Marks extends three.Group {
  readonly all = new Map<string, Mark>();
  private readonly colour = new three.Color();

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
      if (mark.own) for (const key of keysOf(mark.own)) mark.own[key].dispose();
      this.all.delete(name);
    }
    for (const item of wanted.values()) {
      const own = typeOf(item)?.glyph === "path" ? fresh() : null; // its line is drawn by itself
      if (own) paint(own, item, palette, 0);
      const glyph = glyphOf(item, own ?? SHARED);
      if (!glyph) continue;
      glyph.object.traverse((o) => (o.userData["name"] = item.name));
      this.all.set(item.name, Object.assign(glyph, { item, key: keyOf(item), own }));
      if (own) this.add(glyph.object);
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

  /** Be in the next picture: in conflict red, switched off faded. */
  draw(instances: Instances, p: Palette, chosen: ReadonlySet<string>, conflict: ReadonlySet<string>): void {
    const finishes: Record<keyof Materials, number> = { metal: p.metal, dark: p.dark, accent: p.behavior };
    for (const [name, mark] of this.all) {
      const { object, item, own } = mark;
      if (own) {
        const isLit = chosen.has(name) || hovered.value === name;
        paint(own, item, p, conflict.has(name) ? p.conflict : isLit ? p.select : 0);
        continue;
      }
      if (!object.visible) continue;
      object.updateMatrixWorld();
      object.traverse((part) => {
        if (!(part instanceof three.Mesh)) return;
        const finish = FINISHES.find((key) => SHARED[key] === part.material) ?? "metal";
        this.colour.set(conflict.has(name) ? p.conflict : finishes[finish]);
        instances.put(
          part.geometry,
          item.is_on ? finish : "faded",
          part.matrixWorld,
          this.colour,
          null,
          part.castShadow,
        );
      });
    }
  }

  /** Be outlined in the next picture. */
  outline(name: string, outlines: Outlines, colour: three.Color): void {
    const mark = this.all.get(name);
    if (!mark?.object.visible) return;
    mark.object.traverse((part) => {
      if (part instanceof three.Mesh) outlines.put(part.geometry, part.matrixWorld, colour);
    });
  }
}

function fresh(): Standard {
  return {
    metal: new three.MeshStandardMaterial(),
    dark: new three.MeshStandardMaterial(),
    accent: new three.MeshStandardMaterial({ roughness: 0.5 }),
  };
}

function paint(own: Standard, item: ItemInfo, p: Palette, glow: number): void {
  const colours: Record<keyof Materials, number> = { metal: p.metal, dark: p.dark, accent: p.behavior };
  for (const key of FINISHES) {
    own[key].color.set(glow || colours[key]);
    own[key].transparent = !item.is_on;
    own[key].opacity = item.is_on ? 1 : FADED;
  }
}

const FADED = 0.35;

function keyOf(item: ItemInfo): string {
  return `${item.of} ${item.inputs.join(" ")} ${JSON.stringify(item.values["keys"]) ?? ""}`;
}
