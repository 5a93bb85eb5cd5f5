// Room for names: those that would lie on others are left out.

/** A name and where it stands; its place is in pixels. */
export interface Named {
  text: string;
  x: number;
  y: number;
  isLeft: boolean; // whether it stands to the left of its place
}

const LINE = 20; // px from one line of text to the next
const LETTER = 7.2; // px, of a usual letter at most
const EDGE = 14; // px on both sides

/** Which of these names have room, the first before the others; the first `kept` of them are shown in any case. */
export function withoutOverlaps<T extends Named>(names: readonly T[], kept: number): T[] {
  const shown: T[] = [];
  const lines = new Map<number, { left: number; right: number; y: number }[]>();
  names.forEach((name, i) => {
    const width = EDGE + LETTER * name.text.length;
    const left = name.isLeft ? name.x - width : name.x;
    const box = { left, right: left + width, y: name.y };
    const row = Math.floor(name.y / LINE);
    const near = [row - 1, row, row + 1].flatMap((k) => lines.get(k) ?? []);
    const isFree = !near.some(
      (o) => Math.abs(o.y - box.y) < LINE && o.left < box.right && box.left < o.right,
    );
    if (i >= kept && !isFree) return;
    shown.push(name);
    lines.set(row, [...(lines.get(row) ?? []), box]);
  });
  return shown;
}
