// Where every core-second went: of runs, and of regions.
import { breakdown, type Parts } from '../charts/breakdown';
import { stacks, type Stack } from '../charts/stacks';
import { PAGE, seriesOf } from '../charts/theme';
import { blocksOf, firstOf, type Bars, type Run, type RunRegion, type Study, type View } from '../data';
import { h, newId, replace } from '../dom';
import { figure } from '../figure';
import { coreSeconds, tenthsAsPercent } from '../format';
import { pager } from '../pager';
import { notesOf, tableList } from './rankings';
import { choice, section, selection } from './section';

const PER_PAGE = 10;
const TITLE = 'Where the core time went';

// The shares of a region's core time.
function sharesOf(name: string, region: RunRegion | undefined): Parts[] {
  if (!region || region.parts.length === 0) return [];
  return [{ name, parts: region.parts.map(({ key, label, tenths }) => ({ key, label, part: tenths / 1000, text: tenthsAsPercent(tenths) })) }];
}

// The same as core time, so that regions can be compared with each other.
export function coreTimeOf(name: string, { parts, core_ns }: RunRegion): Stack {
  return {
    name,
    text: coreSeconds(core_ns),
    parts: parts.map(({ key, label, tenths }, i) => ({
      key,
      label,
      size: (core_ns * tenths) / 1000,
      text: tenthsAsPercent(tenths),
      series: seriesOf(key, i),
    })),
  };
}

export function breakdownOfRegions(heading: string, regions: RunRegion[]): HTMLElement[] {
  const holder = h('div');
  const id = newId('breakdown');
  let isTime = false;
  const pages = pager({
    noun: 'regions',
    names: regions.map((region) => region.name),
    size: () => PER_PAGE,
    show: (shown) => {
      const all = shown.flatMap((i) => regions[i] ?? []);
      const title = isTime ? 'Core time of regions, by what it was spent on' : 'Shares of the core time of each region';
      const draw = (width: number) =>
        isTime
          ? stacks(all.map((region) => coreTimeOf(region.name, region)), { title, names: 'Region', whole: 'core time' }, width, PAGE, id)
          : breakdown(all.flatMap((region) => sharesOf(region.name, region)), title, width, PAGE, id);
      replace(holder, all.length > 0 ? figure(draw, title) : null);
    },
  });
  pages.update();
  const kinds = choice(
    'Bars of regions',
    [
      { key: 'share', name: 'Shares of each region' },
      { key: 'time', name: 'Core-seconds' },
    ],
    'share',
    (key) => {
      isTime = key === 'time';
      pages.update();
    },
  );
  return [h('h3', {}, heading), h('div', { class: 'bar' }, kinds, pages.element), holder];
}

export function barsFigure(bars: Bars, name: string): HTMLElement {
  const id = newId('breakdown');
  const parts = bars.bars.map(({ key, label, part, tenths }) => ({ key, label, part, text: tenthsAsPercent(tenths) }));
  return h('div', {}, h('h3', {}, bars.title), figure((width) => breakdown([{ name, parts }], bars.title, width, PAGE, id), bars.title));
}

// What devices did: nothing in a run without them.
function devicesOf(run: Run): HTMLElement[] {
  const [, ...bars] = blocksOf(run.document, 'bars');
  const lists = blocksOf(run.document, 'table').filter((table) => table.key === 'devices');
  return [
    ...bars.map((each) => barsFigure(each, run.name)),
    ...lists.map((table) => h('div', {}, h('h3', {}, table.title ?? ''), tableList(table, 'devices', 'Device'), ...notesOf(table))),
  ];
}

// One run, and its regions.
export function breakdownOfRun(run: Run): HTMLElement | null {
  const regions = run.regions.filter((region) => region.parts.length > 0);
  const [whole] = regions;
  if (!whole) return null;
  const title = blocksOf(run.document, 'bars')[0]?.title ?? `Where ${coreSeconds(whole.core_ns)} of ${whole.name} went`;
  const loss = blocksOf(run.document, 'facts').flatMap((list) => list.facts.filter((fact) => fact.key === 'loss_in_bars'));
  const id = newId('breakdown');
  return section(
    TITLE,
    `${title}.`,
    figure((width) => breakdown(sharesOf(run.name, whole), title, width, PAGE, id), title),
    ...loss.map((fact) => h('p', {}, fact.text)),
    ...devicesOf(run),
    ...(regions.length > 1 ? breakdownOfRegions('By region', regions) : []),
  );
}

// A region in the first run of each configuration.
export function breakdownOfStudy(study: Study, runs: Run[], view: View): HTMLElement | null {
  const holder = h('div');
  const id = newId('breakdown');
  const partsOf = (name: string): Parts[] =>
    study.configurations.flatMap((each) => {
      const run = runs[each.first_run];
      return sharesOf(each.name, run?.regions.find((region) => region.name === name));
    });
  const names = study.regions.map((each) => each.name).filter((name) => partsOf(name).length > 0);
  const first = firstOf(names, view);
  if (names.length === 0) return null;
  const show = (place: number): void => {
    const name = names[place] ?? '';
    const title = `Where the core time of ${name} went in each run`;
    replace(holder, figure((width) => breakdown(partsOf(name), title, width, PAGE, id), title));
  };
  show(first);
  return section(
    TITLE,
    'Of the first run of each kind: useful time, and what took the rest.',
    h('div', { class: 'bar' }, selection('Region', names, first, show)),
    holder,
  );
}
