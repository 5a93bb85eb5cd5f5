// What the server calls things, in the language of the page where that has words for it: types, models, guides.
import type { Hello } from "../wire/protocol";
import { inWords } from "../wording/spoken";

export function heard(hello: Hello): Hello {
  return {
    ...hello,
    types: hello.types.map((type) => ({ ...type, title: inWords(type.title), word: inWords(type.word) })),
    fits: hello.fits.map((model) => ({ ...model, title: inWords(model.title) })),
    guides: hello.guides.map((guide) => ({
      ...guide,
      title: inWords(guide.title),
      hints: guide.hints.map((hint) => ({ ...hint, text: inWords(hint.text) })),
      steps: guide.steps.map(({ title, text }) => ({ title: inWords(title), text: inWords(text) })),
    })),
  };
}
