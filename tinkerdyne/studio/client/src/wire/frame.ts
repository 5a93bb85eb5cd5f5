// Frames: the moving numbers of a world, and where each thing lies in them.
import { type FrameLayout, MAGIC, type Track } from "./protocol";

const HEADER = 16; // bytes: magic, revision, time

/** One moment of a world. */
export interface Frame {
  revision: number;
  time: number;
  numbers: Float32Array;
}

/** A frame as the server sends it, or null when it is none. */
export function decode(data: ArrayBuffer): Frame | null {
  if (data.byteLength < HEADER) return null;
  const head = new DataView(data);
  if (head.getUint32(0, true) !== MAGIC) return null;
  return {
    revision: head.getUint32(4, true),
    time: head.getFloat64(8, true),
    numbers: new Float32Array(data, HEADER),
  };
}

/** The tracks of a layout by name; forces, of which one item may have several, by item. */
export class Tracks {
  readonly motion = new Map<string, Track>();
  readonly forces: Track[] = [];
  readonly states = new Map<string, Track>(); // numbers of curves, variables and measures
  readonly acting = new Set<string>(); // items that exert forces

  constructor(readonly layout: FrameLayout) {
    for (const track of layout.tracks) {
      if (track.kind === "force") {
        this.forces.push(track);
        this.acting.add(track.name);
      } else if (track.kind === "state") this.states.set(track.name, track);
      else this.motion.set(track.name, track);
    }
  }

  /** The numbers of a thing that moves. */
  of(name: string, frame: Frame): Float32Array | null {
    const track = this.motion.get(name);
    return track ? frame.numbers.subarray(track.offset, track.offset + track.count) : null;
  }
}
