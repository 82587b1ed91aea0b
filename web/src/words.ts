// What the reader of a page has written into it, by the key of the part. A
// page cannot write to its file: it makes a copy of itself that has the words.

export type Words = Record<string, string>;

const ID = 'poprt-words';

export function readWords(): Words {
  return JSON.parse(document.getElementById(ID)?.textContent ?? '{}') as Words;
}

// JSON in a script element: no text in it can end that.
export const inScript = (words: Words): string => JSON.stringify(words).replace(/</g, '\\u003c');

// This page as it was read, with these words.
export function savedPage(words: Words): string {
  const copy = document.documentElement.cloneNode(true) as HTMLElement;
  copy.removeAttribute('data-ready');
  copy.querySelector('#page')?.replaceChildren();
  for (const tip of copy.querySelectorAll('.tip')) tip.remove();
  const place = copy.querySelector(`#${ID}`);
  if (place) place.textContent = inScript(words);
  // eslint-disable-next-line no-restricted-properties -- it is read, not written
  return `<!doctype html>\n${copy.outerHTML}\n`;
}
