// Three pages: the studio (index.html and its assets), and the replay and the live page, each of which is one file with
// everything in it; and a script by which other pages show live pages.
import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { type BuildOptions, defineConfig, type Plugin } from "vite";
import { unpacked } from "./src/wire/unpack";

const TOO_OLD = "This page needs a newer browser: it cannot unpack what is in it";

/** A script that is only text, as `packed` of tinkerdyne/studio/show/written.py writes it. */
function packed(name: string, code: string): string {
  const bytes = gzipSync(code, { level: 9 });
  let text = "";
  for (let bit = 0; bit < 8 * bytes.length; bit += 7) {
    const at = bit >> 3;
    const two = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
    const seven = (two >> (9 - (bit & 7))) & 127;
    text += String.fromCharCode([0, 13, 60].includes(seven) ? seven + 128 : seven);
  }
  return `<script type="text/plain" id="${name}">${text}</script>`;
}

/** Tells the licences beside the studio's page. */
const telling: Plugin = {
  name: "telling",
  generateBundle() {
    this.emitFile({ type: "asset", fileName: "NOTICES.txt", source: notices() });
  },
};

/** Unpacks the page's script, and runs it. */
function runs(name: string): string {
  return `<script>
${unpacked.toString()}
unpacked(${JSON.stringify(name)}).then(async (code) => {
  const script = document.createElement("script");
  script.type = "module";
  script.textContent = new TextDecoder().decode(code);
  document.body.append(script);
}).catch((problem) => document.body.append(${JSON.stringify(TOO_OLD)} + " (" + problem.message + ")."));
</script>`;
}

/** A script that gives the page its styles: they are packed with the code that way. */
function dresses(styles: string): string {
  return styles
    ? `document.head.append(Object.assign(document.createElement("style"),{textContent:${JSON.stringify(styles)}}));\n`
    : "";
}

/** The licences of the libraries that are in the pages, as they ask for. */
function notices(): string {
  const { dependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
    dependencies: Record<string, string>;
  };
  const each = [...Object.keys(dependencies), "@preact/signals-core"].map((name) => {
    const folder = `node_modules/${name}`;
    const { version } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8")) as { version: string };
    return `${name} ${version}\n\n${readFileSync(`${folder}/LICENSE`, "utf8").trim()}`;
  });
  const own = readFileSync("../../../LICENSE", "utf8").trim();
  return [`Tinkerdyne\n\n${own}`, ...each].join("\n\n----\n\n");
}

/** The files that a module leads to, itself among them, of those in src. */
function leadsTo(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, to = ""] of readFileSync(file, "utf8").matchAll(/(?:from|import) "(\.[^"]+)"/g)) {
    const base = resolve(dirname(file), to);
    const next = ["", ".ts", ".tsx"]
      .map((end) => base + end)
      .find((path) => /\.tsx?$/.test(path) && existsSync(path));
    if (next) leadsTo(next, found);
  }
  return found;
}

/** Leaves out what a page of one file never says: it holds every language. */
function saysLess(entry: string): Plugin {
  const wordings = ["en.ts", "de.ts"].map((name) => resolve("src/wording", name));
  const said = new Set<string>(); // "group.text", or a whole "group."
  return {
    name: "says-less",
    enforce: "pre",
    buildStart() {
      for (const file of leadsTo(resolve(entry)))
        if (!wordings.includes(file))
          for (const [, group, text = ""] of readFileSync(file, "utf8").matchAll(
            /wording\.(\w+)(?:\.(\w+))?/g,
          ))
            said.add(`${group}.${text}`);
    },
    transform(code, id) {
      if (!wordings.includes(id)) return null;
      return code.replace(
        /^ {2}(\w+): \{\n([\s\S]*?)^ {2}\},\n/gm,
        (whole, group: string, inside: string) => {
          if (said.has(`${group}.`)) return whole;
          const texts = inside.split(/^(?= {4}\w+:)/m);
          const kept = texts.filter((text) => said.has(`${group}.${text.trim().split(":")[0]}`));
          return kept.length ? `  ${group}: {\n${kept.join("")}  },\n` : "";
        },
      );
    },
  };
}

const UNUSED = ["background", "backgroundCube", "cube", "distanceRGBA", "equirect", "sprite"].concat(
  ["lambert", "matcap", "normal", "phong", "toon"].map((kind) => `mesh${kind}`),
);

/** Leaves out of three.js the shaders of materials that nothing here is made of. */
const fewerShaders: Plugin = {
  name: "fewer-shaders",
  enforce: "pre",
  transform(code, id) {
    if (!id.endsWith("three.module.js")) return null;
    return UNUSED.flatMap((name) => [`${name}_vert`, `${name}_frag`]).reduce((text, name) => {
      const [, shader = ""] = new RegExp(`\\b${name}: ([\\w$]+)`).exec(text) ?? [];
      if (!shader) throw new Error(`three.js has no shader ${name} any more`);
      const at = text.indexOf(`const ${shader} = "`);
      return `${text.slice(0, at)}const ${shader} = "";${text.slice(text.indexOf("\n", at))}`;
    }, code);
  },
};

/** Puts scripts and styles of a page into it, so that it opens without a server. */
function inlined(name: string): Plugin {
  return {
    name: "inlined",
    enforce: "post",
    generateBundle(_options, bundle) {
      const page = bundle[`${name}.html`];
      if (page?.type !== "asset") throw new Error(`${name}.html is missing from the bundle`);
      let html = String(page.source);
      let styles = "";
      for (const [part, file] of Object.entries(bundle)) {
        if (!part.endsWith(".css") || file.type !== "asset") continue;
        styles += String(file.source);
        html = html.replace(new RegExp(`\\s*<link rel="stylesheet"[^>]*${part}">`), "");
        delete bundle[part];
      }
      for (const [part, file] of Object.entries(bundle)) {
        if (file.type === "chunk") {
          const script = packed("page", dresses(styles) + file.code);
          html = html.replace(new RegExp(`\\s*<script type="module"[^>]*${file.fileName}"></script>`), "");
          html = html.replace("</body>", () => `${script}\n${runs("page")}\n</body>`);
        } else continue;
        delete bundle[part];
      }
      page.source = html.replace("<head>", () => `<head>\n<!--\n${notices()}\n-->`);
    },
  };
}

/** Scripts for other pages, and for notebooks. */
const SCRIPTS: Readonly<Record<string, string>> = { embed: "tinkerdyne-world.js", notebook: "notebook.js" };

function script(name: string, file: string): BuildOptions {
  return {
    outDir: "dist",
    emptyOutDir: false,
    target: "es2022",
    lib: { entry: `src/${name}.ts`, formats: ["es"], fileName: () => file },
  };
}

export default defineConfig(({ mode }) => {
  const single = ["replay", "live"].find((name) => name === mode);
  const file = SCRIPTS[mode];
  if (file) return { build: script(mode, file) };
  return {
    base: "./",
    plugins: single ? [saysLess(`src/${single}.tsx`), fewerShaders, inlined(single)] : [telling],
    define: { "process.env.NODE_ENV": '"production"' },
    build: {
      outDir: "dist",
      emptyOutDir: !single,
      target: "es2022",
      modulePreload: false,
      cssCodeSplit: false,
      chunkSizeWarningLimit: 1200,
      rollupOptions: {
        input: single ? `${single}.html` : "index.html",
        output: { inlineDynamicImports: single !== undefined },
      },
    },
  };
});
