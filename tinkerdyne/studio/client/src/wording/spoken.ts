// The language of the page: by the address (?lang=de), else as it was chosen, else as the browser wants it.
// Another one is a file like de.ts and a line here. Only the language that is spoken is loaded.

import { en, type Wording } from "./en";
import { remember, remembered } from "./memory";

const LANGUAGES = {
  en: { name: "English", load: async (): Promise<Wording> => en },
  de: { name: "Deutsch", load: async (): Promise<Wording> => (await import("./de")).de },
};

export type Language = keyof typeof LANGUAGES;

export const languages = Object.entries(LANGUAGES).map(([id, { name }]) => ({ id: id as Language, name }));

/** The first language that is wanted and there is, "de-AT" being German; else English. */
export function languageOf(wanted: readonly (string | null)[]): Language {
  const found = wanted.map((tag) => languages.find(({ id }) => id === tag?.toLowerCase().split("-")[0]));
  return found.find((one) => one)?.id ?? "en";
}

export const language = languageOf([
  new URLSearchParams(location.search).get("lang"),
  remembered("language"),
  ...navigator.languages,
]);

/** What the page says. Modules may read it while they load. */
export const wording: Wording = await LANGUAGES[language].load();
document.documentElement.lang = language;

/** Speak another language from now on: the page is loaded anew. */
export function speak(chosen: Language): void {
  remember("language", chosen);
  const address = new URL(location.href);
  address.searchParams.delete("lang");
  if (address.href === location.href) location.reload();
  else location.replace(address);
}

/** A name or a sentence of the server, where the language has its own for it. */
export function inWords(said: string): string {
  return wording.heard[said] ?? said;
}
