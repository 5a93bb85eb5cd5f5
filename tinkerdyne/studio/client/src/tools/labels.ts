// What tools add to the view beside the parts: labels, and things that follow every picture.
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

/** Everything that is laid out anew before each picture. */
export const beforePicture: ((stage: Stage) => void)[] = [];
