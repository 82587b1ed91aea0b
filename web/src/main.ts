// The page: reads its data and puts the sections together.
import { readPage, type PageData, type Run, type Source } from './data';
import { h, newId, replace } from './dom';
import { breakdownOfRun, breakdownOfStudy } from './sections/breakdowns';
import { lossWaterfall } from './sections/losses';
import { changes, charts, scalingTable, studyVerdict } from './sections/scaling';
import { bindingSection } from './sections/binding';
import { counters, fileIo, hosts } from './sections/measured';
import { efficiency } from './sections/efficiency';
import { verdict } from './sections/verdict';
import { parallelRegions, regions } from './sections/rankings';
import { processSection } from './sections/processes';
import { provenance, quality, resources } from './sections/trust';
import { startTips } from './tip';

type Part = HTMLElement | null;

// The sections of one run.  Those that need its file come when that is
// unpacked.
function ofRun(source: Source, index: number, run: Run): Part[] {
  const { data } = source;
  const later = h('div', { class: 'later' });
  void source.runFile(index).then((file) => {
    later.replaceWith(
      ...[processSection(run, file), hosts(run, file), bindingSection(file), resources(run), quality(run, file), provenance(run, file)].filter(
        (part): part is HTMLElement => part !== null,
      ),
    );
    performance.mark('ready');
    document.documentElement.dataset.ready = 'true';
  });
  return [
    verdict(data, run),
    efficiency(data, run),
    breakdownOfRun(run),
    lossWaterfall(run),
    regions(run),
    parallelRegions(run),
    counters(run),
    fileIo(run),
    later,
  ];
}

function studyParts(data: PageData): Part[] {
  const { study } = data;
  if (!study) return [];
  return [
    studyVerdict(study),
    scalingTable(data, study),
    charts(data, study),
    changes(data, study),
    breakdownOfStudy(study, data.runs),
  ];
}

function show(source: Source): void {
  const { data } = source;
  const first = data.runs[0];
  if (!first) throw new Error('the page has no run');
  const holder = h('div', { id: 'run' });
  const lines = h('div', { class: 'lines' });
  const choose = (index: number): void => {
    const run = data.runs[index] ?? first;
    replace(lines, ...run.document.lines.map((line) => h('p', {}, line.join(' · '))));
    replace(holder, ...ofRun(source, index, run));
  };
  const id = newId('run');
  const select = h('select', { id }, ...data.runs.map((run, i) => h('option', { value: i }, run.name === run.file ? run.name : `${run.name}: ${run.file}`)));
  select.addEventListener('change', () => choose(Number(select.value)));
  const chooser = data.runs.length > 1 ? h('div', { class: 'bar chooser' }, h('label', { for: id }, 'Run'), select) : null;
  const page = document.getElementById('page');
  if (!page) return;
  replace(
    page,
    h(
      'header',
      {},
      h('p', { class: 'brand' }, 'poprt ', h('span', {}, data.version), data.study ? ' · scaling' : ' · report'),
      h('h1', {}, first.document.title),
      data.study ? null : lines,
    ),
    h(
      'main',
      { id: 'main' },
      ...studyParts(data),
      data.study ? h('h2', { class: 'divider' }, 'One run') : null,
      chooser,
      data.study ? lines : null,
      holder,
    ),
    h('footer', {}, h('p', {}, 'Made by poprt ', data.version, '. The run files are in this page: ', h('code', {}, 'poprt export PAGE --to json'), ' gives them back.')),
  );
  // Of several runs that scale, the largest shows most.
  const begin = data.study?.configurations[data.study.largest]?.first_run ?? 0;
  select.value = String(begin);
  choose(begin);
}

async function start(): Promise<void> {
  startTips();
  show(await readPage(document.getElementById('poprt-data')?.textContent ?? ''));
}

start().catch((error: unknown) => {
  document.body.prepend(h('p', { class: 'failure', role: 'alert' }, `This page cannot be shown: ${String(error)}`));
});
