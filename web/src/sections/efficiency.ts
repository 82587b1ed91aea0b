// The efficiency table of a run: models, regions, per cent or loss.
import type { PageData, Run } from '../data';
import { h, newId, replace } from '../dom';
import { explanation } from '../explain';
import { treegrid, type Treegrid } from '../treegrid';
import { choice, section } from './section';

const MOST_COLUMNS = 8;

export function efficiency(data: PageData, run: Run): HTMLElement {
  const holder = h('div');
  const notes = h('div', { class: 'notes' });
  const title = h('p', { class: 'table-title' });
  const status = h('span', { role: 'status', class: 'status' });
  const folded = new Set<string>();
  const first = run.models.find((model) => model.key === run.first_model) ?? run.models[0];
  if (!first) return section('Efficiencies', 'Nothing was measured.');
  let model = first;
  let view: 'efficiency' | 'loss' = 'efficiency';
  let page = 0;
  let grid: Treegrid | undefined;

  const search = h('input', { type: 'search', id: newId('search'), placeholder: 'Find regions', autocomplete: 'off' });
  const back = h('button', { type: 'button', 'aria-label': 'Regions before these' }, '‹');
  const on = h('button', { type: 'button', 'aria-label': 'More regions' }, '›');
  const perPage = (): number => Math.max(1, Math.min(MOST_COLUMNS, Math.floor((holder.clientWidth - 270) / 88) || 5));

  const update = (): void => {
    const table = view === 'loss' && model.losses ? model.losses : model.table;
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const regions = run.regions
      .map((_, i) => i)
      .filter((i) => words.every((word) => run.regions[i]?.name.toLowerCase().includes(word)));
    const size = perPage();
    const shown = regions.slice(page * size, page * size + size);
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
    status.textContent =
      regions.length === 0
        ? 'no such region'
        : regions.length > size
          ? `regions ${page * size + 1}–${page * size + shown.length} of ${regions.length}`
          : '';
    back.disabled = page === 0;
    on.disabled = (page + 1) * size >= regions.length;
  };
  const turn = (by: number) => () => {
    page += by;
    update();
  };
  back.addEventListener('click', turn(-1));
  on.addEventListener('click', turn(1));
  search.addEventListener('input', () => {
    page = 0;
    update();
  });
  const fold = h('button', { type: 'button', class: 'plain' }, 'Fold all');
  fold.addEventListener('click', () => {
    const folds = fold.textContent === 'Fold all';
    grid?.foldAll(folds);
    fold.textContent = folds ? 'Unfold all' : 'Fold all';
  });
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
    page = 0;
    update();
  }).observe(holder);
  return section(
    'Efficiencies',
    'What 100 % would be, and what of it is left. Point at a number, or move to it with the arrow keys, for its meaning, its formula with the numbers of this run, and advice.',
    h('div', { class: 'bar' }, models),
    h(
      'div',
      { class: 'bar' },
      views,
      fold,
      run.regions.length > 4 ? h('label', { class: 'unseen', for: search.id }, 'Find regions') : null,
      run.regions.length > 4 ? search : null,
      h('span', { class: 'pages' }, run.regions.length > 1 ? back : null, run.regions.length > 1 ? on : null),
      status,
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
