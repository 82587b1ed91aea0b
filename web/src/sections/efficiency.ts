// The efficiency table of a run: models, regions, per cent or loss.
import type { PageData, Run } from '../data';
import { h, replace } from '../dom';
import { explanation } from '../explain';
import { pager } from '../pager';
import { foldButton, treegrid, type Treegrid } from '../treegrid';
import { choice, section } from './section';

const MOST_COLUMNS = 8;

export function efficiency(data: PageData, run: Run): HTMLElement {
  const holder = h('div');
  const notes = h('div', { class: 'notes' });
  const title = h('p', { class: 'table-title' });
  const folded = new Set<string>();
  const first = run.models.find((model) => model.key === run.first_model) ?? run.models[0];
  if (!first) return section('Efficiencies', 'Nothing was measured.');
  let model = first;
  let view = data.first.view;
  let grid: Treegrid | undefined;

  const perPage = (): number => Math.max(1, Math.min(MOST_COLUMNS, Math.floor((holder.clientWidth - 270) / 88) || 5));

  const show = (shown: number[]): void => {
    const table = view === 'loss' && model.losses ? model.losses : model.table;
    const columns = [...shown];
    if (table.apart !== undefined && shown.includes(0)) columns.push(table.columns.length - 1);
    grid = treegrid(table, {
      label: table.title ?? model.label,
      columns,
      thresholds: data.thresholds,
      areLosses: view === 'loss',
      folded,
      explain: (row, column, cell) => {
        const isApart = table.apart !== undefined && column === table.columns.length - 1;
        return explanation(data, run, model.key, isApart ? null : column, row, isApart ? null : cell);
      },
    });
    replace(holder, grid.element);
    title.textContent = table.title ?? '';
    const apart = columns.length > shown.length ? table.apart : undefined;
    replace(notes, apart ? h('p', {}, `${apart}.`) : null, ...(table.notes ?? []).map((note) => h('p', {}, note)));
  };
  const pages = pager({ noun: 'regions', names: run.regions.map((each) => each.name), size: perPage, show, searchedFrom: 4, chosen: data.first.regions });
  const { update } = pages;
  const views = choice(
    'Numbers',
    [
      { key: 'efficiency', name: 'Efficiency' },
      { key: 'loss', name: 'Loss' },
    ],
    view,
    (key) => {
      view = key;
      update();
    },
  );
  const models = choice(
    'Model',
    run.models.map((each) => ({ key: each.key, name: each.label })),
    model.key,
    (key) => {
      model = run.models.find((each) => each.key === key) ?? model;
      views.hidden = !model.losses;
      update();
    },
  );
  let width = 0;
  new ResizeObserver(() => {
    if (holder.clientWidth === width) return;
    width = holder.clientWidth;
    pages.toFirst();
  }).observe(holder);
  // A page that is printed before it was shown has no width yet.
  window.addEventListener('beforeprint', () => {
    if (width === 0) pages.toFirst();
  });
  return section(
    'Efficiencies',
    [
      'What 100 % would be, and what of it is left.',
      h(
        'span',
        { class: 'on-screen' },
        ' Point at a number, or move to it with the arrow keys, for its meaning, its formula with the numbers of this run, and advice.',
      ),
    ],
    h('div', { class: 'bar' }, models),
    h(
      'div',
      { class: 'bar' },
      views,
      foldButton(() => grid),
      pages.element,
    ),
    title,
    holder,
    h(
      'p',
      { class: 'key' },
      h('span', { class: 'swatch good' }),
      `good, ${Math.round(100 * data.thresholds.good)} % and more `,
      h('span', { class: 'swatch attention' }),
      '! wants attention ',
      h('span', { class: 'swatch poor' }),
      `x poor, below ${Math.round(100 * data.thresholds.poor)} %`,
    ),
    notes,
  );
}
