// What the server calls things, in the language of the page where that has words for it: types, models, guides.
import type { Hello, TypeInfo } from "../wire/protocol";
import { inWords } from "../wording/spoken";

/** Two types may have one name in English: then German has it with the type before it. */
function namesOf({ name, title, word }: TypeInfo): { title: string; word: string } {
  const own = (said: string): string => {
    const key = `${name}/${said}`;
    const found = inWords(key);
    return found === key ? inWords(said) : found;
  };
  return { title: own(title), word: own(word) };
}

export function heard(hello: Hello): Hello {
  return {
    ...hello,
    types: hello.types.map((type) => ({ ...type, ...namesOf(type) })),
    fits: hello.fits.map((model) => ({ ...model, title: inWords(model.title) })),
    guides: hello.guides.map((guide) => ({
      ...guide,
      title: inWords(guide.title),
      hints: guide.hints.map((hint) => ({ ...hint, text: inWords(hint.text) })),
      steps: guide.steps.map(({ title, text }) => ({ title: inWords(title), text: inWords(text) })),
    })),
  };
}
