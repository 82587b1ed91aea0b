// With a red light grades are grey and no loss is named, in drawings and in the page.
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Row, Run } from '../src/data';
import { drawn, type FigureData } from '../src/paper';
import { stepsOf } from '../src/sections/losses';
import { lightOfRuns } from '../src/sections/verdict';

const isGrey = (colour: string): boolean => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
  return Math.max(r, g, b) - Math.min(r, g, b) < 24;
};
const fills = (svg: string): string[] => [...svg.matchAll(/<rect[^>]* fill="(#[0-9a-f]{6})"/g)].map(([, fill = '']) => fill);

function figure(kind: string, isRed: boolean, more: Partial<FigureData> = {}): FigureData {
  const series = (key: string, values: number[]) => ({ key, label: key, values, spread: values.map((value): [number, number, number] => [value, value, value]), texts: [] });
  return {
    kind,
    title: 't',
    names: ['1', '2'],
    labels: [],
    colours: [],
    places: [{ name: '2x1', letter: '', cores: 2, ranks: 2, threads: 1, isRed }],
    series: [series('run_time_s', [1, 1]), series('parallel_efficiency', [0.3, 0.7])],
    table: null,
    thresholds: { poor: 0.6, good: 0.8 },
    width: 180,
    ...more,
  };
}

void test('windows of a red run have no colour of a grade', () => {
  assert.ok(fills(drawn(figure('windows', true))).every(isGrey));
  assert.ok(!fills(drawn(figure('windows', false))).every(isGrey));
});

void test('the column of a red run is grey in the table', () => {
  const row: Row = { label: 'Parallel Efficiency', key: 'parallel_efficiency', cells: [{ text: '30.0', unit: 'percent', value: 0.3 }] };
  const table = { type: 'table', kind: 'runs', columns: [{ name: '2x1' }], rows: [row] } as const;
  const data = (isRed: boolean, grade: 'poor' | undefined) =>
    figure('table', isRed, { names: ['parallel_efficiency'], table: { ...table, columns: [...table.columns], rows: [{ ...row, cells: row.cells.map((cell) => ({ ...cell, ...(grade ? { grade } : {}) })) }] } });
  const red = fills(drawn(data(true, undefined)));
  assert.ok(red.every(isGrey) && red.some((fill) => fill !== '#ffffff'), red.join());
  assert.ok(!fills(drawn(data(false, 'poor'))).every(isGrey));
});

void test('regions of a red run lost nothing by name', () => {
  const series = ['run_time_s', 'useful_core_s', 'lost_core_s'].map((key) => ({ key, label: key, values: [1, 2], spread: [], texts: [] }));
  assert.ok(!drawn(figure('regions', true, { series })).includes('lost'));
  assert.match(drawn(figure('regions', false, { series })), />lost</);
});

void test('a red run has no steps down to its Parallel Efficiency', () => {
  const run = (light: string): Run =>
    ({ light, models: [{ key: 'm', losses: { rows: [{ label: 'MPI Load Balance', key: 'mpi_load_balance', cells: [{ text: '10.0', unit: 'percent', value: 0.1 }] }] }, steps: [[{ row: 0, colour: 'mpi' }]] }] }) as unknown as Run;
  assert.equal(stepsOf(run('amber'), 'm', 0).length, 1);
  assert.deepEqual(stepsOf(run('red'), 'm', 0), []);
});

void test('of several runs the worst light counts, with the runs that have one', () => {
  const run = (name: string, light: Run['light']) => ({ name, light });
  const of = (...runs: ReturnType<typeof run>[]) => lightOfRuns(runs);
  assert.equal(of(run('1x4', 'green'), run('2x4', 'green')).light, 'green');
  const mixed = of(run('1x4', 'green'), run('2x4', 'amber'), run('4x4', 'red'), run('4x4', 'red'));
  assert.equal(mixed.light, 'red');
  assert.equal(mixed.text, 'red: not to be judged are runs of 4x4; amber: to be judged with care are runs of 2x4. Each run says why below.');
  assert.match(of(...['1', '2', '3', '4', '5'].map((name) => run(name, 'amber'))).text, /^amber: .* runs of 1, 2, 3 and 2 more\. Each/);
});
