import assert from 'node:assert/strict';
import test from 'node:test';
import { curves, groupsOf, strokes } from '../src/charts/curves';
import { svgText } from '../src/charts/svg';
import { PAPER } from '../src/charts/theme';
import type { Place, Spread } from '../src/data';

const place = (ranks: number, threads: number, more: Partial<Place> = {}): Place => ({
  name: `${ranks}x${threads}${more.letter ?? ''}`,
  cores: ranks * threads,
  ranks,
  threads,
  letter: '',
  ...more,
});
const named = (places: Place[]): [string, string[]][] => groupsOf(places).map(({ name, places: all }) => [name, all.map((i) => places[i]?.name ?? '')]);

void test('lines join runs of as many threads, or on as many ranks where only threads grow', () => {
  assert.deepEqual(named([place(1, 1), place(2, 1), place(1, 2), place(4, 1), place(2, 2)]), [
    ['1 thread per rank', ['1x1', '2x1', '4x1']],
    ['2 threads per rank', ['1x2', '2x2']],
  ]);
  assert.deepEqual(named([place(16, 1), place(16, 2), place(16, 4)]), [['', ['16x1', '16x2', '16x4']]]);
  assert.deepEqual(named([place(4, 1), place(9, 1)]), [['', ['4x1', '9x1']]]);
  assert.deepEqual(named([place(1, 4, { letter: 'a' }), place(2, 4, { letter: 'a' }), place(1, 4, { letter: 'b' })]), [
    ['a', ['1x4a', '2x4a']],
    ['b', ['1x4b']],
  ]);
  assert.deepEqual(named([place(1, 1), place(2, 1, { cores: null })]), [['', ['1x1']]]);
});

void test('no line goes up or down at one number of cores, and none to a run that cannot be judged', () => {
  const at = (cores: number, isRed = false) => ({ cores, isRed });
  assert.deepEqual(strokes([at(1), at(2), at(2), at(4)]), [[at(1), at(2)], [at(2), at(4)]]);
  assert.deepEqual(strokes([at(1), at(2, true), at(4), at(8)]), [[at(4), at(8)]]);
});

const spread = (value: number): Spread => [value, value, value];
const drawn = (places: Place[], metrics: Record<string, number[]>): string =>
  svgText(
    curves(
      Object.entries(metrics).map(([name, values]) => ({ name, points: values.map(spread) })),
      { title: 't', places, isLog: false, asText: String, guides: [{ name: 'ideal', at: () => 1 }] },
      330,
      PAPER,
    ).svg,
  );
// The places that the lines of runs go through.
const linesOf = (svg: string): number[][] =>
  [...svg.matchAll(/<path d="M([^"A-KN-Z]*)" stroke="[^"]*" stroke-width="2"/g)].map(([, d = '']) => d.split('L').map((spot) => Number(spot.split(' ')[0])));

void test('a chart of shapes on as many cores has no vertical line, and a name at each point', () => {
  const places = [place(1, 1), place(2, 1), place(1, 2), place(4, 1), place(2, 2)];
  for (const metrics of [{ a: [1, 0.9, 0.8, 0.7, 0.6] }, { a: [1, 0.9, 0.8, 0.7, 0.6], b: [1, 0.8, 0.7, 0.5, 0.4] }]) {
    const svg = drawn(places, metrics);
    const lines = linesOf(svg).filter((line) => line.length > 1);
    assert.equal(lines.length, 2 * Object.keys(metrics).length);
    for (const line of lines) assert.equal(new Set(line).size, line.length, String(line));
    for (const { name } of places) assert.ok(svg.includes(`>${name}</text>`), name);
    assert.ok(svg.includes('>1 thread per rank</text>') && svg.includes('>2 threads per rank</text>'));
  }
});

void test('a run that cannot be judged is a grey point of its own', () => {
  const svg = drawn([place(1, 1), place(2, 1, { isRed: true }), place(4, 1)], { a: [1, 0.9, 0.8] });
  assert.deepEqual(linesOf(svg).filter((line) => line.length > 1), []);
  assert.ok(svg.includes('cannot be judged'));
  assert.ok(svg.includes(`fill="${PAPER.surface}" stroke="${PAPER.faint}"`));
});
