import assert from 'node:assert/strict';
import test from 'node:test';
import { breakdown } from '../src/charts/breakdown';
import { curves } from '../src/charts/curves';
import { bins, processes } from '../src/charts/processes';
import { s, shortened, svgText, textWidth } from '../src/charts/svg';
import { PAPER, seriesOf } from '../src/charts/theme';
import { waterfall } from '../src/charts/waterfall';
import { contrast, heat } from '../src/colours';
import { coreSeconds, duration, percent } from '../src/format';
import { filledIn } from '../src/formula';
import { arranged, meanings } from '../src/list';
import { spreadOf } from '../src/sections/processes';
import { parents } from '../src/treegrid';

void test('a formula is filled in with the longest symbol at each place', () => {
  const symbols = ['R', 'avg(useful)', 'avg', 'T'];
  assert.equal(filledIn('avg(useful) / R', symbols, ['2.000 s', '1.500 s', 'x', '4']), '1.500 s / 2.000 s');
  // No symbol inside of a word.
  assert.equal(filledIn('RT x T', symbols, ['2', '1', 'x', '4']), 'RT x 4');
});

void test('times are as in the text report', () => {
  assert.equal(duration(999), '999 ns');
  assert.equal(duration(1234), '1.234 us');
  assert.equal(duration(999950), '1.000 ms');
  assert.equal(duration(123.45e9), '123.5 s');
  assert.equal(coreSeconds(12.345e9), '12.35 core-s');
  assert.equal(percent(0.99999), '99.9 %');
  assert.equal(percent(1), '100.0 %');
});

void test('each kind of time in a bar has a colour of its own, and its text can be read', () => {
  const kinds = ['useful', 'mpi_waiting', 'mpi_transfer', 'mpi_io', 'openmp_serial', 'openmp_imbalance', 'openmp_scheduling', 'openmp_serialised', 'openmp_mpi_inside', 'openmp_not_started', 'accelerator_waiting', 'accelerator_copying', 'accelerator_launching', 'openmp_idle_in_accelerator', 'rest'];
  assert.equal(new Set(kinds.map((kind) => PAPER.series[seriesOf(kind, 0)])).size, kinds.length);
  PAPER.series.forEach((colour, i) => assert.ok(contrast(colour, PAPER.onSeries[i] ?? '') >= 4, colour));
});

void test('text of every colour of the table can be read', () => {
  const thresholds = { poor: 0.6, good: 0.8 };
  for (let value = 0; value <= 1.2; value += 0.01) {
    const grade = value >= 0.8 ? 'good' : value >= 0.6 ? 'attention' : 'poor';
    for (const each of [grade, 'better']) {
      const { background, text } = heat(value, each, thresholds);
      assert.ok(contrast(background, text) >= 4.5, `${each} ${value}: ${background} ${text}`);
    }
  }
});

void test('the worse the darker, within each grade and from one to the next', () => {
  const thresholds = { poor: 0.6, good: 0.8 };
  const black = 'rgb(0 0 0)';
  const light = [0.1, 0.3, 0.55, 0.65, 0.75].map((value) =>
    contrast(heat(value, value < 0.6 ? 'poor' : 'attention', thresholds).background, black),
  );
  assert.deepEqual(light, [...light].sort((a, b) => a - b));
  assert.ok(contrast(heat(0.95, 'good', thresholds).background, black) > (light[3] ?? 0));
});

void test('rows know the row that they are below', () => {
  const row = (depth: number) => ({ label: '', depth, cells: [] });
  assert.deepEqual(parents([row(0), row(0), row(1), row(2), row(1), row(0)]), [-1, -1, 1, 2, 1, -1]);
});

void test('lists are searched by all words and sorted with the unknown last', () => {
  const names = ['solve x', 'exchange', 'solve y', 'init'];
  const lost = [2, NaN, 3, 1];
  const columns = [
    { name: 'Region', text: (row: number) => names[row] ?? '' },
    { name: 'lost', text: (row: number) => String(lost[row]), value: (row: number) => lost[row] ?? NaN },
  ];
  const options = { count: 4, columns };
  assert.deepEqual(arranged(options, '', null), [0, 1, 2, 3]);
  assert.deepEqual(arranged(options, 'Y solve', null), [2]);
  assert.deepEqual(arranged(options, '', { column: 1, descending: true }), [2, 0, 3, 1]);
  assert.deepEqual(arranged(options, '', { column: 1, descending: false }), [3, 0, 2, 1]);
  assert.deepEqual(arranged(options, '', { column: 0, descending: false }), [1, 3, 0, 2]);
});

