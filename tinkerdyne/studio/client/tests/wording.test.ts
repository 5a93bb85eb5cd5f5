// The languages: which one is spoken, and that all that the page says stands in src/wording.
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { de } from "../src/wording/de";
import { en } from "../src/wording/en";
import { languageOf } from "../src/wording/spoken";

describe("the language", () => {
  it("is the first that is wanted and known, in any of its countries", () => {
    expect(languageOf([null, null, "fr-CH", "de-AT", "en"])).toBe("de");
    expect(languageOf(["en", "de"])).toBe("en");
    expect(languageOf(["xx", null])).toBe("en");
  });
});

/** All texts of a language by their paths; those that take something are shown what they are given. */
function texts(of: object, path = ""): [string, string][] {
  return Object.entries(of).flatMap(([key, value]) => {
    const at = `${path}.${key}`;
    if (typeof value === "string") return [[at, value]];
    if (typeof value === "function")
      return [[at, String(value(new Proxy({}, { get: (_, name) => `<${String(name)}>` })))]];
    return texts(value, at);
  });
}

const slots = (text: string): string[] => (text.match(/[<{]\w+[>}]/g) ?? []).sort();

describe("German", () => {
  const german = new Map(texts(de));
  const english = texts(en);

  it("says all that it is given", () => {
    const differing = english.filter(
      ([at, text]) => String(slots(german.get(at) ?? "")) !== String(slots(text)),
    );
    expect(differing.map(([at]) => at)).toEqual([]);
  });

  it("keeps the blanks at the ends of what is put together", () => {
    const ends = (text: string): string => `${/^\s*/.exec(text)}|${/\s*$/.exec(text)}`;
    expect(english.filter(([at, text]) => ends(german.get(at) ?? "") !== ends(text))).toEqual([]);
  });
});

const VISIBLE = /^(aria-label|aria-description|title|placeholder|alt|label|caption|word|text)$/;
const SPOKEN = /^(text|detail|title|word|says|label|caption)$/;
/** Units, formats and names, which are the same everywhere. */
const SAME =
  /^(N|N m|Pa|J|W|s|ms|m|cm|mm|rad|g|px|x|y|z|u|v|N, N m|wxyz|xyzw|txyz|CSV|JSON|SVG|PNG|Tinkerdyne|F\d|[A-Z]|J K)$/;
const isText = (text: string): boolean => /\p{L}/u.test(text) && !SAME.test(text.trim());
const isSentence = (text: string): boolean =>
  isText(text) && /\p{L}[\p{L},.;:!?…]*\s+\p{L}|^\s*\p{Lu}\p{Ll}/u.test(text);

/** Why a literal is none of the page's words: it is a key, a class, a formula, a line of Python, a shader … */
function isExempt(node: ts.Node, text: string): boolean {
  const parent = node.parent;
  if (/^(Arrow\w+|Enter|Escape|Tab|Space|Home|End|Delete|Backspace|(Ctrl|Shift)\+.*)$/.test(text))
    return true;
  if (
    /^(part x|typed (curve|surface)|(low|high) bound|snake (link|end)|flat (pin|nail)|… of many|… first tension)$/.test(
      text,
    )
  )
    return true; // names within the page
  if (/^(File|Edit|Insert|View|Run|Help|Files|x, y\n[\s\S]*)$/.test(text)) return true; // ids of menus, of what is dropped; data
  if (
    /world\.|\w\(.*\)$|^\w+ = |[=^|*/].*\w|_dot$|^m g p\.y$|gl_Position|gl_FragColor|^[Mm]-?\d|rgba?\(|^\d+px |\[role\]/.test(
      text,
    )
  )
    return true; // Python, formulas, shaders, paths
  if (ts.isPropertyAssignment(parent) && parent.initializer === node)
    return /^(type|id|do|edit|menu|group|keys|python|key|role|kind|font|pattern)$/.test(
      parent.name.getText(),
    );
  if (ts.isPropertyAssignment(parent) || ts.isCaseClause(parent) || ts.isElementAccessExpression(parent))
    return true;
  if (ts.isBinaryExpression(parent) && /^(===|!==|in)$/.test(parent.operatorToken.getText())) return true;
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent))
    return /querySelector|matchMedia|closest|matches|remember|typeFor|roleOf|Error$|createElement|keysShown/.test(
      parent.expression.getText(),
    );
  return false;
}

/** Whether it is what a notice says. */
function isSaid(call: ts.Node, child: ts.Node): boolean {
  return (
    ts.isCallExpression(call) &&
    /^(store\.)?say$/.test(call.expression.getText()) &&
    call.arguments[0] === child
  );
}

/** Literals of a source that a person would read. */
function spokenIn(path: string, content: string): string[] {
  const source = ts.createSourceFile(path, content, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const note = (node: ts.Node, text: string): void => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    found.push(`${path}:${line + 1} ${text.trim()}`);
  };
  const visit = (node: ts.Node, isSpoken: boolean): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    let spoken = isSpoken;
    if (ts.isJsxAttribute(node)) {
      spoken = VISIBLE.test(node.name.getText());
      if (!spoken && node.initializer && ts.isStringLiteral(node.initializer)) return;
      if (/^(class|style|key|id|d|points|transform)$/.test(node.name.getText())) return;
    } else if (ts.isJsxExpression(node) && ts.isJsxElement(node.parent)) spoken = true;
    else if (ts.isPropertyAssignment(node) && SPOKEN.test(node.name.getText())) spoken = true;
    else if (ts.isCallExpression(node)) spoken = false;
    else if (ts.isConditionalExpression(node)) visit(node.condition, false);
    else if (ts.isJsxText(node) && isText(node.text)) note(node, node.text);
    else if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      const pieces = ts.isTemplateExpression(node)
        ? [node.head.text, ...node.templateSpans.map((span) => span.literal.text)]
        : [node.text];
      const text = pieces.join("…");
      if (pieces.some(spoken ? isText : isSentence) && !isExempt(node, text)) note(node, text);
    }
    ts.forEachChild(node, (child) => {
      if (ts.isConditionalExpression(node) && child === node.condition) return;
      visit(child, spoken || isSaid(node, child));
    });
  };
  visit(source, false);
  return found;
}

describe("the page", () => {
  it("says nothing that is not in src/wording", () => {
    const sources = Object.entries(
      import.meta.glob<string>("../src/**/*.{ts,tsx}", { query: "?raw", import: "default", eager: true }),
    ).filter(([path]) => !/src\/wording\/|protocol/.test(path));
    expect(sources.length).toBeGreaterThan(50);
    expect(sources.flatMap(([path, text]) => spokenIn(path, text))).toEqual([]);
  }, 120_000);
});
