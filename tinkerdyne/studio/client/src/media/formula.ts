// Formulas on the page, for what is drawn of them: the server's grammar, compiled to functions; nothing of the text is executed.
// What may be said and what is wrong with it is the server's word; here a formula that cannot be read is just not drawn.

import { wording } from "../wording/spoken";

/** The value of a formula, for the numbers that its names stand for. */
export type Compiled = (names: Readonly<Record<string, number>>) => number;

const CONSTANTS: Readonly<Record<string, number>> = { pi: Math.PI, tau: 2 * Math.PI, e: Math.E };
const FUNCTIONS: Readonly<Record<string, (...x: number[]) => number>> = {
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
  atan2: Math.atan2,
  sinh: Math.sinh,
  cosh: Math.cosh,
  tanh: Math.tanh,
  exp: Math.exp,
  log: Math.log,
  sqrt: Math.sqrt,
  abs: Math.abs,
  sign: Math.sign,
  floor: Math.floor,
  min: Math.min,
  max: Math.max,
};
const TOKEN =
  /\s*(?:(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*(?:\.[xyz])?)|(\*\*|<=|>=|[-+*/^(),<>]))/y;
const LONGEST = 500;
const WORDS = ["if", "else", "and", "or", "not"];
const COMPARED: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
};

class Reader {
  private readonly tokens: string[] = [];
  private at = 0;
  readonly used = new Set<string>();

  constructor(text: string) {
    if (text.length > LONGEST) throw new Error(wording.faults.tooLong);
    TOKEN.lastIndex = 0;
    const whole = text.trimEnd();
    while (TOKEN.lastIndex < whole.length) {
      const found = TOKEN.exec(whole);
      if (!found) throw new Error(wording.faults.notAFormula);
      this.tokens.push(found[1] ?? found[2] ?? found[3] ?? "");
    }
  }

  whole(): Compiled {
    const f = this.choice();
    if (this.at < this.tokens.length) throw new Error(wording.faults.notAFormula);
    return f;
  }

  /** a if x > 0 else b; a condition is 1 where it holds, and 0 elsewhere. */
  private choice(): Compiled {
    const value = this.either();
    if (!this.take("if")) return value;
    const holds = this.either();
    if (!this.take("else")) throw new Error(wording.faults.anIfHasNoElse);
    const otherwise = this.choice();
    return (n) => (holds(n) ? value(n) : otherwise(n));
  }

  private either(): Compiled {
    let left = this.both();
    while (this.take("or")) {
      const [a, b] = [left, this.both()];
      left = (n) => Number(Boolean(a(n)) || Boolean(b(n)));
    }
    return left;
  }

  private both(): Compiled {
    let left = this.negated();
    while (this.take("and")) {
      const [a, b] = [left, this.negated()];
      left = (n) => Number(Boolean(a(n)) && Boolean(b(n)));
    }
    return left;
  }

  private negated(): Compiled {
    if (!this.take("not")) return this.comparison();
    const f = this.negated();
    return (n) => Number(!f(n));
  }

  private comparison(): Compiled {
    const terms = [this.sum()];
    const signs: string[] = [];
    for (let sign = this.take(...Object.keys(COMPARED)); sign; sign = this.take(...Object.keys(COMPARED))) {
      signs.push(sign);
      terms.push(this.sum());
    }
    const [first] = terms;
    if (!signs.length && first) return first;
    return (n) => {
      const values = terms.map((f) => f(n));
      return Number(signs.every((sign, k) => COMPARED[sign]?.(values[k] ?? NaN, values[k + 1] ?? NaN)));
    };
  }

  private take(...wanted: string[]): string | null {
    const next = this.tokens[this.at];
    if (next === undefined || !wanted.includes(next)) return null;
    this.at++;
    return next;
  }

  private sum(): Compiled {
    let left = this.product();
    for (let sign = this.take("+", "-"); sign; sign = this.take("+", "-")) {
      const [a, b] = [left, this.product()];
      left = sign === "+" ? (n) => a(n) + b(n) : (n) => a(n) - b(n);
    }
    return left;
  }

  private product(): Compiled {
    let left = this.signed();
    for (let sign = this.take("*", "/"); sign; sign = this.take("*", "/")) {
      const [a, b] = [left, this.signed()];
      left = sign === "*" ? (n) => a(n) * b(n) : (n) => a(n) / b(n);
    }
    return left;
  }

  private signed(): Compiled {
    if (this.take("-")) {
      const f = this.signed();
      return (n) => -f(n);
    }
    return this.take("+") ? this.signed() : this.power();
  }

  private power(): Compiled {
    const base = this.atom();
    if (!this.take("**", "^")) return base;
    const exponent = this.signed();
    return (n) => base(n) ** exponent(n);
  }

  private atom(): Compiled {
    if (this.take("(")) {
      const f = this.choice();
      if (!this.take(")")) throw new Error(wording.faults.aBracketIsNotClosed);
      return f;
    }
    const token = this.tokens[this.at++];
    if (token === undefined) throw new Error(wording.faults.aValueIsMissing);
    if (/^[\d.]/.test(token)) {
      const x = Number(token);
      return () => x;
    }
    const call = FUNCTIONS[token];
    if (call && this.take("(")) {
      const given = [this.choice()];
      while (this.take(",")) given.push(this.choice());
      if (!this.take(")")) throw new Error(wording.faults.aBracketIsNotClosed);
      return (n) => call(...given.map((f) => f(n)));
    }
    if (!/^[A-Za-z_]/.test(token) || call || WORDS.includes(token))
      throw new Error(wording.faults.aValueIsMissing);
    this.used.add(token);
    const constant = CONSTANTS[token];
    return (n) => n[token] ?? constant ?? NaN;
  }
}

const known = new Map<string, Compiled | null>();

/** A formula as a function, or null where it cannot be read. */
export function compiled(text: string): Compiled | null {
  let found = known.get(text);
  if (found === undefined) {
    if (known.size > 500) known.clear();
    try {
      found = new Reader(text).whole();
    } catch {
      found = null;
    }
    known.set(text, found);
  }
  return found;
}

/** The names in a formula that are neither functions nor constants nor among the given ones; none where it cannot be read. */
export function unknownNames(text: string, given: readonly string[]): string[] {
  try {
    const reader = new Reader(text.replace(/<=|>=|==|=|<|>/, "-"));
    reader.whole();
    return [...reader.used].filter((name) => !(name in CONSTANTS) && !given.includes(name));
  } catch {
    return [];
  }
}
