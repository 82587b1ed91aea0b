import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { binding } from '../src/charts/binding';
import { stacks } from '../src/charts/stacks';
import { svgText } from '../src/charts/svg';
import { PAPER } from '../src/charts/theme';
import type { Table } from '../src/data';
import { contrast } from '../src/colours';
import { amount, withUnit } from '../src/format';
import { matching } from '../src/pager';
import { numbersIn, partsOf } from '../src/sections/binding';
import { partsOf as partsOfAssessment } from '../src/sections/assessment';
import { coreTimeOf } from '../src/sections/breakdowns';
import { transposed } from '../src/sections/transposed';
import { inScript } from '../src/words';

const widthsOf = (svg: string): number[] => [...svg.matchAll(/<rect x="[\d.]+" y="[\d.]+" width="([\d.]+)" height="18" fill="#/g)].map((match) => Number(match[1]));

void test('a name that has room is whole', () => {
  for (const name of ['hybrid.c:65 (solve)', 'main.cc:7 (a)', 'x', 'solver/kernels/stencil.f90:1204 (jacobi_step)']) {
    const rows = [{ name, parts: [{ key: 'lost', label: 'lost', size: 1, text: '1 %', series: 0 }], text: '1 %' }];
    const { svg } = stacks(rows, { title: 't', names: 'Place' }, 1000, PAPER, 'id');
    assert.ok(svgText(svg).includes(`>${name}</text>`), name);
  }
});

void test('bars of amounts are on one scale', () => {
  const part = (label: string, size: number, series: number) => ({ key: label, label, size, series, text: String(size) });
  const rows = [
    { name: 'a', parts: [part('x', 30, 0), part('y', 10, 1)], text: '40' },
    { name: 'b', parts: [part('x', 20, 0), part('y', 0, 1)], text: '20' },
  ];
  const { svg, table } = stacks(rows, { title: 't', names: 'Name', whole: 'all' }, 700, PAPER, 'id');
  const [first = 0, second = 0, third = 0, ...more] = widthsOf(svgText(svg));
  assert.ok(Math.abs(first / second - 3) < 0.01 && Math.abs((first + second) / third - 2) < 0.01);
  assert.deepEqual(more, []); // nothing is drawn of what is 0
  assert.deepEqual(table.columns, ['Name', 'x', 'y', 'all']);
  assert.deepEqual(table.rows, [
    ['a', '30', '10', '40'],
    ['b', '20', '0', '20'],
  ]);
});

void test('what is nothing, or below it, is drawn as nothing', () => {
  const parts = [{ key: 'x', label: 'x', size: -5, series: 0, text: '-5' }];
  const text = svgText(stacks([{ name: 'a', parts }], { title: 't', names: 'Name' }, 300, PAPER, 'id').svg);
  assert.ok(!text.includes('NaN') && !text.includes('width="-'));
  assert.deepEqual(widthsOf(text), []);
});

void test('core time of a region is its shares of it', () => {
  const region = { name: 'solve', place: 0, core_ns: 8e9, parts: [{ key: 'useful', label: 'useful', tenths: 750 }, { key: 'mpi', label: 'MPI', tenths: 250 }] };
  const stack = coreTimeOf(region.name, region);
  assert.equal(stack.text, '8.000 core-s');
  assert.deepEqual(stack.parts.map((part) => [part.size, part.text]), [[6e9, '75.0 %'], [2e9, '25.0 %']]);
});

void test('lists of processors are numbers', () => {
  assert.deepEqual(numbersIn('0-3,8'), [0, 1, 2, 3, 8]);
  assert.deepEqual(numbersIn(''), []);
});

void test('cores know the processes that may use them, by part of the host', () => {
  const topology = { id: 't', cores: '0,4 1,5 2,6 3,7', sockets: '0-1,4-5 2-3,6-7', numa_nodes: '' };
  const host = { name: 'node1', cpus: '0-7' };
  const processes = [0, 1, 2, 3, 4].map((rank) => ({ rank, cpus: rank === 0 ? [5] : [2, 6] }));
  const parts = partsOf(host, topology, processes, true);
  assert.deepEqual(parts.map((part) => part.name), ['node1, socket 0', 'node1, socket 1']);
  assert.deepEqual(parts.flatMap((part) => part.cores.map((core) => core.text)), ['', 'r0', 'r1-4', '']);
  const { table, svg } = binding(parts, 't', 400, PAPER, 'id');
  assert.deepEqual(table.rows[2], ['node1, socket 1', '2', 'r1-4']);
  assert.ok(svgText(svg).includes('several may'));
  const scattered = [1, 3, 5, 7, 9].map((rank) => ({ rank, cpus: [2] }));
  assert.equal(partsOf(host, topology, scattered, true)[1]?.cores[0]?.text, '5 ranks');
});

void test('parts of a host have its dies, memory, shared caches and kinds of cores', () => {
  const topology = {
    id: 't', cores: '0 1 2 3', sockets: '0-3', numa_nodes: '0-3', dies: '0-1 2-3',
    memory: [{ node: 1, kind: 'DRAM', bytes: 64 * 2 ** 30, cpus: '0-3' }, { node: 3, kind: 'HBM', bytes: 2 ** 20, cpus: '0-3' }],
    caches: [{ level: 2, bytes: 0, shared: '0-1' }, { level: 3, bytes: 0, shared: '0-1 2-3' }],
    core_kinds: [{ name: 'IntelAtom', efficiency: 0, cpus: '3' }, { name: 'IntelCore', efficiency: 1, cpus: '0-2' }],
  };
  const parts = partsOf({ name: 'a', cpus: '0-2', allotted: '0-2' }, topology, [{ rank: 0, threads: 4, cpus: [1] }], true);
  assert.deepEqual(parts.map((part) => part.name), [
    'a, socket 0, die 0, NUMA 1,3 (DRAM 64 GiB and HBM < 1 GiB), L3 0',
    'a, socket 0, die 1, NUMA 1,3 (DRAM 64 GiB and HBM < 1 GiB), L3 1',
  ]);
  assert.deepEqual(parts.flatMap(({ cores }) => cores.map(({ name, text }) => [name, text])), [
    ['0 P', ''], ['1 P', 'r0 ×4'], ['2 P', ''], ['3 E', 'not ours'],
  ]);
  // Which of a rank's threads is on which of its cores is not known.
  const two = partsOf({ name: 'a', cpus: '0-3' }, topology, [{ rank: 0, threads: 4, cpus: [1, 2] }], true);
  assert.deepEqual(two.flatMap(({ cores }) => cores.map(({ text }) => text)), ['', 'r0', 'r0', '']);
  const unknown = { id: 't', cores: '0 1', sockets: '', numa_nodes: '', core_kinds: [{ name: 'A', efficiency: -1, cpus: '0' }, { name: '', efficiency: -1, cpus: '1' }] };
  assert.deepEqual(partsOf({ name: 'a' }, unknown, [], true)[0]?.cores.map((core) => core.name), ['0 A', '1']);
});

void test('where rows of processes are missing, their binding is not known', () => {
  const topology = { id: 't', cores: '0 1 2', sockets: '', numa_nodes: '' };
  const host = { name: 'a', cpus: '0-1' };
  for (const known of [[], [{ rank: 0, cpus: [0] }]]) {
    const parts = partsOf(host, topology, known, false);
    assert.deepEqual(parts[0]?.cores.map((core) => core.users), [null, null, 0]);
    const text = svgText(binding(parts, 't', 400, PAPER, 'id').svg);
    assert.ok(text.includes('binding not known') && !text.includes('one process may'), text);
  }
});

void test('amounts have the prefixes of the text report', () => {
  assert.equal(amount(950), '950');
  assert.equal(amount(9999), '9999');
  assert.equal(amount(12340), '12.34 k');
  assert.equal(amount(7e9), '7.000 G');
  assert.equal(withUnit('12.34 k', 'J'), '12.34 kJ');
  assert.equal(withUnit('300', 'J'), '300 J');
  assert.equal(withUnit('-', 'J'), '-');
});

void test('names are found by all words', () => {
  assert.deepEqual(matching(['solve x', 'init', 'solve y'], 'Y solve'), [2]);
  assert.deepEqual(matching(['a', 'b'], ''), [0, 1]);
});

void test('a table of metrics by region becomes one of regions by metric, without what is nowhere known', () => {
  const table: Table = {
    type: 'table',
    kind: 'regions',
    columns: [{ name: 'Global' }, { name: 'solve' }, { name: 'lost' }],
    apart: 'lost: % of the core time',
    rows: [
      { label: 'IPC', cells: [{ text: '1.20', value: 1.2 }, { text: '-' }, { text: '' }] },
      { label: 'OPC', cells: [{ text: '-' }, { text: '-' }, { text: '' }] },
    ],
  };
  const { columns, rows } = transposed(table, (row) => row.label);
  assert.deepEqual(columns, [{ name: 'IPC' }]);
  assert.deepEqual(rows.map((row) => [row.label, row.cells[0]?.text]), [['Global', '1.20'], ['solve', '-']]);
});

void test('numbers on bars can be read, light and dark', () => {
  const style = readFileSync('src/style.css', 'utf8');
  const blocks = [...style.matchAll(/:root \{([^}]*)\}/g)].map((match) => new Map([...(match[1] ?? '').matchAll(/--([\w-]+): (#\w+);/g)].map(([, name = '', colour = '']) => [name, colour])));
  const [light = new Map<string, string>(), dark = new Map<string, string>()] = blocks;
  const long = (colour: string): string => (colour.length === 4 ? colour.replace(/[0-9a-f]/g, '$&$&') : colour);
  for (const colours of [light, new Map([...light, ...dark])]) {
    for (let i = 0; i < 7; i++) {
      const [bar = '', text = ''] = [`series-${i}`, `on-series-${i}`].map((name) => long(colours.get(name) ?? ''));
      assert.ok(contrast(bar, text) >= 4.5, `${text} on ${bar}`);
    }
  }
});

void test('blocks of an assessment belong to the section before them', () => {
  const section = (title: string) => ({ type: 'section' as const, key: title, title });
  const paragraph = (text: string) => ({ type: 'paragraph' as const, text });
  const parts = partsOfAssessment({
    title: '',
    lines: [],
    facts: { type: 'facts', facts: [] },
    blocks: [paragraph('before'), section('a'), paragraph('1'), paragraph('2'), section('b')],
  });
  assert.deepEqual(parts.map((part) => [part.title, part.blocks.length]), [['a', 2], ['b', 0]]);
});

void test('words in a page cannot end their element', () => {
  const text = inScript({ Background: '</script><!--' });
  assert.ok(!text.includes('<'));
  assert.deepEqual(JSON.parse(text), { Background: '</script><!--' });
});
