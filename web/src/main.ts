// The page: reads its data and puts the sections together.
import { readPage, type PageData, type ReportDocument, type Run, type Source, type Study } from './data';
import { h, replace } from './dom';
import { breakdownOfRun, breakdownOfStudy } from './sections/breakdowns';
import { lossWaterfall } from './sections/losses';
import { changes, charts, scalingTable, studyVerdict } from './sections/scaling';
import { assessment } from './sections/assessment';
import { startPrinting } from './figure';
import { bindingSection } from './sections/binding';
import { counters, fileIo, hosts } from './sections/measured';
import { efficiency } from './sections/efficiency';
import { verdict } from './sections/verdict';
import { parallelRegions, regions } from './sections/rankings';
import { processSection } from './sections/processes';
import { overTime, provenance, quality, resources } from './sections/trust';
import { unmeasured } from './sections/unmeasured';
import { why } from './sections/why';
import { selection } from './sections/section';
import { startTips } from './tip';
import { readWords } from './words';

type Part = HTMLElement | null;

// The sections of one run.  Those that need its file come when that is
// unpacked.
function ofRun(source: Source, index: number, run: Run): Part[] {
  const { data } = source;
  const later = h('div', { class: 'later' });
  void source.runFile(index).then((file) => {
    later.replaceWith(
      ...[
        processSection(run, file, data.states, data.first),
        hosts(run, file),
        bindingSection(file),
        resources(run),
        quality(run),
        unmeasured(run, file),
        provenance(run),
      ].filter(
        (part): part is HTMLElement => part !== null,
      ),
    );
    if (data.first.processes) document.getElementById('processes')?.scrollIntoView();
    data.first.processes = false;
    isReady();
  });
  return [
    verdict(data, run),
    efficiency(data, run),
    why(run),
    parallelRegions(run),
    breakdownOfRun(run),
    lossWaterfall(data, run),
    regions(run),
    overTime(data, run),
    counters(run),
    fileIo(run),
    later,
  ];
}

function studyParts(data: PageData): Part[] {
  const { study } = data;
  if (!study) return [];
  return [
    studyVerdict(study, data.runs),
    scalingTable(data, study),
    charts(data, study),
    changes(data, study),
    breakdownOfStudy(study, data.runs, data.first),
  ];
}

function frame(data: PageData, kind: string, title: string, lines: Part, ...parts: Part[]): void {
  const page = document.getElementById('page');
  if (!page) return;
  const exported = [h('code', {}, 'poprt export PAGE --to json'), ' gives them back.'];
  replace(
    page,
    h('header', {}, h('p', { class: 'brand' }, 'poprt ', h('span', {}, data.version), ` · ${kind}`), h('h1', {}, title), lines),
    h('nav', { class: 'toc on-screen', 'aria-label': 'Contents' }),
    h('main', { id: 'main' }, ...parts),
    h('footer', {}, h('p', {}, 'Made by poprt ', data.version, '. The run files are in this page: ', ...exported)),
  );
}

// Links to all that the page has now: another run has other sections.
function showContents(): void {
  const place = document.querySelector('.toc');
  if (!place) return;
  const heads = document.querySelectorAll('main h2:not(.part-of-assessment h2)');
  const links = Array.from(heads, (head) => h('a', { href: `#${head.id}`, class: head.classList.contains('divider') ? 'divider' : '' }, head.textContent));
  replace(place, ...(links.length > 0 ? [h('a', { href: '#page' }, 'Top'), ...links] : []));
}

function isReady(): void {
  showContents();
  performance.mark('ready');
  document.documentElement.dataset.ready = 'true';
}

// The run of a study that shows most: the largest.
function largestOf({ data }: Source): number {
  return data.study?.configurations[data.study.largest]?.first_run ?? 0;
}

async function showAssessment(source: Source, text: ReportDocument, study: Study): Promise<void> {
  const { data } = source;
  const place = largestOf(source);
  const run = data.runs[place];
  if (!run) throw new Error('the page has no run');
  frame(data, 'performance assessment', text.title, null, ...assessment(data, text, study, run, await source.runFile(place), readWords()));
  isReady();
}

function showRuns(source: Source): void {
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
  const begin = largestOf(source);
  const names = data.runs.map((run) => (run.name === run.file ? run.name : `${run.name}: ${run.file}`));
  const chooser = h('div', { class: 'bar chooser' }, selection('Run', names, begin, choose));
  frame(
    data,
    data.study ? 'scaling' : 'report',
    first.document.title,
    data.study ? null : lines,
    ...studyParts(data),
    data.study ? h('h2', { class: 'divider', id: 'one-run' }, 'One run') : null,
    chooser,
    data.study ? lines : null,
    holder,
  );
  choose(begin);
}

async function start(): Promise<void> {
  startTips();
  startPrinting();
  const source = await readPage(document.getElementById('poprt-data')?.textContent ?? '');
  const { assessment: text, study } = source.data;
  if (text && study) await showAssessment(source, text, study);
  else showRuns(source);
}

start().catch((error: unknown) => {
  document.body.prepend(h('p', { class: 'failure', role: 'alert' }, `This page cannot be shown: ${String(error)}`));
});
