// A pull at a part of a world that runs in the page: a line from the part to the pointer, with its force.

import * as three from "three";
import { newtons } from "../state/numbers";
import { readout } from "../state/store";
import { HandLine } from "../view/handLine";
import { placeOn } from "../view/places";
import type { Stage } from "../view/stage";
import { wording } from "../wording/spoken";
import type { Local } from "./local";

export class Pull {
  private wanted: three.Vector3;
  private readonly handle: number;
  private readonly line: HandLine;

  constructor(
    private readonly stage: Stage,
    private readonly local: Local,
    private readonly body: string,
    private readonly own: three.Vector3, // in the body's axes
    private readonly isHard: boolean,
    private readonly ended: () => void,
  ) {
    this.handle = local.grab(body, own.toArray(), isHard);
    this.wanted = new three.Vector3(...local.held());
    this.line = new HandLine(stage);
  }

  /** Where the part is held now. */
  private place(): three.Vector3 {
    return placeOn(this.body, this.own) ?? this.wanted.clone();
  }

  move(x: number, y: number): void {
    this.wanted = this.stage.across(x, y, this.place());
  }

  /** With every picture: the line, and how strongly it pulls. */
  follow(): void {
    const force = this.local.drag(this.handle, this.wanted.toArray());
    if (!force.length) {
      this.clear(); // the world began again meanwhile
      return;
    }
    this.line.draw(this.place(), this.wanted);
    const { x, y } = this.stage.project(this.wanted);
    const text = `${this.isHard ? wording.live.hard : wording.live.soft} · ${newtons(Math.hypot(...force))}`;
    readout.value = { x, y, text, detail: "" };
  }

  end(): void {
    this.local.release(this.handle);
    this.clear();
  }

  private clear(): void {
    this.line.clear();
    readout.value = null;
    this.ended();
    this.stage.refresh();
  }
}
