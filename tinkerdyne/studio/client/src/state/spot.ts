// A place that something can be fastened to: of a body, of a curve, or of the world.
import type { Vector3 } from "three";

export interface Spot {
  body: string; // "" for the world
  input: string; // as `Insert` takes it
  place: Vector3;
}
