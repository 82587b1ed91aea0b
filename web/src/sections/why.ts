// Why time was lost: what the run waited for, and where in the program.
import { blocksOf, type Run, type Table } from '../data';
import { h } from '../dom';
import { notesOf, tableList } from './rankings';
import { section } from './section';

// Tables of the document that have a place here, and what their rows are.
const TABLES: [key: string, rows: string][] = [
  ['path', 'Region'],
  ['path_ranks', 'Rank'],
  ['mpi_calls', 'Call'],
  ['openmp_constructs', 'Construct'],
  ['granularity', 'Region'],
];

export const isWhy = (table: Table): boolean => TABLES.some(([key]) => key === table.key);

export const tableOf = (run: Run, key: string): Table | undefined => blocksOf(run.document, 'table').find((table) => table.key === key);

export function titled(table: Table, nameOfRows: string, chart: HTMLElement | null = null): HTMLElement {
  const title = [table.region, table.title].filter(Boolean).join(': ');
  const more = table.more ? h('p', { class: 'note' }, table.more) : null;
  return h('div', {}, h('h3', {}, title), chart, tableList(table, 'rows', nameOfRows), ...notesOf(table), more);
}

export function why(run: Run): HTMLElement | null {
  // Nothing waits on one core, and nothing but sums is known of an imported run.
  if (run.cores < 2 || run.is_imported) return null;
  const path = blocksOf(run.document, 'facts').flatMap((list) => list.facts.filter((fact) => fact.key === 'path'));
  const has = (...keys: string[]): boolean => keys.some((key) => tableOf(run, key));
  const content = [
    ...path.map(({ text }) => h('p', {}, `${text.charAt(0).toUpperCase()}${text.slice(1)}.`)),
    ...TABLES.flatMap(([key, rows]) => {
      const table = tableOf(run, key);
      return table ? [titled(table, rows)] : [];
    }),
  ];
  const element = section(
    'Why',
    'What the run waited for, and where in the program.',
    ...content,
    has('path') || path.length > 0 ? null : missing('Not measured: which regions and ranks the run waited for', 'poprt run --path regions'),
    has('mpi_calls', 'openmp_constructs') ? null : missing('Not measured: which MPI calls and OpenMP constructs waited, and for whom', 'poprt run --calls on'),
  );
  // What was not measured is for the screen, where it can be tried.
  if (content.length === 0) element.classList.add('on-screen');
  return element;
}

// One line instead of an empty frame.
export const missing = (what: string, command: string, more = ''): HTMLElement =>
  h('p', { class: 'missing' }, `${what}. `, h('code', {}, command), ` measures it${more}.`);
