// Can it be trusted, and where does it come from?
import { blocksOf, type Block, type Facts, type Run, type Table } from '../data';
import { h } from '../dom';
import { tableList } from './rankings';
import { section } from './section';

// Blocks of the document that have no section of their own: placement.
const KNOWN_FACTS = ['Note', 'Run file', 'Energy'];

function isShown(block: Block, run: Run): boolean {
  if (block.type === 'table') {
    const ranked = [run.region_ranking, run.parallel_regions, run.parallel_sources, run.tasks, ...run.file_systems];
    return block.kind !== 'regions' && !ranked.some((table) => table.title === block.title);
  }
  return block.type === 'facts' && block.facts.some((fact) => !KNOWN_FACTS.includes(fact.label ?? ''));
}

function element(block: Block): HTMLElement {
  if (block.type === 'table') {
    const table: Table = block;
    return h(
      'div',
      {},
      h('h3', {}, [table.region, table.title].filter(Boolean).join(': ')),
      tableList(table, 'rows', ''),
      ...(table.notes ?? []).map((note) => h('p', { class: 'note' }, note)),
      table.more ? h('p', { class: 'note' }, table.more) : null,
    );
  }
  return block.type === 'facts' ? factList(block) : h('div');
}

export function resources(run: Run): HTMLElement | null {
  const blocks = run.document.blocks.filter((block) => isShown(block, run));
  if (blocks.length === 0) return null;
  return section('Machine', 'Where processes ran, and what they took of their hosts.', ...blocks.map(element));
}

const factList = ({ facts }: Facts): HTMLElement =>
  h('dl', { class: 'facts' }, ...facts.flatMap((fact) => [h('dt', {}, fact.label ?? ''), h('dd', {}, fact.text)]));

export function quality(run: Run): HTMLElement {
  const notes = blocksOf(run.document, 'facts').flatMap((list) => list.facts.filter((fact) => fact.label === 'Note'));
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
