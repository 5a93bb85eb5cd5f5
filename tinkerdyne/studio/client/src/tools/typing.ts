// Keys that go to a gesture while it runs: numbers that are typed while something is drawn, moved or turned.

/** Who takes keys before all commands, the newest first; answers whether it wanted this one. */
const takers: ((key: string) => boolean)[] = [];

/** Have all keys first, until the answer is called. */
export function takeKeys(taker: (key: string) => boolean): () => void {
  takers.unshift(taker);
  return () => {
    const at = takers.indexOf(taker);
    if (at >= 0) takers.splice(at, 1);
  };
}

export function isTaken(key: string): boolean {
  return takers.some((taker) => taker(key));
}

/** Numbers that are typed one after the other: "1.2", then "x", "," or Space, then "0.5". */
export class Typed {
  text = "";

  /** Take a key; answers whether it belongs to a number. */
  take(key: string): boolean {
    if (/^[0-9.,-]$/.test(key)) this.text += key;
    else if (this.text && (key === "X" || key === "Space" || key === "Tab")) this.text += ",";
    else if (this.text && key === "Delete") this.text = this.text.slice(0, -1);
    else return false;
    return true;
  }

  get numbers(): (number | null)[] {
    if (!this.text) return [];
    return this.text.split(",").map((one) => {
      const value = Number.parseFloat(one);
      return Number.isFinite(value) ? value : null;
    });
  }
}
