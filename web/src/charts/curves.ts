// Numbers over cores: medians joined by lines, whiskers from the least to the
// largest of repeated runs, and what they are compared with.
import { scaleLinear, scaleLog } from 'd3-scale';
import { line as path } from 'd3-shape';
import type { Spread } from '../data';
import { label, legend } from './marks';
import { picture, s, SIZE, textWidth, type Chart, type SvgNode } from './svg';
import type { Theme } from './theme';

export interface Curve {
  name: string;
  series: number;
  points: Spread[]; // for each place on the axis
}

export interface CurvesOptions {
  title: string;
  cores: (number | null)[]; // null where it is not known: nothing is drawn there
  names: string[]; // of the places, for the table
  isLog: boolean; // both axes
  asText: (value: number) => string;
  least?: number;
  // Drawn as dashed lines: a value for each number of cores.
  guides: Guide[];
}

export interface Guide {
  name: string;
  at: (cores: number) => number;
}

// The ideal and the least that is good, of the speedup over `base` cores, and of an efficiency.
export function guidesOf(good: number, base: number): { speedup: Guide[]; efficiency: Guide[] } {
  const limit = `${Math.round(100 * good)} %`;
  return {
    speedup: [
      { name: 'ideal', at: (count) => count / base },
      { name: limit, at: (count) => (good * count) / base },
    ],
    efficiency: [
      { name: 'ideal', at: () => 1 },
      { name: limit, at: () => good },
    ],
  };
}

const SHAPES = ['M-4 0A4 4 0 1 0 4 0A4 4 0 1 0 -4 0', 'M-4 -4H4V4H-4Z', 'M0 -5L5 4H-5Z', 'M0 -5L5 0L0 5L-5 0Z', 'M0 5L5 -4H-5Z'];

export function curves(all: Curve[], options: CurvesOptions, width: number, theme: Theme): Chart {
  const { cores } = options;
  const counts = cores.filter((count): count is number => count !== null);
  const first = Math.min(...counts);
  const last = Math.max(...counts);
  const known = all
    .flatMap((curve) => curve.points.filter((_, i) => cores[i] !== null))
    .filter((point): point is [number, number, number] => point !== null);
  const values = [
    ...known.flat(),
    ...(options.isLog ? [] : [options.least ?? 0]),
    ...options.guides.flatMap((guide) => [guide.at(first), guide.at(last)]),
  ];
  const low = Math.min(...values);
  const high = Math.max(...values);
  const shapeOf = (curve: Curve): string => SHAPES[curve.series % SHAPES.length] ?? '';
  const named = all.map((curve) => ({ name: curve.name, fill: theme.series[curve.series] ?? theme.accent, shape: shapeOf(curve) }));
  const key = all.length > 1 ? legend(named, width, 22, theme) : { nodes: [], height: 0 };
  const top = 22 + key.height;
  const behind = Math.max(0, ...options.guides.map((guide) => textWidth(guide.name)));
  const box = { left: 46, right: width - Math.max(16, behind - 4), top: top + 8, bottom: top + 238 };
  // A little room beside the first and the last.
  const x =
    last > first
      ? scaleLog([first, last], [box.left + 18, box.right - 18]).base(2)
      : scaleLinear([first - 1, first + 1], [box.left, box.right]);
  const y = options.isLog
    ? scaleLog([Math.min(low, high / 2), high * 1.1], [box.bottom, box.top]).base(2)
    : scaleLinear([low, high * 1.05], [box.bottom, box.top]).nice(5);
  const nodes: SvgNode[] = [...key.nodes];

  const yTicks = options.isLog
    ? Array.from({ length: 24 }, (_, i) => 2 ** (i - 4)).filter((tick) => tick >= low / 1.001 && tick <= high * 1.1)
    : y.ticks(5);
  for (const tick of yTicks) {
    nodes.push(s('line', { x1: box.left, x2: box.right, y1: y(tick), y2: y(tick), stroke: theme.line, 'stroke-width': 0.5 }));
    nodes.push(label(box.left - 6, y(tick) + 4, options.asText(tick), theme.faint, 'end'));
  }
  let taken = -Infinity;
  for (const count of [...new Set(counts)].sort((a, b) => a - b)) {
    const text = String(count);
    if (x(count) - textWidth(text) / 2 < taken) continue;
    taken = x(count) + textWidth(text) / 2 + 8;
    nodes.push(s('line', { x1: x(count), x2: x(count), y1: box.bottom, y2: box.bottom + 4, stroke: theme.faint }));
    nodes.push(label(x(count), box.bottom + 18, text, theme.faint, 'middle'));
  }
  nodes.push(s('line', { x1: box.left, x2: box.right, y1: box.bottom, y2: box.bottom, stroke: theme.faint }));
  nodes.push(label(box.right, box.bottom + 36, 'cores', theme.faint, 'end'));
  nodes.push(label(0, 12, options.title, theme.text, 'start', { 'font-weight': 600 }));

  // Their names stand behind their ends, one below the other.
  let above = -Infinity;
  for (const guide of options.guides) {
    const ends = [first, last].map((count) => [x(count), y(guide.at(count))] as [number, number]);
    nodes.push(s('path', { d: path()(ends), stroke: theme.faint, 'stroke-dasharray': '5 4', fill: 'none' }));
    const [atX, atY] = ends[1] ?? [0, 0];
    above = Math.max(atY + 4, above + SIZE);
    nodes.push(label(atX + 10, above, guide.name, theme.faint));
  }
  for (const curve of all) {
    const colour = theme.series[curve.series] ?? theme.accent;
    const places = curve.points
      .flatMap((point, i) => {
        const count = cores[i] ?? null;
        return point === null || count === null ? [] : [{ point, cores: count, name: options.names[i] ?? '' }];
      })
      .sort((a, b) => a.cores - b.cores);
    nodes.push(
      s('path', {
        d: path()(places.map((each) => [x(each.cores), y(each.point[0])])),
        stroke: colour,
        'stroke-width': 2,
        fill: 'none',
      }),
    );
    for (const { point, cores: count, name } of places) {
      const [median, least, most] = point;
      if (most > least) {
        const d = `M${x(count)} ${y(least)}V${y(most)}M${x(count) - 4} ${y(least)}h8M${x(count) - 4} ${y(most)}h8`;
        nodes.push(s('path', { d, stroke: colour, 'stroke-width': 1.5, fill: 'none' }));
      }
      const says = `${curve.name}, ${name}: ${options.asText(median)}`;
      nodes.push(
        s(
          'g',
          { class: 'part', transform: `translate(${Math.round(x(count) * 100) / 100} ${Math.round(y(median) * 100) / 100})` },
          s('title', {}, most > least ? `${says} (${options.asText(least)} to ${options.asText(most)})` : says),
          s('path', { d: shapeOf(curve), fill: colour, stroke: theme.surface, 'stroke-width': 1 }),
        ),
      );
    }
  }
  const cell = (point: Spread | undefined): string => {
    if (!point) return '-';
    const [median, least, most] = point;
    return most > least
      ? `${options.asText(median)} (${options.asText(least)} to ${options.asText(most)})`
      : options.asText(median);
  };
  return {
    svg: picture(width, box.bottom + 42, options.title, ...nodes),
    table: {
      columns: ['Run', 'cores', ...all.map((curve) => curve.name)],
      rows: cores.map((count, i) => [
        options.names[i] ?? '',
        count === null ? '-' : String(count),
        ...all.map((curve) => cell(curve.points[i])),
      ]),
    },
  };
}
