// The little of a browser that modules ask for while they load: no storage, no graphics, a light theme.
import { vi } from "vitest";

const canvas = { getContext: () => null };
vi.stubGlobal("location", new URL("http://localhost/"));
vi.stubGlobal("navigator", { languages: ["en"] });
vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }));
vi.stubGlobal("document", { createElement: () => canvas, documentElement: { dataset: {} }, title: "" });
