// The time of each process: a bar for each, or for as many neighbours as have
// room together, with the least and the largest useful share among them.
import { scaleLinear } from 'd3-scale';
import { percent } from '../format';
import { halo, label, legend, patterns } from './marks';
import { picture, s, type Chart, type SvgNode } from './svg';
import { seriesOf, type Theme } from './theme';

export interface ProcessTimes {
  names: (i: number) => string; // of the processes, in the order of the chart
  count: number;
  // Shares of the process's time, for each kind of it.
  kinds: { name: string; colour: string; share: (i: number) => number }[];
}

interface Bin {
  name: string;
  means: number[];
  least: number;
  most: number;
}

// Neighbours in `count` groups.
export function bins(times: ProcessTimes, count: number): Bin[] {
  const size = Math.ceil(times.count / Math.max(1, count));
  const result: Bin[] = [];
  for (let first = 0; first < times.count; first += size) {
    const end = Math.min(times.count, first + size);
    const sums = times.kinds.map(() => 0);
    let least = Infinity;
    let most = -Infinity;
    for (let i = first; i < end; i++) {
      times.kinds.forEach((kind, k) => (sums[k] = (sums[k] ?? 0) + kind.share(i)));
      const useful = times.kinds[0]?.share(i) ?? 0;
      least = Math.min(least, useful);
      most = Math.max(most, useful);
    }
    const name = end - first === 1 ? times.names(first) : `${times.names(first)} to ${times.names(end - 1)}`;
    result.push({ name, means: sums.map((sum) => sum / (end - first)), least, most });
  }
  return result;
}

export function processes(times: ProcessTimes, title: string, width: number, theme: Theme, id: string): Chart {
  const left = 46;
  const room = width - left;
  const all = bins(times, Math.min(times.count, Math.floor(room / 4)));
  const isBinned = all.length < times.count;
  const order = times.kinds.map((kind, i) => seriesOf(kind.colour, i));
  const key = legend(
    times.kinds.map((kind, i) => ({ name: kind.name, fill: theme.series[order[i] ?? 0] ?? '', pattern: `${id}-${order[i] ?? 0}` })),
    width,
    0,
    theme,
  );
  const box = { top: key.height + 10, bottom: key.height + 210 };
  const y = scaleLinear([0, 1], [box.bottom, box.top]);
  const step = Math.min(80, room / all.length);
  const gap = step > 8 ? Math.min(6, step * 0.2) : step > 3 ? 1 : 0;
  const nodes: SvgNode[] = [patterns(id), ...key.nodes];
  for (const tick of [0, 0.25, 0.5, 0.75, 1]) {
    nodes.push(s('line', { x1: left, x2: left + step * all.length, y1: y(tick), y2: y(tick), stroke: theme.line, 'stroke-width': 0.5 }));
    nodes.push(label(left - 6, y(tick) + 4, `${100 * tick} %`, theme.faint, 'end'));
  }
  all.forEach((bin, i) => {
    const x = left + i * step;
    let from = 0;
    const parts: SvgNode[] = [];
    bin.means.forEach((mean, k) => {
      const place = { x, y: y(from + mean), width: step - gap, height: Math.max(0, y(from) - y(from + mean)) };
      from += mean;
      parts.push(s('rect', { ...place, fill: theme.series[order[k] ?? 0] ?? '' }));
      if (step > 8) parts.push(s('rect', { ...place, fill: `url(#${id}-${order[k] ?? 0})` }));
    });
    if (isBinned) {
      const middle = x + (step - gap) / 2;
      parts.push(s('path', { d: `M${middle} ${y(bin.least)}V${y(bin.most)}`, stroke: theme.text, 'stroke-width': 1 }));
    }
    const shares = times.kinds.map((kind, k) => `${kind.name} ${percent(bin.means[k] ?? 0)}`).join(', ');
    const spread = isBinned ? `; useful from ${percent(bin.least)} to ${percent(bin.most)}` : '';
    nodes.push(s('g', { class: 'part' }, s('title', {}, `${bin.name}: ${shares}${spread}`), ...parts));
  });
  const mean = times.count === 0 ? 0 : bins(times, 1)[0]?.means[0] ?? 0;
  const end = left + step * all.length;
  nodes.push(s('line', { x1: left, x2: end, y1: y(mean), y2: y(mean), stroke: theme.text, 'stroke-dasharray': '5 4' }));
  nodes.push(
    // Beside the bars, if there is room.
    label(...(end + 150 < width ? ([end + 6, y(mean) + 4] as const) : ([end - 4, y(mean) - 5] as const)), `mean useful ${percent(mean)}`, theme.text, end + 150 < width ? 'start' : 'end', halo(theme.surface)),
  );
  const ends = all.length > 1 ? [0, all.length - 1] : [0];
  for (const i of ends) {
    const anchor = i === 0 ? 'start' : 'end';
    nodes.push(label(i === 0 ? left : end, box.bottom + 18, all[i]?.name ?? '', theme.faint, anchor));
  }
  return {
    svg: picture(width, box.bottom + 26, title, ...nodes),
    table: {
      columns: ['Processes', ...times.kinds.map((kind) => kind.name), 'least useful', 'most useful'],
      rows: all.map((bin) => [bin.name, ...bin.means.map(percent), percent(bin.least), percent(bin.most)]),
    },
  };
}
