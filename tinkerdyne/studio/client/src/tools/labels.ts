// Labels in the view beside those of the parts: of tools and of measures.
import type { Vector3 } from "three";
import type { Stage } from "../view/stage";

/** A label at a place of the world. */
export interface PlacedLabel {
  key: string;
  text: string;
  at: Vector3;
  kind: "tag" | "measure";
}

/** Everything that adds labels; asked with every picture. */
export const moreLabels: ((stage: Stage) => PlacedLabel[])[] = [];
