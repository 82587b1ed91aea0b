// What is too much to be shown at once: searched by name, and turned in pages.
import { h, newId } from './dom';

export interface PagerOptions {
  noun: string; // "regions"
  names: string[];
  size: () => number; // of a page
  show: (shown: number[]) => void; // places in `names`
  searchedFrom?: number; // how many are worth a search
  chosen?: string[]; // shown alone at first
}

export interface Pager {
  element: HTMLElement;
  update: () => void;
  toFirst: () => void;
}

// The places of the names that contain all words.
export function matching(names: string[], search: string): number[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return names.flatMap((name, i) => (words.every((word) => name.toLowerCase().includes(word)) ? [i] : []));
}

// `update` has to be called once what it shows can be shown.
export function pager(options: PagerOptions): Pager {
  const { noun, names } = options;
  const chosen = new Set(options.chosen ?? []);
  let isAll = !names.some((name) => chosen.has(name));
  let page = 0;
  const status = h('span', { role: 'status', class: 'status' });
  const search = h('input', { type: 'search', id: newId('search'), placeholder: `Find ${noun}`, autocomplete: 'off' });
  const back = h('button', { type: 'button', 'aria-label': `${noun.charAt(0).toUpperCase()}${noun.slice(1)} before these` }, '‹');
  const on = h('button', { type: 'button', 'aria-label': `More ${noun}` }, '›');
  const pages = h('span', { class: 'pages' }, back, on);
  const update = (): void => {
    const size = options.size();
    const all = matching(names, search.value).filter((i) => isAll || search.value !== '' || chosen.has(names[i] ?? ''));
    const first = page * size;
    const shown = all.slice(first, first + size);
    const isOne = all.length <= size;
    status.textContent = all.length === 0 ? `no such ${noun}` : isOne ? '' : `${noun} ${first + 1}–${first + shown.length} of ${all.length}`;
    back.disabled = page === 0;
    on.disabled = first + size >= all.length;
    pages.hidden = isOne && page === 0;
    options.show(shown);
  };
  const turn = (by: number) => () => {
    page += by;
    update();
  };
  const toFirst = (): void => {
    page = 0;
    update();
  };
  const every = h('button', { type: 'button', hidden: isAll }, `All ${noun}`);
  every.addEventListener('click', () => {
    isAll = true;
    every.hidden = true;
    toFirst();
  });
  back.addEventListener('click', turn(-1));
  on.addEventListener('click', turn(1));
  search.addEventListener('input', toFirst);
  const isSearched = names.length > (options.searchedFrom ?? options.size());
  const element = h(
    'span',
    { class: 'pager' },
    isSearched ? h('label', { class: 'unseen', for: search.id }, `Find ${noun}`) : null,
    isSearched ? search : null,
    every,
    pages,
    status,
  );
  return { element, update, toFirst };
}
