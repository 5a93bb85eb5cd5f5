// Three pages: the studio (index.html and its assets), and the replay and the live page, each of which is one file with
// everything in it.
import { defineConfig, type Plugin } from "vite";
import { unpacked } from "./src/wire/unpack";

const TOO_OLD = "This page needs a newer browser: it cannot unpack what is in it";

/** A script that is only text, as `packed` of tinkerdyne/studio/show/written.py writes it. */
async function packed(name: string, code: string): Promise<string> {
  const stream = new Blob([code]).stream().pipeThrough(new CompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let text = "";
  for (let bit = 0; bit < 8 * bytes.length; bit += 7) {
    const at = bit >> 3;
    const two = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
    const seven = (two >> (9 - (bit & 7))) & 127;
    text += String.fromCharCode([0, 13, 60].includes(seven) ? seven + 128 : seven);
  }
  return `<script type="text/plain" id="${name}">${text}</script>`;
}

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

/** Puts scripts and styles of a page into it, so that it opens without a server. */
function inlined(name: string): Plugin {
  return {
    name: "inlined",
    enforce: "post",
    async generateBundle(_options, bundle) {
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
          const script = await packed("page", dresses(styles) + file.code);
          html = html.replace(new RegExp(`\\s*<script type="module"[^>]*${file.fileName}"></script>`), "");
          html = html.replace("</body>", () => `${script}\n${runs("page")}\n</body>`);
        } else continue;
        delete bundle[part];
      }
      page.source = html;
    },
  };
}

export default defineConfig(({ mode }) => {
  const single = ["replay", "live"].find((name) => name === mode);
  return {
    base: "./",
    plugins: single ? [inlined(single)] : [],
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
