// The efficiency table as a heat map: rows of the hierarchy, runs as columns.
import { heat, type Thresholds } from '../colours';
import type { Row } from '../data';
import { label } from './marks';
import { picture, s, shortened, SIZE, textWidth, type Chart, type SvgNode } from './svg';
import type { Theme } from './theme';

// `red`: columns of runs that cannot be judged.
export function heatmap(
  rows: Row[],
  columns: string[],
  red: boolean[],
  thresholds: Thresholds,
  title: string,
  width: number,
  theme: Theme,
): Chart {
  const line = 22;
  const step = 12; // of the hierarchy
  const indent = (row: Row): number => step * (row.depth ?? 0);
  const names = Math.max(...rows.map((row) => textWidth(row.label) + indent(row))) + 10;
  // Names of runs that do not fit into their columns stand upright.
  const widest = Math.max(...columns.map((name) => textWidth(name)));
  const room = (width - names) / columns.length;
  const isUpright = widest + 8 > Math.max(room, 50);
  const cell = Math.min(72, Math.max(room, isUpright ? 42 : Math.max(42, widest + 8)));
  const longest = 120;
  const top = isUpright ? Math.min(longest, widest) + 8 : line;
  const nodes: SvgNode[] = columns.map((name, i) => {
    const middle = names + (i + 0.5) * cell;
    if (!isUpright) return label(middle, line - 8, name, theme.text, 'middle', { 'font-weight': 600 });
    const x = middle + SIZE / 3;
    const turned = { transform: `rotate(-90 ${Math.round(x * 100) / 100} ${top - 6})` };
    return label(x, top - 6, shortened(name, longest), theme.text, 'start', turned);
  });
  rows.forEach((row, i) => {
    const y = top + i * line;
    nodes.push(label(indent(row), y + 15, row.label, theme.text));
    row.cells.forEach((each, column) => {
      const box = { x: names + column * cell, y, width: cell, height: line };
      const grade = red[column] ? 'unjudged' : each.grade;
      const colour = grade && each.value !== undefined ? heat(each.value, grade, thresholds) : null;
      const mark = each.grade === 'attention' ? ' !' : each.grade === 'poor' ? ' x' : each.grade === 'better' ? ' +' : '';
      nodes.push(
        s(
          'g',
          { class: 'part' },
          s('title', {}, `${row.label}, ${columns[column] ?? ''}: ${each.text}${mark}`),
          s('rect', { ...box, fill: colour?.background ?? theme.surface, stroke: theme.surface, 'stroke-width': 1.5 }),
          label(box.x + cell / 2, y + 15, each.text, colour?.text ?? theme.faint, 'middle'),
        ),
      );
    });
  });
  return {
    svg: picture(names + cell * columns.length, top + rows.length * line, title, ...nodes),
    table: {
      columns: ['', ...columns],
      rows: rows.map((row) => [row.label, ...row.cells.map((each) => each.text)]),
    },
  };
}
