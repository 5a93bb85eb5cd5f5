// Searching among commands: all words must be found, and those whose title is most like the whole text come first.

import { wording } from "../wording/spoken";

/** What is searched of a command. */
export interface Listed {
  id: string;
  title: string;
  menu: string;
  group?: string;
  python?: string;
}

/** A command's title as it stands in the list of all. */
export function listedTitle(command: Listed): string {
  return command.menu === "Insert" ? wording.palette.insertIt({ title: command.title }) : command.title;
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[\s:]+/)
    .filter(Boolean);
}

/** Commands in which all words are found, the best first. */
export function ranked<T extends Listed>(commands: readonly T[], search: string): T[] {
  const words = wordsOf(search);
  return commands
    .filter((one) => one.id !== "palette" && one.group !== "Keys")
    .filter((one) => {
      const text = `${one.title} ${one.menu} ${one.group ?? ""} ${one.python ?? ""}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .map((one) => ({ one, rank: rankOf(one, words) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ one }) => one);
}

function rankOf(command: Listed, words: readonly string[]): number {
  const whole = words.join(" ");
  const titles = [command.title, listedTitle(command)].map((title) => wordsOf(title).join(" "));
  const tests = [
    (title: string) => title === whole,
    (title: string) => title.startsWith(whole),
    (title: string) => title.includes(whole),
    (title: string) => title.startsWith(words[0] ?? ""),
    (title: string) => words.every((word) => title.includes(word)),
  ];
  const best = tests.findIndex((test) => titles.some(test));
  return best < 0 ? tests.length : best;
}
