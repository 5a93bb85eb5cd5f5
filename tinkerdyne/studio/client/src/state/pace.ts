// How fast pictures follow each other: where drawing is slow, panels must not make it slower.

/** ms between two pictures, smoothed. */
export const pace = { drawn: 16, last: 0 };

/** A picture was drawn. */
export function pictureDrawn(now: number): void {
  if (now - pace.last < 1000) pace.drawn += 0.2 * (now - pace.last - pace.drawn); // else nothing moved meanwhile
  pace.last = now;
}
