// Where the core time of each run went: a bar of 100 % for each.
import { scaleLinear } from 'd3-scale';
import { percent } from '../format';
import { asPercent, axisBelow, block, halo, label, LEAST_SEEN, legend, nameLabel, patterns, SHARES } from './marks';
import { distinct } from './names';
import { picture, textWidth, type Chart } from './svg';
import { seriesOf, type Theme } from './theme';

export interface Parts {
  name: string;
  parts: { key: string; label: string; part: number; text: string }[];
}

export function breakdown(runs: Parts[], title: string, width: number, theme: Theme, id: string): Chart {
  const kinds = [...new Map(runs.flatMap((run) => run.parts.map((part) => [part.key, part.label] as const)))];
  const order = new Map(kinds.map(([kind], i) => [kind, seriesOf(kind, i)]));
  const colour = (kind: string): string => theme.series[order.get(kind) ?? 0] ?? theme.accent;
  const pattern = (kind: string): string => `${id}-${order.get(kind) ?? 0}`;
  const isOne = runs.length === 1;
  const left = isOne ? 4 : Math.min(width * 0.25, Math.max(...runs.map((run) => textWidth(run.name))) + 10);
  const bar = isOne ? 34 : 24;
  const gap = 8;
  const names = distinct(runs.map((run) => run.name), left - 8);
  // What no run has any of needs no colour.
  const isSeen = (kind: string): boolean => runs.some((run) => run.parts.some((part) => part.key === kind && part.part >= LEAST_SEEN));
  const key = legend(
    kinds.filter(([kind]) => isSeen(kind)).map(([kind, name]) => ({ name, fill: colour(kind), pattern: pattern(kind) })),
    width,
    0,
    theme,
  );
  const top = key.height + 8;
  const bottom = top + runs.length * (bar + gap) - gap;
  // Half of the last number of the axis stands right of it.
  const scale = scaleLinear([0, 1], [left, width - 12]);
  const axis = axisBelow(scale, SHARES, asPercent, bottom, bottom, 'of the core time, %', theme);
  const nodes = runs.flatMap((run, i) => {
    const y = top + i * (bar + gap);
    let x = left;
    const bars = run.parts.flatMap((part) => {
      const at = { x, y, width: scale(part.part) - left, height: bar };
      x += at.width;
      const text = part.text;
      const fits = textWidth(text) + 8 < at.width;
      const middle = at.x + at.width / 2;
      return [
        block(at, colour(part.key), pattern(part.key), `${part.label}: ${text}`),
        fits &&
          label(middle, y + bar / 2 + 4, text, theme.onSeries[order.get(part.key) ?? 0] ?? theme.text, 'middle', {
            'font-weight': 600,
            ...halo(colour(part.key)),
          }),
      ];
    });
    return [!isOne && nameLabel(0, y + bar / 2 + 4, names[i] ?? '', run.name, theme.text), ...bars];
  });
  return {
    svg: picture(width, bottom + axis.height, title, patterns(id), ...key.nodes, ...axis.nodes, ...nodes),
    table: {
      columns: ['', ...kinds.map(([, name]) => name)],
      rows: runs.map((run) => [
        run.name,
        ...kinds.map(([kind]) => run.parts.find((part) => part.key === kind)?.text ?? percent(0)),
      ]),
    },
  };
}
