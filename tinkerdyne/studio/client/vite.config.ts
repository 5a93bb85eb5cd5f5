// Two pages: the studio (index.html and its assets), and the replay, which is one file with everything in it.
import { defineConfig, type Plugin } from "vite";

/** Puts scripts and styles of the replay into its page, so that it opens without a server. */
function inlined(): Plugin {
  return {
    name: "inlined",
    enforce: "post",
    generateBundle(_options, bundle) {
      const page = bundle["replay.html"];
      if (page?.type !== "asset") throw new Error("replay.html is missing from the bundle");
      let html = String(page.source);
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type === "chunk") {
          const code = file.code.replaceAll("</script", "<\\/script");
          html = html.replace(new RegExp(`\\s*<script type="module"[^>]*${file.fileName}"></script>`), "");
          html = html.replace("</body>", () => `<script type="module">${code}</script>\n</body>`);
        } else if (name.endsWith(".css")) {
          html = html.replace(
            new RegExp(`\\s*<link rel="stylesheet"[^>]*${name}">`),
            () => `\n<style>${String(file.source)}</style>`,
          );
        } else continue;
        delete bundle[name];
      }
      page.source = html;
    },
  };
}

export default defineConfig(({ mode }) => {
  const isReplay = mode === "replay";
  return {
    base: "./",
    plugins: isReplay ? [inlined()] : [],
    define: { "process.env.NODE_ENV": '"production"' },
    build: {
      outDir: "dist",
      emptyOutDir: !isReplay,
      target: "es2022",
      modulePreload: false,
      cssCodeSplit: false,
      chunkSizeWarningLimit: 1200,
      rollupOptions: { input: isReplay ? "replay.html" : "index.html" },
    },
  };
});