void test('columns of one meaning are explained together', () => {
  const columns = [{ name: 'Place' }, { name: 'useful', meaning: 'a' }, { name: 'time', meaning: 'b' }, { name: 'LB', meaning: 'a' }];
  assert.equal(meanings(columns), 'useful, LB: a; time: b');
});

void test('names are text in an SVG file', () => {
  const text = svgText(s('svg', {}, s('text', { title: '"<&' }, '<script>alert(1)</script>')));
  assert.ok(!text.includes('<script>'));
  assert.ok(text.includes('&lt;script&gt;') && text.includes('title="&quot;&lt;&amp;"'));
});

void test('long names lose their middle', () => {
  const short = shortened('a_very_long_name_of_a_region_in_a_program', 100);
  assert.ok(textWidth(short) <= 100 && short.startsWith('a_ve') && short.endsWith('gram'));
});

void test('a waterfall ends at what is left', () => {
  const steps = [
    { label: 'a', part: 0.25, text: '25.0 %', series: 1 },
    { label: 'b', part: 0.125, text: '12.5 %', series: 2 },
  ];
  const { table, svg } = waterfall(steps, { title: 't', whole: 'all', rest: 'left' }, 600, PAPER);
  assert.deepEqual(table.rows.at(-1), ['left', '62.5 %']);
  assert.ok(svgText(svg).includes('62.5 %'));
});

void test('the parts of a breakdown fill its bar', () => {
  const parts = [
    { key: 'useful', label: 'useful', part: 0.75, text: '75.0 %' },
    { key: 'mpi', label: 'MPI', part: 0.25, text: '25.0 %' },
  ];
  const { svg } = breakdown([{ name: '4x1', parts }], 't', 416, PAPER, 'id'); // 16 of it beside the axis
  const widths = [...svgText(svg).matchAll(/<rect x="[\d.]+" y="[\d.]+" width="(\d+)" height="34"/g)].map((match) => Number(match[1]));
  assert.deepEqual(widths, [300, 300, 100, 100]);
});

void test('curves name what is not known, and the spread of repeated runs', () => {
  const places = [1, 2, 4].map((ranks) => ({ name: `${ranks}x1`, cores: ranks, ranks, threads: 1, letter: '' }));
  const options = { title: 't', places, isLog: false, asText: String, guides: [] };
  const { table, svg } = curves([{ name: 'speedup', points: [[1, 1, 1], null, [3, 2, 4]] }], options, 500, PAPER);
  assert.deepEqual(
    table.rows.map((row) => row[2]),
    ['1', '-', '3 (2 to 4)'],
  );
  assert.ok(!svgText(svg).includes('NaN'));
});

void test('many processes are shown in groups with their extremes', () => {
  const times = {
    count: 10000,
    names: (i: number) => `rank ${i}`,
    kinds: [
      { name: 'useful', colour: 'useful', share: (i: number) => (i === 5000 ? 0.1 : 0.8) },
      { name: 'MPI', colour: 'mpi', share: (i: number) => (i === 5000 ? 0.9 : 0.2) },
    ],
  };
  const groups = bins(times, 100);
  assert.equal(groups.length, 100);
  assert.equal(Math.min(...groups.map((group) => group.least)), 0.1);
  assert.ok((processes(times, 't', 1000, PAPER, 'id').table.rows.length) < 250);
});

void test('outliers are further than three standard deviations from the mean', () => {
  const values = Array.from({ length: 100 }, (_, i) => (i === 7 ? 50 : 100 + (i % 2)));
  const spread = spreadOf(values);
  assert.equal(spread.least, 7);
  assert.deepEqual(spread.outliers, [7]);
  assert.deepEqual(spreadOf([5, 5, 5]).outliers, []);
});
