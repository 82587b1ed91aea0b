// The core time of regions: what was useful of it, and what was lost.
import { scaleLinear } from 'd3-scale';
import { coreSeconds, coreUnit } from '../format';
import { axisBelow, block, label, legend, patterns } from './marks';
import { picture, shortened, textWidth, type Chart, type SvgNode } from './svg';
import type { Theme } from './theme';

export interface RegionTimes {
  name: string;
  useful: number; // ns
  lost: number;
}

const MOST = 20;

export function regions(all: RegionTimes[], title: string, width: number, theme: Theme, id: string): Chart {
  const sorted = all.map((each) => each).sort((a, b) => b.lost - a.lost);
  const shown = sorted.slice(0, MOST);
  const line = 26;
  const bar = 18;
  const left = Math.min(width * 0.42, Math.max(...shown.map((each) => textWidth(each.name))) + 12);
  const unit = coreUnit(Math.max(...shown.map((each) => each.useful + each.lost)));
  const most = Math.max(...shown.map((each) => each.useful + each.lost)) / unit.ns;
  const scale = scaleLinear([0, most], [left, width - 14]).nice(5);
  const useful = { name: 'useful', fill: theme.series[0] ?? theme.accent, pattern: `${id}-0` };
  const lost = { name: 'lost', fill: theme.series[4] ?? theme.accent, pattern: `${id}-1` };
  const key = legend([useful, lost], width, 0, theme);
  const top = key.height + 4;
  const bottom = top + shown.length * line;
  const ticks = scale.ticks(width < 500 ? 4 : 6);
  const axis = axisBelow(scale, ticks, (tick) => String(tick), top, bottom, `core time, ${unit.name}`, theme);
  const nodes: SvgNode[] = [...key.nodes, ...axis.nodes];
  shown.forEach((each, i) => {
    const y = top + i * line + (line - bar) / 2;
    const middle = scale(each.useful / unit.ns);
    const end = scale((each.useful + each.lost) / unit.ns);
    nodes.push(
      label(left - 8, y + bar / 2 + 4, shortened(each.name, left - 12), theme.text, 'end'),
      block({ x: left, y, width: middle - left, height: bar }, useful.fill, useful.pattern, `${each.name}: useful ${coreSeconds(each.useful)}`),
      block({ x: middle, y, width: end - middle, height: bar }, lost.fill, lost.pattern, `${each.name}: lost ${coreSeconds(each.lost)}`),
    );
  });
  if (shown.length < sorted.length) {
    nodes.push(label(width, 10, `the ${shown.length} of ${sorted.length} regions that lost most`, theme.faint, 'end'));
  }
  return {
    svg: picture(width, bottom + axis.height, title, patterns(id), ...nodes),
    table: {
      columns: ['Region', 'useful', 'lost'],
      rows: shown.map((each) => [each.name, coreSeconds(each.useful), coreSeconds(each.lost)]),
    },
  };
}
