// The skeleton of a performance assessment: what the runs tell, with figures,
// and places for the analyst's words, which a copy of the page keeps.
import type { Block, PageData, Paragraph, ReportDocument, Run, RunFile, Study } from '../data';
import { h, newId, type Child } from '../dom';
import { savedPage, type Words } from '../words';
import { barsFigure, breakdownOfRegions } from './breakdowns';
import { lossFigure } from './losses';
import { counterCharts } from './measured';
import { processesOf } from './processes';
import { sourcesChart, tableList } from './rankings';
import { runsGrid, scalingFigures, type ScalingFigure } from './scaling';

export interface Part {
  key: string;
  title: string;
  blocks: Block[];
}

// The blocks between one section and the next.
export function partsOf(document: ReportDocument): Part[] {
  const parts: Part[] = [];
  for (const block of document.blocks) {
    if (block.type === 'section') parts.push({ key: block.key, title: block.title, blocks: [] });
    else parts[parts.length - 1]?.blocks.push(block);
  }
  return parts;
}

// The place for the analyst's words on a part.
function placeFor(part: Part, { text }: Paragraph, words: Words): HTMLElement {
  const id = newId('words');
  const field = h('textarea', { id, rows: 3 });
  const grows = h('div', { class: 'grows' }, field);
  const place = h('div', { class: 'to-write' }, h('label', { for: id }, h('b', {}, 'To write: '), `${text}.`), grows);
  const update = (): void => {
    words[part.key] = field.value;
    grows.dataset.words = field.value;
    place.classList.toggle('written', field.value.trim() !== '');
  };
  field.value = words[part.key] ?? '';
  update();
  field.addEventListener('input', update);
  return place;
}

function lossOf(run: Run, model: string): HTMLElement[] {
  const drawn = lossFigure(run, model, 0);
  return drawn ? [h('h3', {}, `What ${run.name} lost, by cause`), drawn] : [];
}

// The figures of a part beside its tables.
function figuresOf(part: string, data: PageData, study: Study, run: Run, file: RunFile): Child[] {
  const global = Math.max(0, study.regions.findIndex((region) => region.name === 'Global'));
  const scaling = (...kinds: ScalingFigure['kind'][]): HTMLElement =>
    h('div', { class: 'pair' }, ...scalingFigures(data, study, global).flatMap(({ kind, element }) => (kinds.includes(kind) ? [element] : [])));
  const regions = run.regions.filter((region) => region.parts.length > 0);
  switch (part) {
    case 'application_structure':
      return regions.length > 1 ? breakdownOfRegions(`Where the core time of ${run.name} went, by region`, regions) : [];
    case 'scalability':
      return [scaling('speedup', 'efficiencies')];
    case 'load_balance': {
      const shown = processesOf(run, file, data.states, 0, 'rank').slice(0, 2);
      return shown.length > 0 ? [h('h3', {}, `Processes of ${run.name}: shares of their time`), ...shown] : [];
    }
    case 'serial_performance':
      return [scaling('computation'), ...counterCharts(run)];
    case 'root_causes':
      return [...lossOf(run, study.first_model), sourcesChart(run.parallel_regions, run.parallel_sources)];
    default:
      return [];
  }
}

function elementOf(block: Block, part: Part, data: PageData, study: Study, run: Run, words: Words): Child {
  switch (block.type) {
    case 'paragraph':
      return block.is_open ? placeFor(part, block, words) : h('p', {}, block.text.replace(/ %/g, '\u00a0%'));
    case 'facts':
      return h('dl', { class: 'facts' }, ...block.facts.flatMap((fact) => [h('dt', {}, fact.label ?? ''), h('dd', {}, fact.text)]));
    case 'bars':
      return barsFigure(block, run.name);
    case 'table': {
      const title = [block.region, block.title].filter(Boolean).join(': ');
      const notes = [...(block.notes ?? []), ...(block.more ? [block.more] : [])];
      return h(
        'div',
        {},
        h('h3', {}, title),
        block.kind === 'runs' ? runsGrid(data, study, block).element : tableList(block, 'rows', ''),
        ...notes.map((note) => h('p', { class: 'note' }, note)),
      );
    }
    default:
      return null;
  }
}

export function assessment(data: PageData, document: ReportDocument, study: Study, run: Run, file: RunFile, words: Words): HTMLElement[] {
  const parts = partsOf(document);
  let kept = '';
  const save = h('button', { type: 'button' }, 'Save with your words');
  save.addEventListener('click', () => {
    const link = h('a', { href: URL.createObjectURL(new Blob([savedPage(words)], { type: 'text/html' })), download: 'assessment.html' });
    link.click();
    kept = JSON.stringify(words);
    window.setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  });
  // Words that are only in this window would be lost.
  window.addEventListener('beforeunload', (event) => {
    if (JSON.stringify(words) !== kept) event.preventDefault();
  });
  const print = h('button', { type: 'button' }, 'Print');
  print.addEventListener('click', () => window.print());
  const ids = parts.map(() => newId('part'));
  const sections = parts.map((part, i) => {
    const open = part.blocks.filter((block) => block.type === 'paragraph' && block.is_open);
    const rest = part.blocks.filter((block) => !open.includes(block));
    return h(
      'section',
      { class: 'part-of-assessment', 'aria-labelledby': ids[i] ?? '' },
      h('h2', { id: ids[i] ?? '' }, part.title),
      ...rest.map((block) => elementOf(block, part, data, study, run, words)),
      ...figuresOf(part.key, data, study, run, file),
      ...open.map((block) => elementOf(block, part, data, study, run, words)),
    );
  });
  kept = JSON.stringify(words);
  return [
    h(
      'nav',
      { class: 'contents', 'aria-label': 'Contents' },
      h('ol', {}, ...parts.map((part, i) => h('li', {}, h('a', { href: `#${ids[i] ?? ''}` }, part.title)))),
      h('p', { class: 'bar' }, save, print),
    ),
    ...sections,
  ];
}
