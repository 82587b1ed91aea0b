// What took the core time that was not useful.
import { waterfall, type Step } from '../charts/waterfall';
import { PAGE, seriesOf } from '../charts/theme';
import { firstOf, withSign, type PageData, type Run } from '../data';
import { h, replace } from '../dom';
import { figure } from '../figure';
import { section, selection } from './section';

// The losses of a region, which together are what its Parallel Efficiency lacks.
// Those that do not show are left out, and no loss is named of a run that cannot
// be judged.
export function stepsOf(run: Run, modelKey: string, region: number): Step[] {
  if (run.light === 'red') return [];
  const model = run.models.find((each) => each.key === modelKey);
  return (model?.steps?.[region] ?? []).flatMap(({ row: i, colour }) => {
    const row = model?.losses?.rows[i];
    const cell = row?.cells[region];
    if (!row || row.key === 'parallel_efficiency' || cell?.value === undefined || Math.abs(cell.value) < 0.0005) return [];
    return [{ label: row.label, part: cell.value, text: withSign(cell), series: seriesOf(colour, i) }];
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
