// What the Khronos validator says of glTF files, a line of JSON each:  node tests/validate.mjs a.glb b.gltf
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { validateBytes } from "gltf-validator";

for (const path of process.argv.slice(2)) {
  const bytes = new Uint8Array(readFileSync(path));
  const report = await validateBytes(bytes, {
    uri: basename(path),
    externalResourceFunction: async (uri) => new Uint8Array(readFileSync(join(dirname(path), uri))),
  });
  const { numErrors, numWarnings, messages } = report.issues;
  const { animationCount, drawCallCount } = report.info ?? {};
  console.log(
    JSON.stringify({ path: basename(path), numErrors, numWarnings, messages, animationCount, drawCallCount }),
  );
}
