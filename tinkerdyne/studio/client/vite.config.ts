// Three pages: the studio (index.html and its assets), and the replay and the live page, each of which is one file with
// everything in it.
import { defineConfig, type Plugin } from "vite";

/** Puts scripts and styles of a page into it, so that it opens without a server. */
function inlined(name: string): Plugin {
  return {
    name: "inlined",
    enforce: "post",
    generateBundle(_options, bundle) {
      const page = bundle[`${name}.html`];
      if (page?.type !== "asset") throw new Error(`${name}.html is missing from the bundle`);
      let html = String(page.source);
      for (const [part, file] of Object.entries(bundle)) {
        if (file.type === "chunk") {
          const code = file.code.replaceAll("</script", "<\\/script");
          html = html.replace(new RegExp(`\\s*<script type="module"[^>]*${file.fileName}"></script>`), "");
          html = html.replace("</body>", () => `<script type="module">${code}</script>\n</body>`);
        } else if (part.endsWith(".css")) {
          html = html.replace(
            new RegExp(`\\s*<link rel="stylesheet"[^>]*${part}">`),
            () => `\n<style>${String(file.source)}</style>`,
          );
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
