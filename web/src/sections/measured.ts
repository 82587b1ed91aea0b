// What is only there where it was measured: counters, file I/O, energy and
// memory; and the hosts.
import type { Run, RunFile, Table } from '../data';
import { h, replace, type Child } from '../dom';
import { plainTable } from '../figure';
import { LEAST_SEEN } from '../charts/marks';
import { seriesOf } from '../charts/theme';
import { amount, withUnit } from '../format';
import { pager } from '../pager';
import { tableList } from './rankings';
import { section } from './section';
import { barsOf, rowOf, transposed } from './transposed';

const PER_PAGE = 10;

// Charts of the same names, turned in pages together. One amount alone would be
// a bar that says nothing: a share is not.
function charts(noun: string, names: string[], draw: (shown: number[]) => Child[], isPair = true, areShares = false): HTMLElement[] {
  if (names.length < 2 && !areShares) return [];
  const holder = h('div', { class: isPair ? 'pair' : '' });
  const pages = pager({ noun, names, size: () => PER_PAGE, show: (shown) => replace(holder, ...(shown.length > 0 ? draw(shown) : [])) });
  pages.update();
  return names.length > PER_PAGE ? [h('div', { class: 'bar' }, pages.element), holder] : [holder];
}

const titled = (title: string, chart: Child): HTMLElement => h('div', {}, h('h3', {}, title), chart);

// A row for each region on the screen, which is searched and sorted; paper has
// more room down than across.
const MOST_ON_PAPER = 7;
function amountsOf(table: Table): HTMLElement[] {
  const columns = transposed(table, (row) => row.label);
  const regions = columns.rows.slice(0, MOST_ON_PAPER);
  const rows = columns.columns.map((column, i) => [column.name, ...regions.map((region) => region.cells[i]?.text ?? '')]);
  const onPaper = plainTable(['', ...regions.map((region) => region.label)], rows, 'All by region');
  onPaper.classList.add('on-paper');
  return [h('div', { class: 'on-screen' }, tableList(columns, 'regions', 'Region')), onPaper];
}

// What cores computed in useful time.
const COMPUTED = [
  { key: 'ipc', title: 'Instructions per cycle (IPC)', unit: '' },
  { key: 'frequency', title: 'Frequency', unit: ' GHz' },
  { key: 'opc', title: 'Operations per cycle (OPC)', unit: '' },
  { key: 'vectorisation_efficiency', title: 'Vectorisation Efficiency', unit: ' %' },
  { key: 'vectorisation_ratio', title: 'Vectorisation Ratio', unit: ' %' },
];

const countersOf = (run: Run): Table | undefined => run.models.find((model) => model.key === 'computation')?.table;

// Charts of what was counted in each region; nothing if nothing was.
export function counterCharts(run: Run): HTMLElement[] {
  const table = countersOf(run);
  if (!table) return [];
  const names = run.regions.map((region) => region.name);
  const known = COMPUTED.flatMap(({ key, ...texts }) => {
    const cells = rowOf(table, key)?.cells ?? [];
    return cells.some((cell) => cell.value !== undefined) ? [{ cells, ...texts }] : [];
  });
  if (known.length === 0) return [];
  return charts('regions', names, (shown) =>
    known.map(({ cells, title, unit }) =>
      titled(title, barsOf(names, shown, [{ label: title, series: 0, cells, unit }], { title, names: 'Region', ...(unit === ' %' ? { axis: '%' } : {}) })),
    ),
  );
}

export function counters(run: Run): HTMLElement | null {
  const table = countersOf(run);
  if (!table || !COMPUTED.some(({ key }) => rowOf(table, key)?.cells.some((cell) => cell.value !== undefined))) return null;
  return section(
    'Counters',
    'What the cores computed in useful time, by region.',
    ...counterCharts(run),
    h('h3', {}, 'All that was counted'),
    ...amountsOf(table),
  );
}

const IO_SHARES = [
  { key: 'mpi_io_share', label: 'MPI-IO', series: seriesOf('mpi_io', 0) },
  { key: 'posix_io_share', label: 'POSIX I/O', series: seriesOf('posix_io', 0) },
];

