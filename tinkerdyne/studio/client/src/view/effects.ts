// Effects: shadows, smooth edges and fine pixels, where a graphics card draws them.

const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;
const query = new URLSearchParams(location.search);
const asked = query.get("lowfx"); // "1": few effects, "0": all, whoever draws
const isFilm = query.get("film") === "1" || location.hash.startsWith("#film"); // pictures may take their time

/** Whether the processor draws in place of a graphics card. */
function drawsInSoftware(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  const named = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = gl && named ? String(gl.getParameter(named.UNMASKED_RENDERER_WEBGL)) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return SOFTWARE.test(name);
}

/** Effects are few because this browser draws in software, not because that was asked for. */
export const isSpared = asked === null && !isFilm && drawsInSoftware();
export const isLowEffects = asked === "1" || isSpared;

/** Load the page anew with few effects, or with all. */
export function switchEffects(): void {
  const url = new URL(location.href);
  url.searchParams.set("lowfx", isLowEffects ? "0" : "1");
  location.assign(url);
}
