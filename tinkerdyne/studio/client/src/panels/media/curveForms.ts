// Typed equations to begin a curve with.
import { wording } from "../../wording/spoken";

export interface CurveForm {
  title: string;
  texts: readonly string[];
  values: Readonly<Record<string, string>>;
  spans: readonly string[];
}

const form = (
  title: string,
  texts: readonly string[],
  values: Readonly<Record<string, string>>,
  spans: readonly string[] = ["0", "2*pi"],
): CurveForm => ({ title, texts, values, spans });

export const ELLIPSE = form(wording.forms.ellipse, ["cx + a*cos(u)", "cy + b*sin(u)", ""], {
  cx: "0",
  cy: "0",
  a: "1",
  b: "0.6",
});
export const TYPED: Readonly<Record<string, CurveForm>> = {
  ellipse: ELLIPSE,
  superellipse: form(
    wording.forms.superellipse,
    ["cx + a*sign(cos(u))*(abs(cos(u)) + 1e-9)^p", "cy + b*sign(sin(u))*(abs(sin(u)) + 1e-9)^p", ""],
    { cx: "0", cy: "0", a: "1.2", b: "0.8", p: "0.6" },
  ),
  wave: form(
    wording.forms.wave,
    ["u + x0", "y0 + h*sin(k*u)", ""],
    { x0: "-1.5", y0: "0", h: "0.4", k: "4" },
    ["0", "3"],
  ),
  rose: form(wording.forms.rose, ["cx + r*(1 + d*cos(5*u))*cos(u)", "cy + r*(1 + d*cos(5*u))*sin(u)", ""], {
    cx: "0",
    cy: "0",
    r: "1",
    d: "0.3",
  }),
  helix: form(wording.forms.helix, ["r*cos(u)", "r*sin(u)", "z0 + h*u"], { r: "0.6", z0: "0.2", h: "0.1" }, [
    "0",
    "6*pi",
  ]),
};
export const SURFACE = form(
  wording.forms.surface,
  ["r*cos(u)*cos(v)", "r*sin(u)*cos(v)", "z0 + h*sin(v)"],
  { r: "0.8", h: "0.8", z0: "1" },
  ["0", "2*pi", "-1.5", "1.5"],
);

/** Texts of a curve with a place: of one in which no name may change, so that it has something of its own. */
export function placed(texts: readonly string[]): { texts: string[]; names: string[] } {
  const names = ["x0", "y0", "z0"].slice(0, texts.length);
  return {
    texts: texts.map((text, i) => `${/\bif\b/.test(text) ? `(${text})` : text} + ${names[i]}`),
    names,
  };
}
