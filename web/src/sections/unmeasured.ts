// What the run could tell and does not, and the option that brings it.
import { blocksOf, type Run, type RunFile } from '../data';
import { h } from '../dom';
import { section } from './section';
import { missing, tableOf } from './why';

export function unmeasured(run: Run, file: RunFile): HTMLElement | null {
  if (run.is_imported) return null;
  const has = (model: string): boolean => run.models.some((each) => each.key === model);
  const facts = blocksOf(run.document, 'facts').flatMap((list) => list.facts);
  const hasWindows = tableOf(run, 'over_time') !== undefined || facts.some((fact) => fact.key === 'windows');
  const lines = [
    run.regions.length > 1
      ? null
      : h('p', { class: 'missing' }, 'Parts of the program: it has no regions. ', h('code', {}, 'pop_region_start("name")'), ' and ', h('code', {}, 'pop_region_stop("name")'), ' of poprt.h mark them.'),
    run.ranks === 1 ? h('p', { class: 'missing' }, 'How ranks share the work and wait for each other: there was one rank. A run with more shows it, and ', h('code', {}, 'poprt scale'), ' compares them.') : null,
    hasWindows ? null : missing('What changes over time', 'poprt run --windows 1s'),
    has('computation') ? null : missing('Instructions, IPC and frequency', 'poprt run --counters default', ' where the machine has counters (poprt doctor says it)'),
    file.processes && file.regions.some((region) => region.rows) ? null : missing('Each process', 'poprt run --rows process'),
    file.run.posix_io ? null : missing('POSIX file I/O', 'poprt run --io posix'),
  ].filter((line) => line !== null);
  if (lines.length === 0) return null;
  const element = section('Not measured', 'What a run like this can tell besides.', ...lines);
  element.classList.add('on-screen');
  return element;
}
