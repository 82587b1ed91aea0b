// Parts that several charts have.
import type { ScaleLinear } from 'd3-scale';
import { s, textWidth, type SvgNode } from './svg';
import type { Theme } from './theme';

export function label(
  x: number,
  y: number,
  text: string,
  fill: string,
  anchor: 'start' | 'middle' | 'end' = 'start',
  extra: Record<string, string | number> = {},
): SvgNode {
  return s('text', { x, y, fill, 'text-anchor': anchor, ...extra }, text);
}

// A name that may be shortened: pointed at, it is whole.
export function nameLabel(x: number, y: number, shown: string, name: string, fill: string, anchor: 'start' | 'end' = 'start'): SvgNode {
  const title = shown === name ? null : s('title', {}, name);
  return s('text', { x, y, fill, 'text-anchor': anchor }, shown, title);
}

// Lines behind bars, and below these the numbers of the lines and what they
// are; and the height of that.
export function axisBelow(
  scale: ScaleLinear<number, number>,
  ticks: number[],
  asText: (tick: number) => string,
  top: number,
  bottom: number,
  name: string,
  theme: Theme,
): { nodes: SvgNode[]; height: number } {
  const [from = 0, to = 0] = scale.range();
  return {
    nodes: [
      ...ticks.flatMap((tick) => [
        s('line', { x1: scale(tick), x2: scale(tick), y1: top, y2: bottom + 4, stroke: theme.line, 'stroke-width': tick === 0 ? 1 : 0.5 }),
        label(scale(tick), bottom + 17, asText(tick), theme.faint, 'middle'),
      ]),
      label((from + to) / 2, bottom + 34, name, theme.faint, 'middle'),
    ],
    height: 40,
  };
}

export const LEAST_SEEN = 0.0005; // less is 0.0 %
export const SHARES = [0, 0.2, 0.4, 0.6, 0.8, 1];
export const asPercent = (share: number): string => String(Math.round(100 * share));

// Hatchings that go over a colour, one for each of a theme's series: none, and others
// that differ in a grey print. `name` makes their ids unique in a page.
export function patterns(name: string): SvgNode {
  const stroke = { stroke: '#fff', 'stroke-opacity': 0.55, 'stroke-width': 1.5 };
  const shapes: SvgNode[][] = [
    [],
    [s('path', { d: 'M0 8L8 0M-2 2L2 -2M6 10L10 6', ...stroke })],
    [s('path', { d: 'M0 0L8 8M-2 6L2 10M6 -2L10 2', ...stroke })],
    [s('path', { d: 'M0 4H8', ...stroke })],
    [s('path', { d: 'M4 0V8', ...stroke })],
    [s('circle', { cx: 4, cy: 4, r: 1.3, fill: '#fff', 'fill-opacity': 0.6 })],
    [s('path', { d: 'M0 4H8M4 0V8', ...stroke })],
    [s('path', { d: 'M0 6L4 2L8 6', fill: 'none', ...stroke })],
  ];
  return s(
    'defs',
    {},
    ...shapes.map((shape, i) => s('pattern', { id: `${name}-${i}`, width: 8, height: 8, patternUnits: 'userSpaceOnUse' }, ...shape)),
  );
}

// What keeps a text readable over lines.
export const halo = (colour: string): Record<string, string | number> => ({
  stroke: colour,
  'stroke-width': 3,
  'stroke-linejoin': 'round',
  'paint-order': 'stroke',
});

// A coloured and hatched rectangle; `says` is shown when it is pointed at.
export function block(
  at: { x: number; y: number; width: number; height: number },
  fill: string,
  pattern: string,
  says: string,
): SvgNode {
  const box = { x: at.x, y: at.y, width: Math.max(0, at.width), height: at.height };
  return s('g', { class: 'part' }, s('title', {}, says), s('rect', { ...box, fill }), s('rect', { ...box, fill: `url(#${pattern})` }));
}

export interface LegendEntry {
  name: string;
  fill: string;
  pattern?: string;
  shape?: string; // a marker instead of a box
  stroke?: string; // around the marker
  dashes?: string; // a line
}

// The names of series beside each other, in as many lines as they need; and the
// height of that.
export function legend(
  entries: LegendEntry[],
  width: number,
  y: number,
  theme: Theme,
): { nodes: SvgNode[]; height: number } {
  const line = 20;
  let x = 0;
  let top = y;
  const nodes: SvgNode[] = [];
  for (const { name, fill, pattern, shape, stroke, dashes } of entries) {
    const room = 18 + textWidth(name) + 18;
    if (x > 0 && x + room > width) {
      x = 0;
      top += line;
    }
    const box = { x, y: top, width: 12, height: 12, rx: 2 };
    if (dashes !== undefined) nodes.push(s('path', { d: `M${x - 1} ${top + 6}h15`, stroke: fill, 'stroke-width': 2, 'stroke-dasharray': dashes || null }));
    else if (shape) nodes.push(s('path', { d: shape, fill, stroke: stroke ?? null, transform: `translate(${x + 6} ${top + 6})` }));
    else nodes.push(s('rect', { ...box, fill }));
    if (pattern) nodes.push(s('rect', { ...box, fill: `url(#${pattern})` }));
    nodes.push(label(x + 18, top + 10, name, theme.text));
    x += room;
  }
  return { nodes, height: top - y + line };
}
