// What `poprt plot` draws: the charts of the page, as files for papers.  The
// command runs this in an engine of its own (src/page/drawing.h), without a
// browser.
import './older_engines';
import { breakdown } from './charts/breakdown';
import { curves, guidesOf, type Curve } from './charts/curves';
import { heatmap } from './charts/heatmap';
import { overTime } from './charts/over_time';
import { processes } from './charts/processes';
import { regions } from './charts/regions';
import { beside, s, svgText, type SvgNode } from './charts/svg';
import { PAPER, seriesOf } from './charts/theme';
import { waterfall } from './charts/waterfall';
import type { Thresholds } from './colours';
import type { Place, Row, Spread, Table } from './data';
import { asFactor, inPercent, percent } from './format';

// src/page/drawing.cc writes it.
export interface FigureSeries {
  key: string;
  label: string;
  values: (number | null)[];
  spread: Spread[]; // of repeated runs: median, least, largest
  texts: string[]; // of the values, where the report has them
}

export interface FigureData {
  kind: string;
  title: string;
  names: string[];
  labels: string[]; // of the names, for people
  colours: string[]; // of the names: keys, if they have any
  places: Place[]; // the configurations that the names are; of a figure of one run, that one
  series: FigureSeries[];
  table: Table | null;
  thresholds: Thresholds;
  width: number; // of the file, in mm; 0: what suits it
}

const ID = 'pattern';
const MARGIN = 4;
// Texts of 12 units are texts of 8 points, as in captions.
const MM = ((8 / 12) * 25.4) / 72;
const COLUMN = 88; // mm; two of them, and what is between them, are 180
const PAGE_WIDTH = 180;

const series = (data: FigureData, key: string): FigureSeries =>
  data.series.find((each) => each.key === key) ?? { key, label: key, values: [], spread: [], texts: [] };

// The one run of a figure cannot be judged.
const isRed = (data: FigureData): boolean => data.places[0]?.isRed === true;

const known = (value: number | null | undefined): number => value ?? 0;

function table(data: FigureData, width: number): SvgNode {
  const columns = data.table?.columns.map((each) => each.name) ?? [];
  const known = (data.table?.rows ?? []).filter(
    (row) => row.key !== undefined && data.names.includes(row.key) && row.cells.some((cell) => cell.value !== undefined),
  );
  // One run is compared with nothing.
  const top = columns.length === 1 ? known.findIndex((row) => row.key === 'parallel_efficiency') : 0;
  const depth = known[top]?.depth ?? 0;
  const end = known.findIndex((row, i) => i > top && (row.depth ?? 0) <= depth);
  const rows: Row[] =
    columns.length === 1 && top >= 0
      ? known.slice(top, end < 0 ? undefined : end).map((row) => ({ ...row, depth: (row.depth ?? 0) - depth }))
      : known;
  return heatmap(rows, columns, data.places.map((place) => place.isRed === true), data.thresholds, data.title, width, PAPER).svg;
}

function ofBreakdown(data: FigureData, width: number): SvgNode {
  const runs = data.names.map((name, i) => ({
    name: data.places[i]?.isRed ? `${name}, not judged` : name,
    parts: data.series.map((each) => ({ key: each.key, label: each.label, part: known(each.values[i]), text: `${each.texts[i] ?? ''} %` })),
  }));
  return breakdown(runs, data.title, width, PAPER, ID).svg;
}

function ofLosses(data: FigureData, width: number): SvgNode {
  const from = series(data, 'from').values;
  const to = series(data, 'to').values;
  const last = data.names.length - 1;
  const steps = data.labels.slice(0, last).map((label, i) => {
    const part = known(from[i]) - known(to[i]);
    return { label, part, text: percent(part), series: seriesOf(data.colours[i] ?? '', i) };
  });

  const texts = { title: data.title, whole: 'All core time', rest: data.labels[last] ?? '' };
  // Those that do not show are left out.
  const shown = steps.filter((step) => Math.abs(step.part) >= 0.0005);
  return waterfall(shown, texts, width, PAPER).svg;
}

const curvesOf = (data: FigureData, keys: string[]): Curve[] =>
  keys
    .map((key) => series(data, key))
    .map(({ label, spread }) => ({ name: label, points: spread }))
    .filter((curve) => curve.points.some((point) => point !== null));

