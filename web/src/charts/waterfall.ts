// From 100 % down to what is left: one step for each loss.
import { scaleLinear } from 'd3-scale';
import { percent } from '../format';
import { asPercent, axisBelow, label, SHARES } from './marks';
import { picture, s, shortened, textWidth, type Chart, type SvgNode } from './svg';
import type { Theme } from './theme';

export interface Step {
  label: string;
  part: number; // of the whole; negative where something is made up for
  text: string;
  series: number;
}

export interface WaterfallTexts {
  title: string;
  whole: string; // what 100 % is
  rest: string; // what is left
}

export function waterfall(steps: Step[], texts: WaterfallTexts, width: number, theme: Theme): Chart {
  const line = 28;
  const bar = 18;
  const names = [texts.whole, ...steps.map((step) => step.label), texts.rest];
  const widest = (all: string[]): number => Math.max(...all.map((name) => textWidth(name))) + 12;
  const most = width * 0.45;
  const says = (name: string): string => (widest(names) > most ? name.replace(/Efficiency$/, 'Eff.') : name);
  const left = Math.min(most, widest(names.map(says)));
  const right = 64;
  const scale = scaleLinear([0, 1], [left, width - right]);
  const ticks = width - right - left < 180 ? [0, 0.5, 1] : SHARES;
  const axis = axisBelow(scale, ticks, asPercent, 0, line * names.length, 'of the core time, %', theme);
  const nodes: SvgNode[] = [...axis.nodes];
  const row = (i: number, name: string, from: number, to: number, fill: string, text: string): void => {
    const y = i * line + (line - bar) / 2;
    const x = scale(Math.min(from, to));
    const size = Math.max(1, scale(Math.max(from, to)) - x);
    nodes.push(
      label(left - 8, y + bar / 2 + 4, shortened(says(name), left - 12), theme.text, 'end'),
      s('g', { class: 'part' }, s('title', {}, `${name}: ${text}`), s('rect', { x, y, width: size, height: bar, rx: 2, fill })),
      label(x + size + 6, y + bar / 2 + 4, text, theme.text),
    );
  };
  row(0, texts.whole, 0, 1, theme.line, '100 %');
  let at = 1;
  steps.forEach((step, i) => {
    const next = at - step.part;
    row(i + 1, step.label, next, at, theme.series[step.series] ?? theme.accent, step.part < 0 ? `+${step.text.replace('-', '')}` : `−${step.text}`);
    const x = scale(next);
    nodes.push(s('line', { x1: x, x2: x, y1: (i + 1) * line + (line + bar) / 2, y2: (i + 2) * line + (line - bar) / 2, stroke: theme.faint, 'stroke-width': 1 }));
    at = next;
  });
  row(steps.length + 1, texts.rest, 0, at, theme.series[0] ?? theme.accent, percent(at));
  return {
    svg: picture(width, line * names.length + axis.height, texts.title, ...nodes),
    table: {
      columns: ['Step', 'of core time'],
      rows: [[texts.whole, '100 %'], ...steps.map((step) => [step.label, `−${step.text}`]), [texts.rest, percent(at)]],
    },
  };
}
