// The efficiency table of a run: models, regions, per cent or loss.
import type { Model, PageData, Row, Run, Table } from '../data';
import { h, replace, type Child } from '../dom';
import { distinct } from '../charts/names';
import { explanation, isGraded } from '../explain';
import { pager } from '../pager';
import { foldButton, treegrid, type Treegrid } from '../treegrid';
import { choice, section } from './section';

const MOST_COLUMNS = 8;
const NARROW = 600;
const HEAD = 190; // of the name of a column, in pixels

// What the colours of the numbers that are shown mean.
function keyOf({ thresholds }: PageData, run: Run, areLosses: boolean): Child[] {
  if (run.light === 'red') return [h('span', { class: 'swatch unjudged' }), 'not judged: the light of this run is red'];
  const limit = (part: number): string => `${Math.round(100 * (areLosses ? 1 - part : part))} %`;
  return [
    h('span', { class: 'swatch good' }),
    `good, ${limit(thresholds.good)} and ${areLosses ? 'less' : 'more'} `,
    h('span', { class: 'swatch attention' }),
    '! wants attention ',
    h('span', { class: 'swatch poor' }),
    `x poor, ${areLosses ? 'above' : 'below'} ${limit(thresholds.poor)}`,
  ];
}

// A table for each of the two ways in which a model splits the same loss.
function tablesOf(table: Table, both: Model['both_layers']): Table[] {
  if (!both) return [table];
  const isOfBoth = (row: Row): boolean => both.rows.includes(row.key ?? '');
  const rows = table.rows.filter(isOfBoth).map((row) => ({ ...row, depth: (row.depth ?? 1) - 1 }));
  return [
    { ...table, rows: table.rows.filter((row) => !isOfBoth(row)) },
    { ...table, title: both.title, rows },
  ];
}

export function efficiency(data: PageData, run: Run): HTMLElement {
  const holder = h('div');
  const notes = h('div', { class: 'notes' });
  const title = h('p', { class: 'table-title' });
  const key = h('p', { class: 'key' });
  const lead = h('span');
  const folded = new Set<string>();
  const first = run.models.find((model) => model.key === run.first_model) ?? run.models[0];
  if (!first) return section('Efficiencies', 'Nothing was measured.');
  let model = first;
  let view = data.first.view;
  let grids: Treegrid[] = [];

  // About three lines of a head.
  const heads = distinct(run.regions.map((each) => each.name), HEAD);
  const perPage = (): number => {
    const room = holder.clientWidth;
    if (room === 0) return 5;
    const [names, column] = room < NARROW ? [170, 72] : [400, 99];
    return Math.max(1, Math.min(MOST_COLUMNS, Math.floor((room - names) / column)));
  };

  const show = (shown: number[]): void => {
    const table = view === 'loss' && model.losses ? model.losses : model.table;
    const columns = [...shown];
    if (table.apart !== undefined && shown.includes(0)) columns.push(table.columns.length - 1);
    const tables = tablesOf(table, model.both_layers);
    grids = tables.map((each) =>
      treegrid(each, {
        label: each.title ?? model.label,
        columns,
        heads,
        red: run.light === 'red' ? shown : [],
        isGraded: (row) => isGraded(data, model.key, row),
        thresholds: data.thresholds,
        areLosses: view === 'loss',
        folded,
        explain: (row, column, cell) => {
          const isApart = table.apart !== undefined && column === table.columns.length - 1;
          return explanation(data, run, model.key, isApart ? null : column, row, isApart ? null : cell);
        },
      }),
    );
    replace(
      holder,
      ...grids.flatMap((grid, i) => [i > 0 ? h('p', { class: 'table-title' }, tables[i]?.title ?? '') : null, grid.element]),
    );
    replace(key, ...keyOf(data, run, view === 'loss'));
    lead.textContent = view === 'loss' ? 'What of 100 % was lost.' : 'What 100 % would be, and what of it is left.';
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
      lead,
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
      foldButton(() => grids),
      pages.element,
    ),
    title,
    holder,
    key,
    notes,
  );
}
