// Snapping: a place of the held part comes near one of another part; a halo, and what the joint would do to the freedoms.

import * as three from "three";
import { ATTACHMENTS, attachment, curveInput, isCurve, isOnCurve, nearSpots, placeAt } from "../media/curves";
import { groups } from "../media/groups";
import { ask } from "../state/session";
import type { Spot } from "../state/spot";
import { axis, dimension, items, joint, model, status } from "../state/store";
import { axisValues, CHOICES, directionOf, hasAxis, kindOf, preview } from "../view/axis";
import { ghostOf } from "../view/glyphs";
import { bodiesOf, placeOf, poseOf, spotsOf, worldSpots } from "../view/places";
import type { Stage } from "../view/stage";
import { wording } from "../wording/spoken";
import { nearestPair, type Pair } from "./pairs";

const UP = new three.Vector3(0, 0, 1);
const LINGER = 300; // ms that a pair is kept after it went apart while the world runs, since parts swing
const STILL = 3; // px that a hand may go on after a picture and still mean what that one shows

export class Snap {
  found: Pair | null = null;
  description = "";
  private asked = "";
  private since = 0; // ms, when the pair was near last
  private pulled: three.Vector3 | null = null; // to where the hand pulled it in that picture
  private readonly halo: three.Mesh;
  private readonly ghost = new three.Group(); // the joint as it would be
  private readonly glass: three.MeshBasicMaterial;
  private ghostly = ""; // which joint that is

  constructor(
    private readonly stage: Stage,
    private readonly body: string,
  ) {
    const material = new three.MeshBasicMaterial({
      color: stage.palette.halo,
      depthTest: false,
      transparent: true,
      opacity: 0.9,
      side: three.DoubleSide,
    });
    this.halo = new three.Mesh(new three.RingGeometry(0.72, 1, 40), material);
    this.halo.renderOrder = 21;
    this.halo.visible = this.ghost.visible = false;
    this.glass = new three.MeshBasicMaterial({
      color: stage.palette.halo,
      transparent: true,
      opacity: 0.5,
      depthTest: false,
    });
    stage.overlay.add(this.halo, this.ghost);
  }

  /** With every picture: show what would be joined, where the part is now or where the hand pulls it (`ahead`). */
  follow(hand: three.Vector3, ahead = new three.Vector3()): void {
    const { best, pulled } = this.nearest(hand, ahead);
    this.pulled = pulled;
    const now = performance.now();
    const longest = status.value?.is_playing === false ? 0 : LINGER;
    if (best) this.since = now;
    if (best || now - this.since > longest) this.choose(best);
    this.draw();
  }

  /** What is joined when the hand lets go: the pair that the last picture shows, unless the hand has left it since. */
  letGo(hand: three.Vector3, ahead = new three.Vector3()): Pair | null {
    const shown = this.found;
    if (!shown) return null;
    const { best, pulled } = this.nearest(hand, ahead);
    const [then, now] = [this.pulled, pulled].map((place) => place && this.stage.project(place));
    if (then && now && Math.hypot(now.x - then.x, now.y - then.y) < STILL) return shown;
    return best?.mine.input === shown.mine.input && best.other.input === shown.other.input ? best : null;
  }

  /** The pair of places nearest to each other in the picture, those near the hand first, and to where the hand pulls. */
  private nearest(
    hand: three.Vector3,
    ahead: three.Vector3,
  ): { best: Pair | null; pulled: three.Vector3 | null } {
    const pose = poseOf(this.body);
    const mine = spotsOf(this.body);
    const others = [
      ...worldSpots(),
      ...[...this.stage.figures.keys()].filter((n) => this.isOther(n)).flatMap(spotsOf),
    ];
    const held = isCurve(this.body) ? placeAt(this.body, hand) : null;
    const grip = held ?? (pose ? hand.clone().applyMatrix4(pose) : null);
    if (held) mine.push({ body: this.body, input: curveInput(this.body, hand), place: held });
    const pulled = grip?.clone().add(ahead) ?? null;
    if (pulled) others.push(...nearSpots(this.stage.figures.keys(), pulled, this.body));
    const best = nearestPair(mine, others, {
      project: (place) => this.stage.project(place),
      ahead,
      hand: grip,
      extent: this.stage.figures.get(this.body)?.extent || 1,
      found: this.found,
      isJoined: (one, other) => this.isJoined(one, other),
    });
    return { best, pulled };
  }

