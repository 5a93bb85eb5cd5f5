// Which two places would be joined: those that are near each other in the picture, and those near the hand first.
import type { Vector3 } from "three";
import type { Spot } from "../state/spot";

const NEAR = 22; // px
const STICKY = 1.7; // a pair that was found is kept to this times the distance
const KEPT = 0.25; // and it counts this much nearer than others, no more: one that comes nearer wins
const HANDICAP = 1.2; // of a place as far from the hand as the part is large

/** Two places that would be joined. */
export interface Pair {
  mine: Spot;
  other: Spot;
}

/** What is known of the picture and of the hand. */
export interface Situation {
  project(place: Vector3): { x: number; y: number }; // px
  ahead: Vector3; // from the part to where the hand pulls it
  hand: Vector3 | null; // where the part is held
  extent: number; // m, of the part
  found: Pair | null; // the pair of the last time
  isJoined(mine: Spot, other: Spot): boolean;
}

/** The nearest pair, where parts are now or where the hand pulls them; null where none is near enough. */
export function nearestPair(mine: readonly Spot[], others: readonly Spot[], now: Situation): Pair | null {
  let best: Pair | null = null;
  let least = Infinity;
  for (const one of mine) {
    const [here, soon] = [now.project(one.place), now.project(one.place.clone().add(now.ahead))];
    const handicap = now.hand ? (HANDICAP * now.hand.distanceTo(one.place)) / now.extent : 0;
    for (const other of others) {
      const there = now.project(other.place);
      const isKept = now.found?.mine.input === one.input && now.found.other.input === other.input;
      const apart = Math.min(distance(here, there), distance(soon, there)) / NEAR;
      const reach = apart / (isKept ? STICKY : 1);
      const bonus = isKept ? KEPT : 0;
      if (reach > 1 || reach + handicap - bonus >= 1) continue;
      const score = apart + handicap - bonus;
      if (score >= least || now.isJoined(one, other)) continue;
      best = { mine: one, other };
      least = score;
    }
  }
  return best;
}

function distance(p: { x: number; y: number }, q: { x: number; y: number }): number {
  return Math.hypot(p.x - q.x, p.y - q.y);
}
