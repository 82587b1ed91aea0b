// Amounts: a bar for each name, of one part or of several, all on one scale.
// Amounts have the largest as its end; shares have round ends and an axis, so
// that little looks like little.
import { scaleLinear } from 'd3-scale';
import { asPercent, axisBelow, block, label, LEAST_SEEN, legend, nameLabel, patterns } from './marks';
import { distinct } from './names';
import { picture, s, textWidth, type Chart, type SvgNode } from './svg';
import type { Theme } from './theme';

export interface Stack {
  name: string;
  parts: { key: string; label: string; size: number; text: string; series: number }[];
  text?: string; // the whole, beside the bar
}

export interface StacksOptions {
  title: string;
  names: string; // what the bars are: the head of the table's first column
  whole?: string; // what `text` of each is: the head of its last column
  axis?: string; // the name of the axis, where the sizes are shares
}

const SHARE_ENDS = [0.1, 0.25, 0.5, 1];

const NARROW = 560; // below, names stand above their bars

export function stacks(rows: Stack[], options: StacksOptions, width: number, theme: Theme, id: string): Chart {
  const kinds = [...new Map(rows.flatMap((row) => row.parts.map((part) => [part.key, part] as const))).values()];
  const colour = (series: number): string => theme.series[series] ?? theme.accent;
  const isNarrow = width < NARROW;
  const bar = 18;
  const line = isNarrow ? 42 : 26;
  const left = isNarrow ? 0 : Math.min(width * 0.38, Math.max(0, ...rows.map((row) => textWidth(row.name))) + 12);
  const right = Math.max(0, ...rows.map((row) => textWidth(row.text ?? ''))) + 10;
  const sizeOf = (row: Stack): number => row.parts.reduce((sum, part) => sum + Math.max(0, part.size), 0);
  const largest = Math.max(...rows.map(sizeOf), Number.MIN_VALUE);
  const most = options.axis ? (SHARE_ENDS.find((end) => largest <= end) ?? largest) : largest;
  const end = left + Math.max(20, width - left - right);
  const place = scaleLinear([0, most], [left, end]);
  const scale = (size: number): number => place(Math.max(0, size)) - left;
  // What is nothing in all rows needs no colour.
  const seen = kinds.filter(({ key }) => rows.some((row) => row.parts.some((part) => part.key === key && part.size > (options.axis ? LEAST_SEEN : 0))));
  const key =
    kinds.length > 1
      ? legend(
          seen.map(({ label: name, series }) => ({ name, fill: colour(series), pattern: `${id}-${series}` })),
          width,
          0,
          theme,
        )
      : { nodes: [], height: 0 };
  const top = key.height + (kinds.length > 1 ? 8 : 0);
  const nodes: SvgNode[] = [patterns(id), ...key.nodes];
  const bottom = top + rows.length * line;
  const axis = options.axis
    ? axisBelow(place, place.ticks(5), asPercent, top, bottom, options.axis, theme)
    : { nodes: [], height: 4 };
  nodes.push(...axis.nodes);
  const names = distinct(rows.map((row) => row.name), isNarrow ? width : left - 12);
  rows.forEach((row, i) => {
    const y = top + i * line + (isNarrow ? 17 : (line - bar) / 2);
    nodes.push(
      isNarrow
        ? nameLabel(0, y - 5, names[i] ?? '', row.name, theme.text)
        : nameLabel(left - 8, y + bar / 2 + 4, names[i] ?? '', row.name, theme.text, 'end'),
    );
    let x = left;
    for (const part of row.parts) {
      const at = { x, y, width: scale(part.size), height: bar };
      x += at.width;
      if (at.width > 0) nodes.push(block(at, colour(part.series), `${id}-${part.series}`, `${row.name}, ${part.label}: ${part.text}`));
    }
    if (row.text) nodes.push(label(x + 6, y + bar / 2 + 4, row.text, theme.text));
  });
  nodes.push(s('line', { x1: left, x2: left, y1: top, y2: bottom, stroke: theme.line, 'stroke-width': 1 }));
  return {
    svg: picture(width, bottom + axis.height, options.title, ...nodes),
    table: {
      columns: [options.names, ...kinds.map((kind) => kind.label), ...(options.whole ? [options.whole] : [])],
      rows: rows.map((row) => [
        row.name,
        ...kinds.map(({ key }) => row.parts.find((part) => part.key === key)?.text ?? '-'),
        ...(options.whole ? [row.text ?? ''] : []),
      ]),
    },
  };
}