function ofCurves(data: FigureData, width: number): SvgNode {
  const { places } = data;
  if (data.kind === 'computation') {
    const keys = data.series.map((each) => each.key).filter((key) => key !== 'cores');
    const guides = [{ name: 'reference', at: () => 1 }];
    const options = { places, title: 'Scaling, %', isLog: false, asText: inPercent, guides };
    return curves(curvesOf(data, keys), options, width, PAPER).svg;
  }
  const ideal = series(data, 'ideal').values;
  const first = places.findIndex((place) => place.cores !== null);
  const base = known(places[first]?.cores) / (ideal[first] ?? 1);
  const guides = guidesOf(data.thresholds.good, base);
  const ofSpeedup = curvesOf(data, ['speedup']);
  // Beside each other if they have room.
  const isWide = width >= 600 && ofSpeedup.length > 0;
  const each = isWide ? (width - 24) / 2 : width;
  const efficiencies = curves(
    curvesOf(data, ['speedup_efficiency', 'global_efficiency', 'parallel_efficiency']),
    {
      places,
      title: 'Efficiencies, %',
      isLog: false,
      asText: inPercent,
      guides: guides.efficiency,
    },
    each,
    PAPER,
  ).svg;
  if (ofSpeedup.length === 0) return efficiencies;
  const speedup = curves(
    ofSpeedup,
    {
      places,
      title: 'Speedup',
      isLog: true,
      asText: asFactor,
      guides: guides.speedup,
    },
    each,
    PAPER,
  ).svg;
  return beside([speedup, efficiencies], isWide ? 24 : 12, isWide, data.title);
}

function ofRegions(data: FigureData, width: number): SvgNode {
  const ns = (key: string, i: number): number => 1e9 * known(series(data, key).values[i]);
  const all = data.names.map((name, i) => ({ name, useful: ns('useful_core_s', i), lost: ns('lost_core_s', i) }));
  return regions(all, isRed(data), data.title, width, PAPER, ID).svg;
}

function ofProcesses(data: FigureData, width: number): SvgNode {
  // The elapsed time stands first, then useful time.
  const states = data.series.slice(1).map((each) => ({ name: each.label, colour: each.key.replace(/_s$/, ''), values: each.values }));
  const kinds = states.filter(({ values }, i) => i === 0 || values.some((value) => known(value) > 0));
  const time = data.names.map((_, i) => kinds.reduce((sum, kind) => sum + known(kind.values[i]), 0));
  const times = {
    count: data.names.length,
    names: (i: number) => `rank ${data.names[i] ?? ''}`,
    kinds: kinds.map(({ name, colour, values }) => ({
      name,
      colour,
      share: (i: number) => (known(time[i]) > 0 ? known(values[i]) / known(time[i]) : 0),
    })),
  };
  return processes(times, data.title, width, PAPER, ID).svg;
}

function ofWindows(data: FigureData, width: number): SvgNode {
  // The run time stands first.
  const rows = data.series.slice(1).map((each) => ({ label: each.label, values: each.spread }));
  const shown = rows.filter((row) => row.values.some((value) => value !== null));
  return overTime(shown, data.names, isRed(data) ? null : data.thresholds, data.title, width, PAPER).svg;
}

const KINDS: Record<string, (data: FigureData, width: number) => SvgNode> = {
  table,
  breakdown: ofBreakdown,
  waterfall: ofLosses,
  speedup: ofCurves,
  computation: ofCurves,
  regions: ofRegions,
  processes: ofProcesses,
  windows: ofWindows,
};

// One that is wider than its column, as a table of many runs is, gets as much
// of the page as it needs.
export function drawn(data: FigureData): string {
  const draw = KINDS[data.kind];
  if (!draw) throw new Error(`no figure of kind ${data.kind}`);
  const chart = draw(data, (data.width || COLUMN) / MM - 2 * MARGIN);
  const width = Number(chart.attributes.width) + 2 * MARGIN;
  const height = Number(chart.attributes.height) + 2 * MARGIN;
  const wide = Math.min(width * MM, data.width || PAGE_WIDTH);
  const mm = (units: number): string => `${Math.round((units * wide * 100) / width) / 100}mm`;
  return `${svgText({
    ...chart,
    attributes: {
      ...chart.attributes,
      viewBox: `${-MARGIN} ${-MARGIN} ${width} ${height}`,
      width: mm(width),
      height: mm(height),
      'font-family': 'Helvetica, Arial, sans-serif',
    },
    children: [
      s('title', {}, data.title),
      s('rect', { x: -MARGIN, y: -MARGIN, width, height, fill: PAPER.surface }),
      ...chart.children,
    ],
  })}\n`;
}

(globalThis as { drawFigure?: (json: string) => string }).drawFigure = (json) => drawn(JSON.parse(json) as FigureData);
