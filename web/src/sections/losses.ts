// What took the core time that was not useful.
import { waterfall, type Step } from '../charts/waterfall';
import { PAGE, seriesOfLoss } from '../charts/theme';
import { firstOf, withSign, type PageData, type Run } from '../data';
import { h, replace } from '../dom';
import { figure } from '../figure';
import { parents } from '../treegrid';
import { section, selection } from './section';

// The rows at the bottom of the hierarchy, which together are what Parallel
// Efficiency lacks in this region.  Where a model says the same loss twice, as
// a whole and by layer (MPI, OpenMP), it is the rows by layer.
export function stepsOf(run: Run, modelKey: string, region: number): Step[] {
  const losses = run.models.find((model) => model.key === modelKey)?.losses;
  if (!losses) return [];
  const { rows } = losses;
  const above = parents(rows);
  const childrenOf = (i: number): number[] => rows.flatMap((_, child) => (above[child] === i ? [child] : []));
  const isOfLayer = (i: number): boolean => /^(MPI|OpenMP)/.test(rows[i]?.label ?? '');
  const leaves = (i: number): number[] => {
    const children = childrenOf(i);
    const ofLayers = children.filter(isOfLayer);
    const hasBoth = ofLayers.length > 0 && ofLayers.length < children.length;
    return children.length === 0 ? [i] : (isTop(i) && hasBoth ? ofLayers : children).flatMap(leaves);
  };
  const isTop = (i: number): boolean => rows[i]?.key === 'parallel_efficiency';
  const top = rows.findIndex((_, i) => isTop(i));
  if (top < 0) return [];
  return leaves(top).flatMap((i) => {
    const row = rows[i];
    const cell = row?.cells[region];
    if (!row || i === top || cell?.value === undefined || Math.abs(cell.value) < 0.0005) return [];
    return [{ label: row.label, part: cell.value, text: withSign(cell), series: seriesOfLoss(row.label) }];
  });
}

// The steps of one region; null if there are none.
export function lossFigure(run: Run, modelKey: string, region: number): HTMLElement | null {
  const steps = stepsOf(run, modelKey, region);
  if (steps.length === 0) return null;
  const title = `What ${run.regions[region]?.name ?? ''} lost, from 100 % to its Parallel Efficiency`;
  const texts = { title, whole: 'All core time', rest: 'Parallel Efficiency' };
  return figure((width) => waterfall(steps, texts, width, PAGE), title);
}

export function lossWaterfall(data: PageData, run: Run): HTMLElement | null {
  const models = run.models.filter((model) => stepsOf(run, model.key, 0).length > 0);
  if (models.length === 0) return null;
  let model = models.find((each) => each.key === run.first_model)?.key ?? models[0]?.key ?? '';
  let region = firstOf(run.regions.map((each) => each.name), data.first);
  const holder = h('div');
  const update = (): void => replace(holder, lossFigure(run, model, region) ?? h('p', {}, 'What this region lost is not known.'));
  update();
  return section(
    'What was lost',
    'From all core time down to the Parallel Efficiency: one step for each cause at the bottom of the hierarchy.',
    h(
      'div',
      { class: 'bar' },
      selection('Model', models.map((each) => each.label), models.findIndex((each) => each.key === model), (place) => {
        model = models[place]?.key ?? model;
        update();
      }),
      selection('Region', run.regions.map((each) => each.name), region, (place) => {
        region = place;
        update();
      }),
    ),
    holder,
  );
}
