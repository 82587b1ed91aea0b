// Numbers over cores: medians, whiskers from the least to the largest of
// repeated runs, and what they are compared with. Lines join runs that differ
// in one thing: that grows with the cores.
import { scaleLinear, scaleLog } from 'd3-scale';
import type { Place, Spread } from '../data';
import { halo, label, legend, type LegendEntry } from './marks';
import { picture, rounded, s, SIZE, textWidth, type Chart, type SvgNode } from './svg';
import type { Theme } from './theme';

// What is drawn of one metric.
export interface Curve {
  name: string;
  points: Spread[]; // for each place
}

export interface CurvesOptions {
  title: string;
  places: Place[];
  isLog: boolean; // both axes
  asText: (value: number) => string;
  least?: number;
  // Drawn as dotted lines: a value for each number of cores.
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

export interface Group {
  name: string; // what is alike in it: "2 threads"; '' if that is so in all
  places: number[]; // by cores
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}${noun === 'thread' ? ' per rank' : ''}`;

// Places that lines join: of the same variant, with as many threads for each
// rank or on as many ranks, whichever makes fewer groups.
export function groupsOf(places: Place[]): Group[] {
  const by = (of: (place: Place) => number, noun: string): Group[] => {
    const alike = new Set(places.map(of)).size === 1;
    const groups = new Map<string, number[]>();
    places.forEach((place, i) => {
      if (place.cores === null) return;
      const name = [alike ? '' : counted(of(place), noun), place.letter].filter(Boolean).join(', ');
      groups.set(name, [...(groups.get(name) ?? []), i]);
    });
    return Array.from(groups, ([name, all]) => ({ name, places: all.sort((a, b) => (places[a]?.cores ?? 0) - (places[b]?.cores ?? 0)) }));
  };
  const byThreads = by(({ threads }) => threads, 'thread');
  const byRanks = by(({ ranks }) => ranks, 'rank');
  return byRanks.length < byThreads.length ? byRanks : byThreads;
}

const SHAPES = ['M-4 0A4 4 0 1 0 4 0A4 4 0 1 0 -4 0', 'M-4 -4H4V4H-4Z', 'M0 -5L5 4H-5Z', 'M0 -5L5 0L0 5L-5 0Z', 'M0 5L5 -4H-5Z'];
const DASHES = ['', '8 3', '3 3', '8 3 3 3', '14 4', '1 3'];

// Runs of points that a line joins: never two above each other, and none that
// cannot be judged.
export function strokes<Point extends { cores: number; isRed: boolean }>(points: Point[]): Point[][] {
  const all: Point[][] = [[]];
  for (const point of points) {
    const last = all[all.length - 1] ?? [];
    if (point.isRed || last[last.length - 1]?.cores === point.cores) all.push(point.isRed ? [] : [point]);
    else last.push(point);
  }
  return all.filter((each) => each.length > 1);
}

interface Spot {
  x: number;
  y: number;
}

// From one spot to the next.
const straight = (spots: Spot[]): string => `M${spots.map(({ x, y }) => `${rounded(x)} ${rounded(y)}`).join('L')}`;

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}
const overlap = (a: Box, b: Box): boolean => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

// Where a name may stand beside its point, the best first.
const BESIDE: readonly (readonly [number, number, 'start' | 'middle' | 'end'])[] = [
  [0, -9, 'middle'],
  [9, 4, 'start'],
  [-9, 4, 'end'],
  [0, 18, 'middle'],
  [0, -22, 'middle'],
  [0, 31, 'middle'],
];

// The names of the points, as far as they have room.
function pointNames(points: { x: number; y: number; name: string }[], taken: Box[], width: number, theme: Theme): SvgNode[] {
  return points.flatMap(({ x, y, name }) => {
    const wide = textWidth(name, SIZE - 1);
    for (const [dx, dy, anchor] of BESIDE) {
      const left = x + dx - (anchor === 'middle' ? wide / 2 : anchor === 'end' ? wide : 0);
      const box = { left, right: left + wide, top: y + dy - 9, bottom: y + dy + 2 };
      if (box.left < 0 || box.right > width || taken.some((each) => overlap(each, box))) continue;
      taken.push(box);
      return [label(x + dx, y + dy, name, theme.text, anchor, { 'font-size': SIZE - 1, class: 'point-name', ...halo(theme.surface) })];
    }
    return [];
  });
}

export function curves(all: Curve[], options: CurvesOptions, width: number, theme: Theme): Chart {
  const { places } = options;
  const counts = places.flatMap((place) => place.cores ?? []);
  const first = Math.min(...counts);
  const last = Math.max(...counts);
  const known = all.flatMap((curve) => curve.points.filter((point, i) => point !== null && places[i]?.cores !== null)) as [number, number, number][];
  const values = [
    ...known.flat(),
    ...(options.isLog ? [] : [options.least ?? 0]),
    ...options.guides.flatMap((guide) => [guide.at(first), guide.at(last)]),
  ];
  const low = Math.min(...values);
  const high = Math.max(...values);
  const groups = groupsOf(places);
  // One metric has a colour for each group, several have one each.
  const isOne = all.length === 1;
  const styleOf = (metric: number, group: number) => {
    const series = (isOne ? group : metric) % theme.series.length;
    return { colour: theme.series[series] ?? theme.accent, shape: SHAPES[series % SHAPES.length] ?? '', dashes: DASHES[group % DASHES.length] ?? '' };
  };
  const entries: LegendEntry[] = isOne ? [] : all.map(({ name }, i) => ({ name, fill: styleOf(i, 0).colour, shape: styleOf(i, 0).shape }));
  if (groups.length > 1) {
    groups.forEach(({ name }, i) => {
      const { colour, shape, dashes } = styleOf(0, i);
      entries.push(isOne ? { name, fill: colour, shape } : { name, fill: theme.faint, dashes });
    });
  }
  if (places.some((place) => place.isRed)) {
    entries.push({ name: 'cannot be judged', fill: theme.surface, stroke: theme.faint, shape: SHAPES[0] ?? '' });
  }
  const behind = Math.max(0, ...options.guides.map((guide) => textWidth(guide.name)));
  const box = { left: 46, right: width - Math.max(16, behind - 4), top: 30, bottom: 260 };
  const key = legend(entries, width, box.bottom + 48, theme);
  // A little room beside the first and the last.
  const x =
    last > first
      ? scaleLog([first, last], [box.left + 18, box.right - 18]).base(2)
      : scaleLinear([first - 1, first + 1], [box.left, box.right]);
  const y = options.isLog
    ? scaleLog([Math.min(low, high / 2), high * 1.1], [box.bottom, box.top]).base(2)
    : scaleLinear([low, high * 1.05], [box.bottom, box.top]).nice(5);
  const nodes: SvgNode[] = [];

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
  const boxes: Box[] = []; // where no name of a point can stand
  for (const guide of options.guides) {
    const [from, to] = [first, last].map((count) => ({ x: x(count), y: y(guide.at(count)) })) as [Spot, Spot];
    nodes.push(s('path', { d: straight([from, to]), stroke: theme.faint, 'stroke-dasharray': '2 4', fill: 'none' }));
    above = Math.max(to.y + 4, above + SIZE);
    nodes.push(label(to.x + 10, above, guide.name, theme.faint));
    boxes.push({ left: to.x + 8, right: width, top: above - 10, bottom: above + 2 });
  }

  const markers: SvgNode[] = [];
  // The highest point of each place bears its name.
  const named = new Map<number, { x: number; y: number; name: string }>();
  all.forEach((curve, metric) => {
    groups.forEach((group, at) => {
      const { colour, shape, dashes } = styleOf(metric, at);
      const points = group.places.flatMap((i) => {
        const place = places[i];
        const point = curve.points[i] ?? null;
        if (!place || point === null || place.cores === null) return [];
        return [{ i, point, cores: place.cores, name: place.name, isRed: place.isRed === true, x: x(place.cores), y: y(point[0]) }];
      });
      for (const stroke of strokes(points)) {
        nodes.push(s('path', { d: straight(stroke), stroke: colour, 'stroke-width': 2, 'stroke-dasharray': (!isOne && dashes) || null, fill: 'none' }));
      }
      for (const { i, point, name, isRed, ...spot } of points) {
        const [median, least, most] = point;
        if (most > least) {
          const d = `M${spot.x} ${y(least)}V${y(most)}M${spot.x - 4} ${y(least)}h8M${spot.x - 4} ${y(most)}h8`;
          markers.push(s('path', { d, stroke: isRed ? theme.faint : colour, 'stroke-width': 1.5, fill: 'none' }));
        }
        const says = `${curve.name}, ${name}${isRed ? ', which cannot be judged' : ''}: ${options.asText(median)}`;
        markers.push(
          s(
            'g',
            { class: 'part', transform: `translate(${rounded(spot.x)} ${rounded(spot.y)})` },
            s('title', {}, most > least ? `${says} (${options.asText(least)} to ${options.asText(most)})` : says),
            s('path', { d: shape, fill: isRed ? theme.surface : colour, stroke: isRed ? theme.faint : theme.surface, 'stroke-width': 1 }),
          ),
        );
        boxes.push({ left: spot.x - 5, right: spot.x + 5, top: spot.y - 5, bottom: spot.y + 5 });
        const highest = named.get(i);
        if (!highest || spot.y < highest.y) named.set(i, { x: spot.x, y: spot.y, name });
      }
    });
  });
  nodes.push(...markers, ...pointNames(Array.from(named.values()), boxes, width, theme), ...key.nodes);
  const cell = (point: Spread | undefined): string => {
    if (!point) return '-';
    const [median, least, most] = point;
    return most > least
      ? `${options.asText(median)} (${options.asText(least)} to ${options.asText(most)})`
      : options.asText(median);
  };
  return {
    svg: picture(width, box.bottom + (entries.length > 0 ? 48 + key.height : 42), options.title, ...nodes),
    table: {
      columns: ['Run', 'cores', ...all.map((curve) => curve.name)],
      rows: places.map((place, i) => [
        place.name,
        place.cores === null ? '-' : String(place.cores),
        ...all.map((curve) => cell(curve.points[i])),
      ]),
    },
  };
}
