// A label is only a word: whatever is called otherwise has the colour, the place
// and the numbers that it had.
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Run, RunRegion } from '../src/data';
import { drawn, type FigureData, type FigureSeries } from '../src/paper';
import { coreTimeOf } from '../src/sections/breakdowns';
import { stepsOf } from '../src/sections/losses';

const series = (key: string, label: string, values: number[]): FigureSeries => ({
  key,
  label,
  values,
  spread: values.map((value) => [value, value, value]),
  texts: values.map((value) => (100 * value).toFixed(1)),
});

const figure = (kind: string, names: string[], all: FigureSeries[], more: Partial<FigureData> = {}): FigureData => ({
  kind,
  title: 'What is drawn',
  names,
  labels: [],
  colours: [],
  places: names.map((name, i) => ({ name, letter: '', cores: 4 * (i + 1), ranks: i + 1, threads: 4 })),
  series: all,
  table: null,
  thresholds: { poor: 0.6, good: 0.8 },
  width: 180,
  ...more,
});

const FIGURES = [
  figure('breakdown', ['1x4', '2x4'], [
    series('useful', 'useful', [0.5, 0.4]),
    series('mpi_waiting', 'MPI waiting', [0.2, 0.2]),
    series('mpi_transfer', 'MPI transfer', [0.1, 0.2]),
    series('openmp_imbalance', 'OpenMP imbalance', [0.1, 0.1]),
    series('rest', 'not started or ended', [0.1, 0.1]),
  ]),
  figure('waterfall', ['mpi_load_balance', 'openmp_load_balance', 'transfer_efficiency', 'useful'], [
    series('from', 'from', [1, 0.9, 0.8, 0.7]),
    series('to', 'to', [0.9, 0.8, 0.7, 0]),
  ], {
    labels: ['MPI Load Balance', 'OpenMP Load Balance', 'Transfer Efficiency', 'Parallel Efficiency'],
    colours: ['mpi', 'openmp', 'rest', 'rest'],
  }),
  figure('processes', ['0', '1'], [
    series('elapsed_s', 'elapsed_s', [1, 1]),
    series('useful_s', 'useful', [0.5, 0.6]),
    series('mpi_s', 'MPI', [0.3, 0.2]),
    series('openmp_s', 'OpenMP', [0.2, 0.2]),
  ]),
  figure('windows', ['1', '2'], [
    series('run_time_s', 'run_time_s', [1, 1]),
    series('parallel_efficiency', 'Parallel Efficiency', [0.5, 0.9]),
  ]),
  figure('speedup', ['1x4', '2x4'], [
    series('cores', 'cores', [4, 8]),
    series('speedup', 'Speedup', [1, 1.5]),
    series('ideal', 'ideal', [1, 2]),
    series('speedup_efficiency', 'Speedup Efficiency', [1, 0.75]),
    series('global_efficiency', 'Global Efficiency', [0.9, 0.7]),
    series('parallel_efficiency', 'Parallel Efficiency', [0.9, 0.8]),
  ]),
];

// As long, so that it takes the place of the other.
const other = (word: string): string => word.replace(/[A-Za-z]/g, 'x');

// The data with one of its labels renamed, for each of them in turn.
function* renamings(data: FigureData): Generator<[string, FigureData]> {
  for (const [i, each] of data.series.entries()) {
    yield [each.label, { ...data, series: data.series.map((one, at) => (at === i ? { ...one, label: other(one.label) } : one)) }];
  }
  for (const [i, label] of data.labels.entries()) {
    yield [label, { ...data, labels: data.labels.map((one, at) => (at === i ? other(one) : one)) }];
  }
}

// What is filled with what, and the numbers, in the order of the drawing.
const marks = (svg: string): string[] =>
  [...svg.matchAll(/fill="[^"]*"|stroke="[^"]*"|[\d.]+ %/g)].map(([mark]) => mark);

for (const data of FIGURES) {
  void test(`a figure of ${data.kind} is the same by any other name`, () => {
    const before = marks(drawn(data));
    assert.ok(before.length > 3);
    for (const [label, renamed] of renamings(data)) assert.deepEqual(marks(drawn(renamed)), before, label);
  });
}

void test('the parts of a region have their colours by key', () => {
  const region = (name: (word: string) => string): RunRegion => ({
    name: 'Global',
    place: 0,
    core_ns: 1000,
    parts: [
      { key: 'useful', label: name('useful'), tenths: 500 },
      { key: 'openmp_serial', label: name('OpenMP serial'), tenths: 300 },
      { key: 'mpi_io', label: name('MPI-IO'), tenths: 200 },
    ],
  });
  const colours = (each: RunRegion): number[] => coreTimeOf('run', each).parts.map((part) => part.series);
  assert.deepEqual(colours(region(other)), colours(region((word) => word)));
});

void test('the steps of a waterfall have their colours by key', () => {
  const run = (label: string): Run =>
    ({
      models: [
        {
          key: 'm',
          losses: { rows: [{ label, key: 'mpi_load_balance', cells: [{ text: '10.0', unit: 'percent', value: 0.1 }] }] },
          steps: [[{ row: 0, colour: 'mpi' }]],
        },
      ],
    }) as unknown as Run;
  const [mpi] = stepsOf(run('MPI Load Balance'), 'm', 0);
  const [renamed] = stepsOf(run('anything'), 'm', 0);
  assert.equal(renamed?.series, mpi?.series);
  assert.equal(renamed?.series, 1);
});
