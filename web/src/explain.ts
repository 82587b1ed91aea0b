// What is said of a number: its meaning, its formula with the numbers of this
// run, and what to do.
import { withSign, type Cell, type PageData, type Row, type Run } from './data';
import { h, type Child } from './dom';
import { filledIn } from './formula';
import { mark } from './treegrid';

export function metricText(data: PageData, model: string | undefined, key: string | undefined) {
  if (!key) return undefined;
  return data.metrics[`${model ?? ''}.${key}`] ?? data.metrics[key];
}

// Whether cells of the row can have a grade.
export const isGraded = (data: PageData, model: string | undefined, row: Row): boolean =>
  data.metrics[`${model ?? ''}.${row.key ?? ''}`]?.is_efficiency === true || data.metrics[row.key ?? ''] !== undefined;

// `region` is the place of the region in the run, or null for no number.
export function explanation(
  data: PageData,
  run: Run | null,
  modelKey: string | undefined,
  region: number | null,
  row: Row,
  cell: Cell | null,
): Child[] {
  const text = metricText(data, modelKey, row.key);
  // No loss is named of a run that cannot be judged.
  const isRed = run?.light === 'red';
  const parts: Child[] = [h('strong', { class: 'tip-title' }, text?.label ?? row.label)];
  if (cell) parts.push(h('span', { class: 'tip-value' }, `${withSign(cell)} ${cell.grade ? mark(cell) : ''}`));
  if (cell?.reason) parts.push(h('p', { class: 'tip-reason' }, cell.reason));
  if (text) parts.push(h('p', {}, text.definition));
  const model = run?.models.find((each) => each.key === modelKey);
  const numbers = region === null ? undefined : model?.numbers[region];
  if (text?.formula && model && numbers && cell?.value !== undefined) {
    const losses = model.losses?.rows.find((each) => each.key === row.key)?.cells[region ?? 0];
    const lines = [text.formula, `= ${filledIn(text.formula, model.symbols, numbers)}`];
    lines.push(`= ${withSign(cell)}`);
    parts.push(h('code', { class: 'tip-formula' }, lines.join('\n')));
    if (losses?.value !== undefined && !isRed) {
      const whole = modelKey === 'talp' ? "threads' time" : "region's core time";
      parts.push(h('p', {}, `${withSign(losses)} of the ${whole} lost.`));
    }
  }
  const isLow = cell?.grade === 'attention' || cell?.grade === 'poor' || cell === null;
  if (text?.low && isLow && !isRed) parts.push(h('p', {}, h('b', {}, 'If low: '), text.low));
  const advice = region === null ? undefined : run?.advice[String(region)]?.[`${modelKey ?? ''}.${row.key ?? ''}`];
  if (advice && !isRed) parts.push(h('p', {}, h('b', {}, 'This run: '), advice));
  return text || cell?.reason ? parts : [];
}
