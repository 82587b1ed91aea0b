// How rows change over a run: a line of cells for each, a column for each of
// its windows.
import { heat, type Heat, type Thresholds } from '../colours';
import type { Spread } from '../data';
import { percent } from '../format';
import { label } from './marks';
import { picture, s, textWidth, type Chart, type SvgNode } from './svg';
import type { Theme } from './theme';

export interface OverTimeRow {
  label: string;
  values: Spread[]; // with their bounds
}

// `thresholds`: null where the run cannot be judged.
export function overTime(rows: OverTimeRow[], windows: string[], thresholds: Thresholds | null, title: string, width: number, theme: Theme): Chart {
  const line = 22;
  const names = Math.max(...rows.map((row) => textWidth(row.label))) + 10;
  const widest = Math.max(textWidth('100.0'), ...windows.map(textWidth)) + 6;
  const cell = Math.min(2 * widest, Math.max(4, (width - names) / windows.length));
  const colourOf = (value: number): Heat => {
    if (!thresholds) return heat(value, 'unjudged', { poor: 0, good: 1 });
    // As it is shown.
    const shown = Math.round(1000 * value) / 1000;
    return heat(value, shown >= thresholds.good ? 'good' : shown >= thresholds.poor ? 'attention' : 'poor', thresholds);
  };
  const number = (value: number): string => percent(value).replace(' %', '');
  const text = (value: Spread | undefined): string => {
    if (!value) return '-';
    const [is, least, most] = value;
    const bounds = percent(least) === percent(most) ? '' : ` (${percent(least)} to ${percent(most)})`;
    return percent(is) + bounds;
  };
  const nodes: SvgNode[] = [];
  rows.forEach((row, i) => {
    const y = i * line;
    nodes.push(label(0, y + 15, row.label, theme.text));
    row.values.forEach((value, column) => {
      const box = { x: names + column * cell, y, width: cell, height: line };
      const colour = value ? colourOf(value[0]) : null;
      nodes.push(
        s(
          'g',
          { class: 'part' },
          s('title', {}, `${row.label}, window ${windows[column] ?? ''}: ${text(value)}`),
          s('rect', { ...box, fill: colour?.background ?? theme.surface, stroke: theme.surface, 'stroke-width': 0.5 }),
          cell >= widest && label(box.x + cell / 2, y + 15, value ? number(value[0]) : '-', colour?.text ?? theme.faint, 'middle'),
        ),
      );
    });
  });
  const bottom = rows.length * line;
  let taken = -Infinity;
  windows.forEach((name, i) => {
    const middle = names + (i + 0.5) * cell;
    if (middle - textWidth(name) / 2 < taken) return;
    taken = middle + textWidth(name) / 2 + 8;
    nodes.push(label(middle, bottom + 16, name, theme.faint, 'middle'));
  });
  nodes.push(label(names + (windows.length * cell) / 2, bottom + 33, 'window', theme.faint, 'middle'));
  return {
    svg: picture(names + cell * windows.length, bottom + 40, title, ...nodes),
    table: { columns: ['', ...windows], rows: rows.map((row) => [row.label, ...row.values.map(text)]) },
  };
}
