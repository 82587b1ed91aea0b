// Amounts: a bar for each name, of one part or of several, all on one scale.
import { block, label, legend, patterns } from './marks';
import { picture, s, shortened, textWidth, type Chart, type SvgNode } from './svg';
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
}

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
  const most = Math.max(...rows.map(sizeOf), Number.MIN_VALUE);
  const scale = (size: number): number => (Math.max(0, size) / most) * Math.max(20, width - left - right);
  const key =
    kinds.length > 1
      ? legend(
          kinds.map(({ label: name, series }) => ({ name, fill: colour(series), pattern: `${id}-${series}` })),
          width,
          0,
          theme,
        )
      : { nodes: [], height: 0 };
  const top = key.height + (kinds.length > 1 ? 8 : 0);
  const nodes: SvgNode[] = [patterns(id), ...key.nodes];
  rows.forEach((row, i) => {
    const y = top + i * line + (isNarrow ? 17 : (line - bar) / 2);
    nodes.push(
      isNarrow
        ? label(0, y - 5, shortened(row.name, width), theme.text)
        : label(left - 8, y + bar / 2 + 4, shortened(row.name, left - 12), theme.text, 'end'),
    );
    let x = left;
    for (const part of row.parts) {
      const at = { x, y, width: scale(part.size), height: bar };
      x += at.width;
      if (at.width > 0) nodes.push(block(at, colour(part.series), `${id}-${part.series}`, `${row.name}, ${part.label}: ${part.text}`));
    }
    if (row.text) nodes.push(label(x + 6, y + bar / 2 + 4, row.text, theme.text));
  });
  nodes.push(s('line', { x1: left, x2: left, y1: top, y2: top + rows.length * line, stroke: theme.line, 'stroke-width': 1 }));
  return {
    svg: picture(width, top + rows.length * line + 4, options.title, ...nodes),
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
