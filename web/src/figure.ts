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

// `draw` makes the chart for a width.
export function figure(draw: (width: number) => Chart, label: string): HTMLElement {
  const holder = h('div', { class: 'drawing' });
  const numbers = h('details', { class: 'numbers' }, h('summary', {}, 'Numbers'));
  const element = h('figure', {}, holder, numbers);
  let width = 0;
  const update = (): void => {
    const room = Math.floor(holder.clientWidth);
    if (room === width || room < 40) return;
    width = room;
    const chart = draw(width);
    replace(holder, svgElement(chart.svg));
    if (numbers.childElementCount === 1) numbers.append(plainTable(chart.table.columns, chart.table.rows, label));
  };
  new ResizeObserver(update).observe(holder);
  return element;
}
