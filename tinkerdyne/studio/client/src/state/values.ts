// Values of unknown sort, as items of a world have them, read as what is wanted of them.

export type Plain = Readonly<Record<string, unknown>>;

/** The parts of a value that has named parts; none of another. */
export function plainOf(value: unknown): Plain {
  return isPlain(value) ? value : {};
}

function isPlain(value: unknown): value is Plain {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** All numbers in a value, however deep they lie. */
export function numbersIn(value: unknown): number[] {
  if (typeof value === "number") return [value];
  return Array.isArray(value) ? value.flatMap(numbersIn) : [];
}

/** Rows of numbers, such as the keys of a path; none where there are none. */
export function rowsIn(value: unknown): number[][] {
  return Array.isArray(value) ? value.map(numbersIn) : [];
}

/** A list as texts; none where it is no list. */
export function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** The names of what an object of this page holds. */
export function keysOf<T extends object>(of: T): (keyof T & string)[] {
  return Object.keys(of) as (keyof T & string)[]; // it holds nothing else: it is written in the page itself
}
