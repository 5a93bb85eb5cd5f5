// Files to the server, in parts over the socket, and from it to the person.
import { ask } from "../state/session";

const PART = 480_000; // bytes of a file in one message
let brought = 0;

/** Bring files to the server; their names there. */
export async function uploadFiles(files: readonly File[]): Promise<string[]> {
  const names: string[] = [];
  for (const file of files) {
    const name =
      files.length > 1 ? `${String(++brought).padStart(5, "0")} ${file.name}` : file.name || "file";
    const size = file.size;
    for (let offset = 0; offset < size || offset === 0; offset += PART) {
      const bytes = new Uint8Array(await file.slice(offset, offset + PART).arrayBuffer());
      await ask({ do: "upload", file: name, offset, size, data: base64(bytes) });
    }
    names.push(name);
  }
  return names;
}

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(text);
}

/** Give something to the person as a file. */
export function download(name: string, content: BlobPart, kind: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type: kind }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Have the person choose files. */
export function chooseFiles(accept: string, isMany = false): Promise<File[]> {
  return new Promise((done) => {
    const input = document.createElement("input");
    input.type = "file";
    input.accept = accept;
    input.multiple = isMany;
    input.addEventListener("change", () => done([...(input.files ?? [])]));
    input.addEventListener("cancel", () => done([]));
    input.click();
  });
}
