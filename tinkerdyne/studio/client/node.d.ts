// The little of Node that vite.config.ts uses.
declare module "node:fs" {
  export function existsSync(path: string): boolean;
  export function readFileSync(path: string, encoding: "utf8"): string;
}
declare module "node:path" {
  export function dirname(path: string): string;
  export function resolve(...parts: string[]): string;
}
declare module "node:zlib" {
  export function gzipSync(text: string, options: { level: number }): Uint8Array;
}
