// The processes of a run, where its file has them (poprt run --rows process).
import { processes as chart, type ProcessTimes } from '../charts/processes';
import { PAGE } from '../charts/theme';
import { firstOf, type Run, type RunFile, type State, type View } from '../data';
import { h, newId, replace } from '../dom';
import { figure } from '../figure';
import { duration, percent } from '../format';
import { list, type ListColumn } from '../list';
import { choice, section, selection } from './section';

type Column = number[];

const numbersOf = (columns: Record<string, unknown>, key: string): Column | undefined => {
  const column = columns[key];
  return Array.isArray(column) && typeof column[0] === 'number' ? (column as Column) : undefined;
};

export interface Rows {
  count: number;
  rank: Column;
  host: string[];
  cpus: string[] | undefined; // the cores that it might use
  times: Column[]; // of the states
  useful: Column;
}

// The processes of a region; null if the file has none.
export function rowsOf(file: RunFile, states: State[], region: number): Rows | null {
  const rows = file.regions[region]?.rows;
  const places = file.processes;
  if (!rows || !places) return null;
  const times = states.map(({ key }) => numbersOf(rows, `${key}_ns`) ?? []);
  const hosts = ((file.run.hosts ?? []) as { name: string }[]).map((host) => host.name);
  const placeOf = new Map(places.rank.map((rank, i) => [rank, i]));
  const at = rows.rank.map((rank) => placeOf.get(rank) ?? -1);
  const cpus = places.cpus as string[] | undefined;
  return {
    count: rows.rank.length,
    rank: rows.rank,
    host: at.map((i) => hosts[places.host[i] ?? -1] ?? ''),
    cpus: cpus?.some(Boolean) ? at.map((i) => cpus[i] ?? '') : undefined,
    times,
    useful: times[0] ?? [],
  };
}

export interface Spread {
  least: number; // places in the rows
  most: number;
  mean: number;
  outliers: number[]; // further than three standard deviations from the mean
}

export function spreadOf(values: Column): Spread {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length);
  let least = 0;
  let most = 0;
  values.forEach((value, i) => {
    if (value < (values[least] ?? 0)) least = i;
    if (value > (values[most] ?? 0)) most = i;
  });
  const far = 3 * Math.sqrt(variance);
  const outliers = far > 0 ? values.flatMap((value, i) => (Math.abs(value - mean) > far ? [i] : [])) : [];
  outliers.sort((a, b) => Math.abs((values[b] ?? 0) - mean) - Math.abs((values[a] ?? 0) - mean));
  return { least, most, mean, outliers };
}

export type Order = 'rank' | 'useful' | 'host';

function sorted(rows: Rows, order: Order): number[] {
  const all = rows.rank.map((_, i) => i);
  if (order === 'useful') return all.sort((a, b) => (rows.useful[b] ?? 0) - (rows.useful[a] ?? 0));
  if (order === 'rank') return all;
  const core = (i: number): number => parseInt(rows.cpus?.[i] ?? '', 10) || 0;
  return all.sort((a, b) => (rows.host[a] ?? '').localeCompare(rows.host[b] ?? '', 'en', { numeric: true }) || core(a) - core(b));
}

// What is shown of the processes of a region: a chart, its extremes in words, a
// list. Nothing if no process entered it.
export function processesOf(run: Run, file: RunFile, states: State[], region: number, order: Order): HTMLElement[] {
  const rows = rowsOf(file, states, run.regions[region]?.place ?? region);
  if (!rows || rows.count === 0) return [];
  const id = newId('processes');
  const name = run.regions[region]?.name ?? '';
  const time = (i: number): number => rows.times.reduce((sum, column) => sum + (column[i] ?? 0), 0);
  const share = (column: Column, i: number): number => (time(i) > 0 ? (column[i] ?? 0) / time(i) : 0);
  const places = sorted(rows, order);
  const has = (column: Column): boolean => column.some((ns) => ns > 0);
  const kinds = states
    .map(({ name, colour }, i) => ({ name, colour, column: rows.times[i] ?? [] }))
    .filter(({ column }, i) => i === 0 || has(column));
  const times: ProcessTimes = {
    count: rows.count,
    names: (i) => {
      const at = places[i] ?? 0;
      return `rank ${rows.rank[at] ?? ''}${order === 'host' ? ` on ${rows.host[at] ?? ''}` : ''}`;
    },
    kinds: kinds.map((kind) => ({ name: kind.name, colour: kind.colour, share: (i) => share(kind.column, places[i] ?? 0) })),
  };
  const spread = spreadOf(rows.useful);
  const who = (i: number): string => `rank ${rows.rank[i] ?? ''}${rows.host[i] ? ` (${rows.host[i]})` : ''}`;
  const useful = (i: number): string => duration(rows.useful[i] ?? 0);
  const title = `Processes of ${name}: shares of their time`;
  const columns: ListColumn[] = [
    { name: 'Rank', text: (i) => String(rows.rank[i] ?? ''), value: (i) => rows.rank[i] ?? 0 },
    { name: 'Host', text: (i) => rows.host[i] ?? '' },
    ...(rows.cpus ? [{ name: 'Cores', text: (i: number) => rows.cpus?.[i] ?? '' }] : []),
    ...kinds.flatMap(({ name: kind, column }): ListColumn[] => [
      { name: kind, text: (i) => duration(column[i] ?? 0), value: (i) => column[i] ?? 0 },
      { name: `${kind}, %`, text: (i) => percent(share(column, i)).replace(' %', ''), value: (i) => share(column, i) },
    ]),
  ];
  return [
    figure((width) => chart(times, title, width, PAGE, id), title),
    h(
      'p',
      { class: 'spread' },
      `Useful time of a process: least ${useful(spread.least)}, ${who(spread.least)}; mean ${duration(spread.mean)}; most ${useful(spread.most)}, ${who(spread.most)}. `,
      spread.outliers.length > 0
        ? `Further than three standard deviations from the mean: ${spread.outliers.slice(0, 5).map((i) => `${who(i)} with ${useful(i)}`).join(', ')}${spread.outliers.length > 5 ? ` and ${spread.outliers.length - 5} more` : ''}.`
        : null,
    ),
    list({ label: `Processes of ${name}`, noun: 'processes', count: rows.count, columns }),
  ];
}

function contents(run: Run, file: RunFile, states: State[], first: View): HTMLElement[] {
  let region = firstOf(run.regions.map((each) => each.name), first);
  let order: Order = 'rank';
  const holder = h('div');
  const update = (): void => {
    const shown = processesOf(run, file, states, region, order);
    replace(holder, ...(shown.length > 0 ? shown : [h('p', {}, 'No process entered this region.')]));
  };
  update();
  return [
    h(
      'div',
      { class: 'bar' },
      choice<Order>(
        'Order',
        [
          { key: 'rank', name: 'By rank' },
          { key: 'useful', name: 'By useful time' },
          { key: 'host', name: 'By host and core' },
        ],
        order,
        (key) => {
          order = key;
          update();
        },
      ),
      selection('Region', run.regions.map((each) => each.name), region, (place) => {
        region = place;
        update();
      }),
    ),
    holder,
  ];
}

export function processSection(run: Run, file: RunFile, states: State[], first: View): HTMLElement | null {
  if (!file.processes || !file.regions.some((region) => region.rows)) return null;
  const element = section('Processes', 'Bars that differ are load imbalance.', ...contents(run, file, states, first));
  element.id = 'processes';
  return element;
}
