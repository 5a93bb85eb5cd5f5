// Plane geometry of the picture, in pixels.

export interface Flat {
  x: number;
  y: number;
}

/** From a point to a line segment. */
export function distanceToSegment(p: Flat, a: Flat, b: Flat): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const t = Math.min(1, Math.max(0, ((p.x - a.x) * dx + (p.y - a.y) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}
