import { expect, test } from "vitest";

const ORDER = ["wording", "wire", "state", "media", "view", "tools", "live", "panels", "."]; // a folder imports only from those before it

const sources = Object.entries(
  import.meta.glob<string>("../src/**/*.{ts,tsx}", { query: "?raw", import: "default", eager: true }),
).map(([path, text]): [string, string] => [path.replace("../src/", ""), text]);
const folderOf = (file: string): string => (file.includes("/") ? (file.split("/")[0] ?? "") : ".");

/** "../wire/frame" as "tools/grab.ts" has it is "wire/frame". */
function resolved(file: string, spec: string): string {
  return new URL(spec, `file:///${file}`).pathname.slice(1);
}

test("every folder has its place in the order", () => {
  expect(sources.length).toBeGreaterThan(50);
  expect([...new Set(sources.map(([file]) => folderOf(file)))].sort()).toEqual([...ORDER].sort());
});

test.each(sources)("%s imports only from folders below its own", (file, text) => {
  const imported = [...text.matchAll(/from "(\.[^"]+)"/g)].map((found) => resolved(file, found[1] ?? ""));
  const above = imported.filter((other) => ORDER.indexOf(folderOf(other)) > ORDER.indexOf(folderOf(file)));
  expect(above).toEqual([]);
});
