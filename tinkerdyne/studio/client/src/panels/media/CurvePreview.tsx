// A curve or surface of typed equations as it would be, in a small picture.
import { compiled } from "../../media/formula";
import { wording } from "../../wording/spoken";

/** The curve as it would be. */
export function CurvePreview({
  texts,
  numbers,
  spans,
  isSurface,
}: {
  texts: readonly string[];
  numbers: Readonly<Record<string, number>>;
  spans: readonly string[];
  isSurface: boolean;
}) {
  const places = previewed(texts, numbers, spans, isSurface);
  const flat = places.flat();
  if (!flat.length) return <div class="curve-preview muted">{wording.media.noPictureYet}</div>;
  const [left, right] = [Math.min(...flat.map((p) => p[0])), Math.max(...flat.map((p) => p[0]))];
  const [low, high] = [Math.min(...flat.map((p) => p[1])), Math.max(...flat.map((p) => p[1]))];
  const size = Math.max(right - left, high - low, 1e-9);
  const [cx, cy] = [(left + right) / 2, (low + high) / 2];
  const d = places
    .map((line) =>
      line
        .map(([x, y], i) => `${i ? "L" : "M"}${(100 * (x - cx)) / size} ${(-100 * (y - cy)) / size}`)
        .join(""),
    )
    .join("");
  const [begin, end] = [flat[0], flat.at(-1)];
  const isClosed =
    !isSurface && begin && end && Math.hypot(begin[0] - end[0], begin[1] - end[1]) < 1e-6 * size;
  return (
    <figure class="curve-preview">
      <svg viewBox="-60 -60 120 120" role="img" aria-label={wording.media.theCurveAsItWouldBe}>
        <path d={d} fill="none" stroke="currentColor" stroke-width="1.6" stroke-linejoin="round" />
      </svg>
      <figcaption>
        {isSurface ? wording.media.aSurface : isClosed ? wording.media.closedCurve : wording.media.openCurve}
      </figcaption>
    </figure>
  );
}

/** Lines through the places of a curve, or a net of a surface as it is seen; none where a formula is not read. */
export function previewed(
  texts: readonly string[],
  numbers: Readonly<Record<string, number>>,
  spans: readonly string[],
  isSurface: boolean,
): [number, number][][] {
  const [fx, fy, fz] = texts.map(compiled);
  const ends = spans.map((s) => compiled(s)?.({}) ?? NaN);
  if (!fx || !fy || texts.length < 2 || !ends.every(Number.isFinite)) return [];
  const [low = 0, high = 1, from = 0, to = 1] = ends;
  const at = (u: number, v: number): [number, number] => {
    const n = { ...numbers, u, v };
    const [x, y, z] = [fx(n), fy(n), fz?.(n) ?? 0];
    return fz ? [x - 0.5 * y, z + 0.3 * x + 0.4 * y] : [x, y]; // from the front, a little above
  };
  const steps = (n: number): number[] => Array.from({ length: n + 1 }, (_, i) => i / n);
  const lines = isSurface
    ? [
        ...steps(8).map((t) => steps(32).map((s) => at(low + s * (high - low), from + t * (to - from)))),
        ...steps(8).map((s) => steps(32).map((t) => at(low + s * (high - low), from + t * (to - from)))),
      ]
    : [steps(160).map((s) => at(low + s * (high - low), 0))];
  return lines.every((line) => line.every((p) => p.every(Number.isFinite))) ? lines : [];
}
