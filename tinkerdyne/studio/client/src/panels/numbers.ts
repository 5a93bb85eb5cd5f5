// Numbers as people read them.

/** Three digits or so, without exponents where they are not needed. */
export function short(x: number): string {
  if (!Number.isFinite(x)) return String(x);
  const size = Math.abs(x);
  if (size < 5e-4 && size > 0) return size < 1e-9 ? "0" : x.toExponential(1);
  if (size >= 1e5) return x.toExponential(2);
  return String(Number(x.toFixed(size >= 100 ? 1 : size >= 10 ? 2 : 3)));
}

/** All the digits that matter, for a field that can be edited. */
export function exact(x: number): string {
  return String(Number(x.toPrecision(7)));
}

/** What a person typed as a number; null when it is none. A comma is read as a point. */
export function parsed(text: string): number | null {
  const x = Number(text.trim().replace(",", "."));
  return text.trim() !== "" && Number.isFinite(x) ? x : null;
}
