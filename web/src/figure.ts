// A chart in the page: drawn for the room that it has, with its numbers as a
// table below.
import { svgElement, type Chart } from './charts/svg';
import { h, replace } from './dom';

export function plainTable(columns: string[], rows: string[][], label: string): HTMLElement {
  return h(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label },
    h(
      'table',
      { class: 'list' },
      h('caption', { class: 'unseen' }, label),
      h('thead', {}, h('tr', {}, ...columns.map((name, i) => h('th', { scope: 'col', class: i > 0 ? 'numeric' : '' }, name)))),
      h(
        'tbody',
        {},
        ...rows.map((row) =>
          h('tr', {}, ...row.map((text, i) => (i === 0 ? h('th', { scope: 'row' }, text) : h('td', { class: 'numeric' }, text)))),
        ),
      ),
    ),
  );
}

// What there is room for on paper, A4 or Letter, and in one of two columns.
const PAPER_WIDTH = 700;
const PAPER_COLUMN = 330;
const PRINT = 'poprt-print';
const SCREEN = 'poprt-screen';
let isPrinting = false;

// Charts are drawn for the paper before it is printed on, and for the screen
// again when that is done: shrunk, their texts would be too small.
export function startPrinting(): void {
  const tell = (event: string) => () => {
    isPrinting = event === PRINT;
    for (const each of document.querySelectorAll('.drawing')) each.dispatchEvent(new Event(event));
  };
  window.addEventListener('beforeprint', tell(PRINT));
  window.addEventListener('afterprint', tell(SCREEN));
}

// `draw` makes the chart for a width.
export function figure(draw: (width: number) => Chart, label: string): HTMLElement {
  const holder = h('div', { class: 'drawing' });
  const numbers = h('details', { class: 'numbers' }, h('summary', {}, 'Numbers'));
  const element = h('figure', {}, holder, numbers);
  let width = 0;
  const drawFor = (room: number): void => {
    if (room === width || room < 40) return;
    width = room;
    const chart = draw(width);
    replace(holder, svgElement(chart.svg));
    if (numbers.childElementCount === 1) numbers.append(plainTable(chart.table.columns, chart.table.rows, label));
  };
  const update = (): void => {
    if (!isPrinting) drawFor(Math.floor(holder.clientWidth));
  };
  new ResizeObserver(update).observe(holder);
  // A page that is printed before it was shown has no room yet.
  holder.addEventListener(PRINT, () => drawFor(Math.min(width || PAPER_WIDTH, holder.closest('.pair') ? PAPER_COLUMN : PAPER_WIDTH)));
  holder.addEventListener(SCREEN, update);
  return element;
}