  /** Whether an object is another thing than the held one: points of snakes do not snap to each other. */
  private isOther(name: string): boolean {
    const { points } = groups.value;
    return name !== this.body && !(points.has(name) && points.has(this.body));
  }

  private isJoined(one: Spot, other: Spot): boolean {
    const close = 1e-3 * (this.stage.figures.get(this.body)?.extent || 1);
    for (const item of model.value?.items ?? []) {
      if (item.family !== "constraint" || item.inputs.length < 2) continue;
      const bodies = bodiesOf(item);
      if (!bodies.includes(one.body) || (other.body && !bodies.includes(other.body))) continue;
      const places = item.inputs.map((name) => placeOf(name));
      if (
        places.some((p) => p && p.distanceTo(one.place) < close) &&
        places.some((p) => p && p.distanceTo(other.place) < close)
      )
        return true;
    }
    return false;
  }

  private choose(found: Pair | null): void {
    this.found = found;
    const key = found ? `${joint.value} ${axis.value} ${found.mine.input} ${found.other.input}` : "";
    if (key === this.asked) return;
    this.asked = key;
    if (found && (isOnCurve(found.mine.input) || isOnCurve(found.other.input))) {
      const description =
        isOnCurve(found.mine.input) && isOnCurve(found.other.input)
          ? ATTACHMENTS[attachment.value]
          : ATTACHMENTS.fixed;
      this.description = wording.tools.bodyToBody({
        mine: found.mine.body,
        other: found.other.body || wording.common.theWorld,
        description,
      });
      return;
    }
    const along = hasAxis(joint.value) ? wording.tools.alongAxis({ choice: CHOICES[axis.value] }) : "";
    this.description = found
      ? wording.tools.jointOf({ joint: joint.value, along, mine: found.mine.input, other: found.other.input })
      : "";
    if (!found) return;
    const plain = this.description;
    const values = axisValues(joint.value, this.body);
    ask({ do: "preview", of: joint.value, inputs: [found.mine.input, found.other.input], values })
      .then(({ says }) => {
        if (this.asked === key) this.description = `${plain} · ${says}`;
      })
      .catch((reason: unknown) => {
        if (this.asked !== key) return;
        this.description = reason instanceof Error ? reason.message : String(reason);
        this.found = null;
      });
  }

  private draw(): void {
    this.halo.visible = this.ghost.visible = this.found !== null;
    if (!this.found) {
      preview(null);
      return;
    }
    const { other } = this.found;
    const place =
      (other.body && spotsOf(other.body).find((s) => s.input === other.input)?.place) || other.place;
    this.halo.position.copy(place);
    this.halo.quaternion.copy(this.stage.camera.active.quaternion);
    const size = 16 * this.stage.camera.metresPerPixel(place);
    const extra = items.value.get(other.body) ? 1 : 1.15;
    this.halo.scale.setScalar(size * extra);
    const along = directionOf(axis.value, kindOf(joint.value), this.body);
    preview(hasAxis(joint.value) ? place : null, along);
    this.haunt(place, along);
  }

  /** Put the ghost of the joint where it would be. */
  private haunt(place: three.Vector3, along: three.Vector3): void {
    if (this.ghostly !== joint.value) {
      this.ghostly = joint.value;
      this.ghost.clear();
      const [metal, dark, accent] = [this.glass.clone(), this.glass.clone(), this.glass.clone()]; // forms are told apart by them
      this.ghost.add(ghostOf(joint.value, { metal, dark, accent }));
    }
    this.ghost.position.copy(place);
    this.ghost.scale.setScalar(1.02 * this.stage.unit);
    const isAimed = dimension.value === 3 && hasAxis(joint.value) && along.lengthSq() > 0;
    this.ghost.quaternion.setFromUnitVectors(UP, isAimed ? along.clone().normalize() : UP);
  }

  clear(): void {
    this.stage.overlay.remove(this.halo, this.ghost);
    preview(null);
    this.found = null;
    this.description = "";
  }
}
