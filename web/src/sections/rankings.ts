// Regions, parallel regions and tasks: which to look at first.
import { distinct } from '../charts/names';
import { stacks, type Stack } from '../charts/stacks';
import { PAGE, seriesOf } from '../charts/theme';
import type { Run, Table } from '../data';
import { h, newId } from '../dom';
import { figure } from '../figure';
import { list } from '../list';
import { section } from './section';

const NAME = 330; // of a row, in pixels

// `areWhole`: names have as many lines as they need.
export function tableList(table: Table, noun: string, nameOfRows: string, areWhole = false): HTMLElement {
  const names = table.rows.map((row) => row.label);
  const shown = areWhole ? names : distinct(names, NAME);
  const cell = (row: number, column: number) => table.rows[row]?.cells[column];
  return list({
    label: table.title ?? noun,
    noun,
    count: table.rows.length,
    columns: [
      ...(table.rows.some((row) => row.label !== '') ? [
            {
              name: nameOfRows,
              text: (row: number) => names[row] ?? '',
              show: (row: number) => (shown[row] === names[row] ? (names[row] ?? '') : h('span', { class: 'short', title: names[row] ?? '' }, shown[row])),
            },
          ] : []),
      ...table.columns.map((column, i) => ({
        name: column.name,
        ...(column.meaning ? { meaning: column.meaning } : {}),
        text: (row: number) => {
          const found = cell(row, i);
          return found ? found.text + (found.sign ? ` ${found.sign}` : '') : '';
        },
        ...(column.is_text || table.rows.every((_, row) => cell(row, i)?.unit === undefined)
          ? {}
          : { value: (row: number) => cell(row, i)?.value ?? NaN }),
      })),
    ],
  });
}

export const notesOf = (table: Table): HTMLElement[] => (table.notes ?? []).map((note) => h('p', { class: 'note' }, note));

// Whole names stand here, also on paper.
export function regions(run: Run): HTMLElement | null {
  const table = run.region_ranking;
  if (table.rows.length === 0) return null;
  return section('Regions', run.light === 'red' ? 'By their core time.' : 'By the core time that was not useful in them.', tableList(table, 'regions', 'Region', true), ...notesOf(table));
}

const MOST_BARS = 12;

export function sourcesChart(costs: Table, sources: Table): HTMLElement | null {
  const lost = costs.columns.findIndex((column) => column.key === 'lost');
  const rows: Stack[] = sources.rows.slice(0, MOST_BARS).map((row, i) => ({
    name: row.label,
    text: `${costs.rows[i]?.cells[lost]?.text ?? ''} %`,
    parts: sources.columns.map((column, at) => ({
      key: column.key ?? '',
      label: column.name,
      series: seriesOf(column.key ?? '', at),
      size: row.cells[at]?.value ?? 0,
      text: `${row.cells[at]?.text ?? '-'} %`,
    })),
  }));
  if (rows.length === 0 || rows.length !== Math.min(MOST_BARS, costs.rows.length)) return null;
  const title = "What parallel regions lost, % of the job's core time";
  const id = newId('sources');
  return h('div', {}, h('h3', {}, title), figure((width) => stacks(rows, { title, names: 'Place in the code', whole: 'lost', axis: "of the job's core time, %" }, width, PAGE, id), title));
}

export function parallelRegions(run: Run): HTMLElement | null {
  const { parallel_regions: costs, parallel_sources: sources, tasks } = run;
  if (costs.rows.length === 0 && tasks.rows.length === 0) return null;
  // Both tables have the same rows: what they cost, and why.
  const joined: Table =
    sources.rows.length === costs.rows.length
      ? {
          ...costs,
          columns: [...costs.columns, ...sources.columns.map((column) => ({ meaning: "lost by this, % of the job's core time", ...column }))],
          rows: costs.rows.map((row, i) => ({ ...row, cells: [...row.cells, ...(sources.rows[i]?.cells ?? [])] })),
        }
      : costs;
  return section(
    'Parallel regions',
    `OpenMP by place in the code: ${run.light === 'red' ? 'how long each parallel region took' : 'what each parallel region cost, and by what it lost'}.`,
    sourcesChart(costs, sources),
    costs.rows.length > 0 ? tableList(joined, 'parallel regions', 'Place in the code') : null,
    tasks.rows.length > 0 ? h('h3', {}, tasks.title ?? 'Tasks') : null,
    tasks.rows.length > 0 ? tableList(tasks, 'places that make tasks', 'Place in the code') : null,
  );
}
