// A sentence with elements in it, each at its name: "{key} plans an event". The order of words is the language's own.
import type { ComponentChild } from "preact";

export function Said({ text, ...parts }: { text: string } & Readonly<Record<string, ComponentChild>>) {
  return <>{text.split(/\{(\w+)\}/).map((piece, i) => (i % 2 ? parts[piece] : piece))}</>;
}