function fileSystems(systems: Table, series: number): HTMLElement[] {
  if (systems.rows.length === 0) return [];
  const times = systems.rows.map((row) => row.cells[1] ?? { text: '-' });
  const mounts = systems.rows.map((row) => row.label);
  const title = systems.title ?? '';
  return [
    h('h3', {}, title),
    ...charts(
      'file systems',
      mounts,
      (shown) => [barsOf(mounts, shown, [{ label: 'time', series, cells: times }], { title, names: 'File system' })],
      false,
    ),
    tableList(systems, 'file systems', 'File system'),
  ];
}

export function fileIo(run: Run): HTMLElement | null {
  const table = run.models.find((model) => model.key === 'io')?.table;
  if (!table) return null;
  const names = run.regions.map((region) => region.name);
  const shares = IO_SHARES.flatMap(({ key, ...part }) => {
    const cells = rowOf(table, key)?.cells ?? [];
    return cells.some((cell) => (cell.value ?? 0) >= LEAST_SEEN) ? [{ key, cells, unit: ' %', ...part }] : [];
  });
  const title = 'File I/O, % of the core time of each region';
  return section(
    'File I/O',
    'Time in calls that read and write files, and what they moved.',
    shares.length > 0 ? null : h('p', {}, 'It took less than 0.05 % of the core time of each region.'),
    ...(shares.length > 0 ? charts('regions', names, (shown) => [titled(title, barsOf(names, shown, shares, { title, names: 'Region', axis: 'of the core time of each region, %' }))], false, true) : []),
    h('h3', {}, 'Efficiencies and amounts by region'),
    ...amountsOf(table),
    ...run.file_systems.flatMap((systems, i) => fileSystems(systems, IO_SHARES[i]?.series ?? 0)),
  );
}

const HOST_CHARTS = [
  { key: 'energy', title: 'Energy of hosts', unit: 'J' },
  { key: 'peak_memory', title: 'Peak memory of hosts', unit: 'B' },
];

export function hosts(run: Run, file: RunFile): HTMLElement | null {
  const table: Table = run.hosts;
  const memory = memoryOfProcesses(file);
  if (table.rows.length === 0 && !memory) return null;
  const names = table.rows.map((row) => row.label);
  const shownCharts = HOST_CHARTS.flatMap(({ key, title, unit }) => {
    const at = table.columns.findIndex((each) => each.key === key);
    if (at < 0) return [];
    const cells = table.rows.map((row) => {
      const cell = row.cells[at] ?? { text: '-' };
      return { ...cell, text: withUnit(cell.text, unit) };
    });
    return [{ title, cells }];
  });
  const energy = run.document.blocks.flatMap((block) => (block.type === 'facts' ? block.facts : [])).find((fact) => fact.key === 'energy');
  return section(
    'Hosts',
    'Where the run was, and what it took of them.',
    energy ? h('p', {}, `Energy: ${energy.text}.`) : null,
    ...(shownCharts.length > 0
      ? charts('hosts', names, (shown) =>
          shownCharts.map(({ title, cells }) => titled(title, barsOf(names, shown, [{ label: title, series: 1, cells }], { title, names: 'Host' }))),
        )
      : []),
    table.rows.length > 0 ? tableList(table, 'hosts', 'Host') : null,
    memory,
  );
}

// The largest memory of each process, the most first, where the file has it.
function memoryOfProcesses(file: RunFile): HTMLElement | null {
  const column = file.processes?.peak_memory_bytes;
  if (!Array.isArray(column) || column.length < 2 || !column.some((bytes) => bytes > 0)) return null;
  const bytes = column as number[];
  const order = bytes.map((_, i) => i).sort((a, b) => (bytes[b] ?? 0) - (bytes[a] ?? 0));
  const names = order.map((i) => `rank ${file.processes?.rank[i] ?? ''}`);
  const cells = order.map((i) => ({ text: withUnit(amount(bytes[i] ?? 0), 'B'), value: bytes[i] ?? 0 }));
  const title = 'Peak memory of processes, the largest first';
  return h(
    'div',
    {},
    h('h3', {}, title),
    ...charts('processes', names, (shown) => [barsOf(names, shown, [{ label: 'peak memory', series: 2, cells }], { title, names: 'Process' })], false),
  );
}
