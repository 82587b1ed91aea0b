// The core time of regions: what was useful of it, and what was lost.
import { scaleLinear } from 'd3-scale';
import { coreSeconds, coreUnit } from '../format';
import { axisBelow, block, label, legend, nameLabel, patterns } from './marks';
import { distinct } from './names';
import { picture, textWidth, type Chart, type SvgNode } from './svg';
import type { Theme } from './theme';

export interface RegionTimes {
  name: string;
  useful: number; // ns
  lost: number;
}

const MOST = 20;

// `isRed`: of a run that cannot be judged, the most core time first.
export function regions(all: RegionTimes[], isRed: boolean, title: string, width: number, theme: Theme, id: string): Chart {
  const sorted = all.map((each) => each).sort((a, b) => (isRed ? b.useful + b.lost - a.useful - a.lost : b.lost - a.lost));
  const rest = isRed ? 'not useful' : 'lost';
  const shown = sorted.slice(0, MOST);
  const line = 26;
  const bar = 18;
  const left = Math.min(width * 0.42, Math.max(...shown.map((each) => textWidth(each.name))) + 12);
  const unit = coreUnit(Math.max(...shown.map((each) => each.useful + each.lost)));
  const most = Math.max(...shown.map((each) => each.useful + each.lost)) / unit.ns;
  const scale = scaleLinear([0, most], [left, width - 14]).nice(5);
  const useful = { name: 'useful', fill: theme.series[0] ?? theme.accent, pattern: `${id}-0` };
  const lost = { name: rest, fill: (isRed ? theme.line : theme.series[4]) ?? theme.accent, pattern: `${id}-1` };
  const key = legend([useful, lost], width, 0, theme);
  const top = key.height + 4;
  const bottom = top + shown.length * line;
  const ticks = scale.ticks(width < 500 ? 4 : 6);
  const axis = axisBelow(scale, ticks, (tick) => String(tick), top, bottom, `core time, ${unit.name}`, theme);
  const nodes: SvgNode[] = [...key.nodes, ...axis.nodes];
  const names = distinct(shown.map((each) => each.name), left - 12);
  shown.forEach((each, i) => {
    const y = top + i * line + (line - bar) / 2;
    const middle = scale(each.useful / unit.ns);
    const end = scale((each.useful + each.lost) / unit.ns);
    nodes.push(
      nameLabel(left - 8, y + bar / 2 + 4, names[i] ?? '', each.name, theme.text, 'end'),
      block({ x: left, y, width: middle - left, height: bar }, useful.fill, useful.pattern, `${each.name}: useful ${coreSeconds(each.useful)}`),
      block({ x: middle, y, width: end - middle, height: bar }, lost.fill, lost.pattern, `${each.name}: ${rest} ${coreSeconds(each.lost)}`),
    );
  });
  if (shown.length < sorted.length) {
    nodes.push(label(width, 10, `the ${shown.length} of ${sorted.length} regions ${isRed ? 'with the most core time' : 'that lost most'}`, theme.faint, 'end'));
  }
  return {
    svg: picture(width, bottom + axis.height, title, patterns(id), ...nodes),
    table: {
      columns: ['Region', 'useful', rest],
      rows: shown.map((each) => [each.name, coreSeconds(each.useful), coreSeconds(each.lost)]),
    },
  };
}
