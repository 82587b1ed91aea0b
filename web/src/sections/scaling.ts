// Several runs: does it get worse with scale?
import { curves, guidesOf } from '../charts/curves';
import { PAGE } from '../charts/theme';
import { blocksOf, firstOf, withSign, type PageData, type ReportDocument, type Run, type Study, type Table } from '../data';
import { h, replace } from '../dom';
import { explanation, isGraded } from '../explain';
import { figure } from '../figure';
import { asFactor, inPercent } from '../format';
import { foldButton, treegrid, type Treegrid } from '../treegrid';
import { findingsList, lightOfStudy, tile } from './verdict';
import { choice, section, selection } from './section';

const SCALINGS = ['computation_scaling', 'instruction_scaling', 'ipc_scaling', 'frequency_scaling'];
const EFFICIENCIES = ['speedup_efficiency', 'global_efficiency', 'parallel_efficiency'];

function labelsOf(data: PageData, study: Study, key: string): string {
  return data.metrics[key]?.label ?? data.metrics[`${study.first_model}.${key}`]?.label ?? key;
}

// A chart only says something if the runs have different numbers of cores.
export function hasSizes(study: Study): boolean {
  return new Set(study.configurations.flatMap((each) => each.cores ?? [])).size > 1;
}

export interface ScalingFigure {
  kind: 'speedup' | 'efficiencies' | 'computation';
  element: HTMLElement;
}

// How a region scales; of each kind, a figure if anything of it is known.
export function scalingFigures(data: PageData, study: Study, region: number): ScalingFigure[] {
  const places = study.configurations;
  const base = places[study.reference]?.cores ?? 1;
  const guides = guidesOf(data.thresholds.good, base);
  return [
    {
      kind: 'speedup' as const,
      title: study.scaling === 'strong' ? 'Speedup' : 'Speedup (weak scaling)',
      keys: ['speedup'],
      isLog: true,
      asText: asFactor,
      guides: guides.speedup,
    },
    {
      kind: 'efficiencies' as const,
      title: 'Efficiencies, %',
      keys: EFFICIENCIES,
      isLog: false,
      asText: inPercent,
      guides: guides.efficiency,
    },
    {
      kind: 'computation' as const,
      title: 'Computation scaling, %',
      keys: SCALINGS,
      isLog: false,
      asText: inPercent,
      guides: [{ name: 'reference', at: () => 1 }],
    },
  ].flatMap(({ kind, keys, ...options }) => {
    const all = keys
      .map((key) => ({ name: labelsOf(data, study, key), points: study.regions[region]?.curves[key] ?? [] }))
      .filter((curve) => curve.points.some((point) => point !== null));
    if (all.length === 0) return [];
    return [{ kind, element: figure((width) => curves(all, { ...options, places }, width, PAGE), options.title) }];
  });
}

export function charts(data: PageData, study: Study): HTMLElement | null {
  if (!hasSizes(study)) return null;
  let region = firstOf(study.regions.map((each) => each.name), data.first);
  const holder = h('div', { class: 'pair' });
  const update = (): void => replace(holder, ...scalingFigures(data, study, region).map(({ element }) => element));
  update();
  const points = 'Points are medians, whiskers reach from the least to the largest of repeated runs.';
  return section(
    'Scaling',
    study.scaling === 'unknown'
      ? `There is no speedup, because it is not known how much work each run had: --scaling strong or weak says it. ${points}`
      : `Compared with ${study.configurations[study.reference]?.name ?? ''}. ${points}`,
    h(
      'div',
      { class: 'bar' },
      selection('Region', study.regions.map((each) => each.name), region, (place) => {
        region = place;
        update();
      }),
    ),
    holder,
  );
}

// The main numbers of the run with the most cores among those that differ from
// the reference in nothing else.
function tiles(study: Study): HTMLElement | null {
  const reference = study.configurations[study.reference];
  const table = blocksOf(study.document, 'table').find((each) => each.model === study.first_model && each.kind === 'runs');
  if (!reference || !table || !hasSizes(study)) return null;
  const last = study.largest;
  const largest = study.configurations[last];
  if (!largest || last === study.reference || largest.letter !== reference.letter) return null;
  const cellOf = (key: string) => table.rows.find((row) => row.key === key)?.cells[last];
  const isKnown = study.scaling !== 'unknown';
  const first = isKnown ? 'Global Efficiency' : 'Parallel Efficiency';
  const efficiency = cellOf(isKnown ? 'global_efficiency' : 'parallel_efficiency');
  const speedup = cellOf('speedup');
  const time = table.rows.find((row) => row.key === 'run_time_ns');
  const unit = time?.unit ?? '';
  return h(
    'dl',
    { class: 'tiles' },
    efficiency ? tile(`${first} of ${largest.name}`, withSign(efficiency), isKnown ? `compared with ${reference.name}` : '', efficiency.grade) : null,
    isKnown && speedup && largest.cores !== null && reference.cores !== null
      ? tile('Speedup', speedup.text, `of ${(largest.cores / reference.cores).toFixed(2)} from ${reference.cores} to ${largest.cores} cores`)
      : null,
    time ? tile('Run time', `${time.cells[last]?.text ?? ''} ${unit}`, `${time.cells[study.reference]?.text ?? ''} ${unit} of ${reference.name}`) : null,
  );
}

