// Unit tests of what needs no browser; what a person sees is driven in a real one by tests/studio.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { include: ["tests/**/*.test.ts"], setupFiles: ["tests/browser.ts"], environment: "node", css: true },
});
