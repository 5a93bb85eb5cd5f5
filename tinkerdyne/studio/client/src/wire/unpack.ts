// Bytes that stand in a page as text, as `packed` of tinkerdyne/studio/show/written.py writes them.

/** The bytes in the script of this name; null where there is none. The page's own script is read by it too: it
 * stands alone, and calls nothing of other files. */
export async function unpacked(name: string): Promise<ArrayBuffer | null> {
  const text = document.getElementById(name)?.textContent;
  if (!text) return null;
  const bytes = new Uint8Array(Math.floor((7 * text.length) / 8));
  let [at, bits, held] = [0, 0, 0];
  for (let k = 0; k < text.length && at < bytes.length; k++) {
    held = ((held << 7) | (text.charCodeAt(k) & 127)) & 0xffff;
    bits += 7;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at++] = held >> bits;
  }
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}
