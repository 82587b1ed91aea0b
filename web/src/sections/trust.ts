// Can it be trusted, and where does it come from?
import { overTime as chartOverTime } from '../charts/over_time';
import { PAGE } from '../charts/theme';
import { blocksOf, type Block, type Facts, type PageData, type Run, type Table } from '../data';
import { h } from '../dom';
import { figure } from '../figure';
import { section } from './section';
import { isOverview } from './verdict';
import { isWhy, titled } from './why';

// Tables of the document that have no section of their own. What the list of
// processes and the binding show is not said again.
function isShown(block: Block, run: Run): block is Table {
  if (block.type !== 'table' || block.kind === 'regions') return false;
  const others = [run.region_ranking, run.parallel_regions, run.parallel_sources, run.tasks, ...run.file_systems];
  const isElsewhere = others.some(({ key, region }) => key !== undefined && key === block.key && region === block.region);
  return !isElsewhere && !isWhy(block) && !isOverview(block) && block.key !== 'process_list' && block.key !== 'over_time';
}

export function resources(run: Run): HTMLElement | null {
  const tables = run.document.blocks.filter((block) => isShown(block, run));
  if (tables.length === 0) return null;
  return section('Processes in numbers', 'Sums, means and extremes, what they took of their hosts, and where they ran.', ...tables.map((table) => titled(table, table.key === 'places' ? 'Host' : 'Quantity')));
}

// A cell for each window; the table below has no digits for them.
function windowsOf(data: PageData, run: Run, table: Table): HTMLElement | null {
  const rows = run.over_time.find(({ model }) => model === table.model)?.rows ?? [];
  if (rows.length === 0) return null;
  const title = table.title ?? '';
  return figure((width) => chartOverTime(rows, run.windows, run.light === 'red' ? null : data.thresholds, title, width, PAGE), title);
}

const withoutDigits = (table: Table): Table => ({
  ...table,
  columns: table.columns.slice(1),
  rows: table.rows.map((row) => ({ ...row, cells: row.cells.slice(1) })),
});

export function overTime(data: PageData, run: Run): HTMLElement | null {
  const tables = blocksOf(run.document, 'table').filter((table) => table.key === 'over_time');
  if (tables.length === 0) return null;
  return section(
    'Over time',
    'The same in one window of the run after the other.',
    ...tables.map((table) => titled(withoutDigits(table), 'Metric', windowsOf(data, run, table))),
  );
}

const factList = ({ facts }: Facts): HTMLElement =>
  h('dl', { class: 'facts' }, ...facts.flatMap((fact) => [h('dt', {}, fact.label ?? ''), h('dd', {}, fact.text)]));

export function quality(run: Run): HTMLElement {
  const notes = blocksOf(run.document, 'facts').flatMap((list) => list.facts.filter((fact) => fact.key === 'note'));
  return section(
    'Data quality',
    'What the measurement took, and what it could not see.',
    notes.length > 0
      ? h('ul', { class: 'warnings' }, ...notes.map((note) => h('li', {}, note.text)))
      : h('p', {}, 'The report has no note on its data.'),
    run.quality.facts.length > 0 ? factList(run.quality) : null,
  );
}

export function provenance(run: Run): HTMLElement {
  return section('Provenance', 'What was run, when, where, and how. Metadata of the program come last.', factList(run.provenance));
}
