// A list that is searched, sorted and turned in pages, of any length: only the
// rows of one page are elements.
import { h, newId, replace, type Child } from './dom';

export interface ListColumn {
  name: string;
  meaning?: string;
  text: (row: number) => string;
  // What rows are sorted by; without it, they are sorted by their texts.
  value?: (row: number) => number;
  // Instead of the text alone.
  show?: (row: number) => Child;
}

export interface ListOptions {
  label: string;
  noun: string; // "regions"
  count: number;
  columns: ListColumn[];
  sortedBy?: { column: number; descending: boolean };
  pageSize?: number;
}

// The rows whose texts contain all words, in the wanted order.
export function arranged(
  options: Pick<ListOptions, 'count' | 'columns'>,
  search: string,
  order: { column: number; descending: boolean } | null,
): number[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const texts = options.columns.filter((column) => !column.value);
  let rows = Array.from({ length: options.count }, (_, i) => i);
  if (words.length > 0) {
    rows = rows.filter((row) => {
      const all = texts.map((column) => column.text(row).toLowerCase()).join('\n');
      return words.every((word) => all.includes(word));
    });
  }
  const column = order ? options.columns[order.column] : undefined;
  if (!order || !column) return rows;
  const sign = order.descending ? -1 : 1;
  const { value } = column;
  if (value) {
    // What is not known comes last.
    const key = (row: number): number => {
      const number = value(row);
      return Number.isNaN(number) ? Infinity : sign * number;
    };
    return rows.map((row) => [key(row), row] as const).sort((a, b) => (a[0] === b[0] ? a[1] - b[1] : a[0] - b[0])).map(([, row]) => row);
  }
  return rows.sort((a, b) => sign * column.text(a).localeCompare(column.text(b), 'en', { numeric: true }));
}

// What columns mean, those of one meaning together: "useful, LB: % of ...".
export function meanings(columns: Pick<ListColumn, 'name' | 'meaning'>[]): string {
  const all = new Map<string, string[]>();
  for (const { name, meaning } of columns) if (meaning) all.set(meaning, [...(all.get(meaning) ?? []), name]);
  return [...all].map(([meaning, names]) => `${names.join(', ')}: ${meaning}`).join('; ');
}

export function list(options: ListOptions): HTMLElement {
  const size = options.pageSize ?? 15;
  const isLong = options.count > size;
  let order = options.sortedBy ?? null;
  let page = 0;
  let rows: number[] = [];

  const heads = options.columns.map((column, i) => {
    const button = h('button', { type: 'button', title: column.meaning ?? null }, column.name);
    button.addEventListener('click', () => {
      order = {
        column: i,
        descending: order?.column === i ? !order.descending : column.value !== undefined,
      };
      page = 0;
      update();
    });
    // A column without a name is sorted by no one.
    return h('th', { scope: 'col', class: column.value && i > 0 ? 'numeric' : '' }, column.name ? button : null);
  });
  const body = h('tbody');
  const status = h('span', { role: 'status', class: 'status' });
  // Paper has no buttons, and says what it lacks.
  const onPaper = h('p', { class: 'note on-paper' });
  const search = h('input', { type: 'search', id: newId('search'), placeholder: 'Search', autocomplete: 'off' });
  const back = h('button', { type: 'button', 'aria-label': 'Previous page' }, '‹');
  const on = h('button', { type: 'button', 'aria-label': 'Next page' }, '›');
  back.addEventListener('click', () => turn(-1));
  on.addEventListener('click', () => turn(1));
  search.addEventListener('input', () => {
    page = 0;
    update();
  });
  const turn = (by: number): void => {
    page += by;
    show();
  };

  const show = (): void => {
    const first = page * size;
    const shown = rows.slice(first, first + size);
    replace(
      body,
      ...shown.map((row) =>
        h(
          'tr',
          {},
          ...options.columns.map((column, i) => {
            const child = column.show?.(row) ?? column.text(row);
            return i === 0
              ? h('th', { scope: 'row' }, child)
              : h('td', { class: column.value ? 'numeric' : '' }, child);
          }),
        ),
      ),
    );
    status.textContent =
      rows.length === 0
        ? `no such ${options.noun}`
        : isLong
          ? `${first + 1}–${first + shown.length} of ${rows.length} ${options.noun}`
          : '';
    onPaper.textContent = status.textContent;
    back.disabled = page === 0;
    on.disabled = first + size >= rows.length;
  };
  const update = (): void => {
    rows = arranged(options, search.value, order);
    heads.forEach((head, i) => {
      if (order?.column === i) head.setAttribute('aria-sort', order.descending ? 'descending' : 'ascending');
      else head.removeAttribute('aria-sort');
    });
    show();
  };
  update();
  const meaning = meanings(options.columns);
  const table = h('table', { class: 'list' }, h('caption', { class: 'unseen' }, options.label), h('thead', {}, h('tr', {}, ...heads)), body);
  return h(
    'div',
    { class: 'listing' },
    isLong &&
      h(
        'div',
        { class: 'bar' },
        h('label', { class: 'unseen', for: search.id }, `Search ${options.noun}`),
        search,
        h('span', { class: 'pages' }, back, on),
        status,
      ),
    h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': options.label }, table),
    isLong ? onPaper : null,
    meaning ? h('p', { class: 'note' }, `${meaning}.`) : null,
  );
}