export function studyVerdict(study: Study, runs: Run[]): HTMLElement {
  return h(
    'section',
    { class: 'verdict', 'aria-label': 'Verdict' },
    lightOfStudy(runs),
    ...blocksOf(study.document, 'findings').map((findings) => findingsList(findings)),
    tiles(study),
    h('dl', { class: 'facts' }, ...study.document.facts.facts.flatMap((fact) => [h('dt', {}, fact.label ?? ''), h('dd', {}, fact.text)])),
  );
}

// Runs that differ in something else than their size: what changed beyond noise.
export function changes(data: PageData, study: Study): HTMLElement | null {
  const all = study.changes.flatMap((document) => {
    const tables = blocksOf(document, 'table').filter((table) => table.kind === 'sides');
    return tables.length > 0 ? [{ document, tables }] : [];
  });
  if (all.length === 0) return null;
  return section(
    'What changed',
    'Versions on as many cores, against the reference. Changes are marked where they are more than the noise of repeated runs.',
    ...all.flatMap(({ document, tables }) => [
      h('dl', { class: 'facts' }, ...document.facts.facts.flatMap((fact) => [h('dt', {}, fact.label ?? ''), h('dd', {}, fact.text)])),
      ...tables.flatMap((table) => [
        h('h3', {}, [table.region, table.title].filter(Boolean).join(': ')),
        treegrid(table, {
          label: [table.region, table.title].filter(Boolean).join(': '),
          columns: table.columns.map((_, i) => i),
          thresholds: data.thresholds,
          folded: new Set(),
          explain: (row, _, cell) => explanation(data, null, table.model, null, row, cell),
        }).element,
        ...(table.notes ?? []).map((note) => h('p', { class: 'note' }, note)),
      ]),
      ...blocksOf(document, 'findings').map((findings) => findingsList(findings)),
    ]),
  );
}

// A table of runs, whose numbers are explained.
export function runsGrid(data: PageData, study: Study, table: Table, folded = new Set<string>()): Treegrid {
  return treegrid(table, {
    label: [table.region, table.title].filter(Boolean).join(': '),
    columns: table.columns.map((_, i) => i),
    thresholds: data.thresholds,
    folded,
    red: study.configurations.flatMap((each, i) => (each.isRed ? [i] : [])),
    isGraded: (row) => isGraded(data, table.model, row),
    explain: (row, column, cell) => {
      const configuration = column === null ? undefined : study.configurations[column];
      const run = configuration ? (data.runs[configuration.first_run] ?? null) : null;
      // Numbers of a formula are those of one run: not of a median.
      const place = configuration?.runs === 1 ? (run?.regions.findIndex((each) => each.name === table.region) ?? -1) : -1;
      return explanation(data, run, table.model, place < 0 ? null : place, row, cell);
    },
  });
}

export function scalingTable(data: PageData, study: Study): HTMLElement | null {
  const tablesOf = (document: ReportDocument | undefined): Table[] =>
    document ? blocksOf(document, 'table').filter((table) => table.kind === 'runs' && table.region) : [];
  const medians = tablesOf(study.document);
  const spreads = tablesOf(study.spreads);
  const regions = [...new Set(medians.map((table) => table.region ?? ''))];
  if (regions.length === 0) return null;
  const folded = new Set<string>();
  let isSpread = data.first.spread && spreads.length > 0;
  let model = study.first_model;
  let region = regions[firstOf(regions, data.first)] ?? '';
  let grid: Treegrid | undefined;
  const holder = h('div');
  const notes = h('div', { class: 'notes' });
  const update = (): void => {
    const table = (isSpread ? spreads : medians).find((each) => each.model === model && each.region === region);
    if (!table) return;
    grid = runsGrid(data, study, table, folded);
    replace(holder, grid.element);
    replace(notes, ...(table.notes ?? []).map((note) => h('p', {}, note)));
  };
  const models = study.models.filter(
    ({ key }) => medians.some((table) => table.model === key) && data.runs.some((run) => run.models.some((each) => each.key === key)),
  );
  update();
  return section(
    'Efficiencies of all runs',
    'Runs side by side: ranks × threads, and a letter where they differ in more than that.',
    h(
      'div',
      { class: 'bar' },
      choice('Model', models.map(({ key, label }) => ({ key, name: label })), model, (key) => {
        model = key;
        update();
      }),
    ),
    h(
      'div',
      { class: 'bar' },
      spreads.length > 0
        ? choice(
            'Repeated runs',
            [
              { key: 'median', name: 'Median' },
              { key: 'spread', name: 'Largest − least' },
            ],
            isSpread ? 'spread' : 'median',
            (key) => {
              isSpread = key === 'spread';
              update();
            },
          )
        : null,
      foldButton(() => (grid ? [grid] : [])),
      selection('Region', regions, regions.indexOf(region), (place) => {
        region = regions[place] ?? region;
        update();
      }),
    ),
    holder,
    notes,
  );
}
