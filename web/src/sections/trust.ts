// Can it be trusted, and where does it come from?
import { blocksOf, type Block, type Facts, type Run, type Table } from '../data';
import { h } from '../dom';
import { tableList } from './rankings';
import { section } from './section';

// Tables of the document that have no section of their own. What the list of
// processes and the binding show is not said again.
function isShown(block: Block, run: Run): block is Table {
  if (block.type !== 'table' || block.kind === 'regions') return false;
  const others = [run.region_ranking, run.parallel_regions, run.parallel_sources, run.tasks, ...run.file_systems];
  const isElsewhere = others.some(({ key, region }) => key !== undefined && key === block.key && region === block.region);
  return !isElsewhere && block.key !== 'process_list';
}

function element(table: Table): HTMLElement {
  return h(
    'div',
    {},
    h('h3', {}, [table.region, table.title].filter(Boolean).join(': ')),
    tableList(table, 'rows', table.key === 'places' ? 'Host' : 'Quantity'),
    ...(table.notes ?? []).map((note) => h('p', { class: 'note' }, note)),
    table.more ? h('p', { class: 'note' }, table.more) : null,
  );
}

export function resources(run: Run): HTMLElement | null {
  const tables = run.document.blocks.filter((block) => isShown(block, run));
  if (tables.length === 0) return null;
  return section('Processes in numbers', 'Sums, means and extremes, what they took of their hosts, and where they ran.', ...tables.map(element));
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
