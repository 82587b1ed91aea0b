// Can it be trusted, and where does it come from?
import { blocksOf, type Block, type Run, type RunFile, type Table } from '../data';
import { h } from '../dom';
import { coreSeconds, percent } from '../format';
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
  const facts = block.type === 'facts' ? block.facts : [];
  return h('dl', { class: 'facts' }, ...facts.flatMap((fact) => [h('dt', {}, fact.label ?? ''), h('dd', {}, fact.text)]));
}

export function resources(run: Run): HTMLElement | null {
  const blocks = run.document.blocks.filter((block) => isShown(block, run));
  if (blocks.length === 0) return null;
  return section('Machine', 'Where processes ran, and what they took of their hosts.', ...blocks.map(element));
}

export function quality(run: Run, file: RunFile): HTMLElement {
  const notes = blocksOf(run.document, 'facts').flatMap((list) => list.facts.filter((fact) => fact.label === 'Note'));
  const values = file.quality;
  const number = (key: string): number => (typeof values[key] === 'number' ? values[key] : 0);
  const rows: [string, string][] = [
    [
      "the tool's own time",
      run.core_ns > 0 ? `${coreSeconds(number('overhead_ns'))}, ${percent(number('overhead_ns') / run.core_ns)} of the core time` : 'unknown',
    ],
    ['events measured', String(number('events'))],
    ['largest difference between elapsed time and the sum of its states', `${number('closure_error_ns')} ns`],
    ['messages whose clocks did not come', String(number('lost_clocks'))],
    ['threads that OpenMP does not know', String(number('foreign_threads'))],
    ['regions dropped, starts without stop, stops without start', `${number('regions_dropped')}, ${number('starts_without_stop')}, ${number('stops_without_start')}`],
  ];
  return section(
    'Data quality',
    'What the measurement took, and what it could not see.',
    notes.length > 0
      ? h('ul', { class: 'warnings' }, ...notes.map((note) => h('li', {}, note.text)))
      : h('p', {}, 'The report has no note on its data.'),
    h('dl', { class: 'facts' }, ...rows.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)])),
  );
}

function texts(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) {
    const all = value.map(texts);
    return all.length > 8 ? `${all.slice(0, 8).join(' ')} … (${all.length})` : all.join(' ');
  }
  if (typeof value === 'object') {
    return Object.entries(value)
      .filter(([, each]) => each !== null && each !== '' && typeof each !== 'object')
      .map(([key, each]) => `${key}: ${String(each)}`)
      .join(', ');
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

export function provenance(run: Run, file: RunFile): HTMLElement {
  const { run: about } = file;
  const metadata = (about.metadata ?? {}) as Record<string, unknown>;
  const hosts = (about.hosts ?? []) as { name: string; processes: number; cpus?: string }[];
  const facts: [string, string][] = [
    ['run file', run.file],
    ['command', texts(about.command)],
    ['started', texts(about.start_time)],
    ['processes and threads', run.shape],
    ['MPI', texts(about.mpi)],
    ['OpenMP', texts(about.openmp)],
    ['batch job', texts(about.job)],
    [
      'hosts',
      hosts
        .slice(0, 16)
        .map((host) => `${host.name} (${host.processes}${host.cpus ? `, cores ${host.cpus}` : ''})`)
        .join(', ') + (hosts.length > 16 ? ` and ${hosts.length - 16} more` : ''),
    ],
    ['imported from', texts(about.imported_from)],
    ['clock', texts(about.clock)],
    ['measured by', `${file.tool.name} ${file.tool.version}`],
    ...Object.entries(metadata).map(([key, value]): [string, string] => [key, texts(value)]),
  ];
  const known = facts.filter(([, text]) => text !== '');
  return section(
    'Provenance',
    'What was run, when, where, and how. Metadata of the program come last.',
    h('dl', { class: 'facts' }, ...known.flatMap(([name, text]) => [h('dt', {}, name), h('dd', {}, text)])),
  );
}
