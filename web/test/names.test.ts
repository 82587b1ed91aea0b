import assert from 'node:assert/strict';
import test from 'node:test';
import { breakdown } from '../src/charts/breakdown';
import { distinct } from '../src/charts/names';
import { stacks } from '../src/charts/stacks';
import { svgText, textWidth } from '../src/charts/svg';
import { PAPER } from '../src/charts/theme';

const kernel = (name: string, i: number, end = 'Vector<double>&)'): string =>
  `void solver::detail::${name}_kernel<double, ${i}, Layout::ColumnMajor>(Matrix<double, Layout::ColumnMajor> const&, ${end}`;

// In as little room as `most` they differ, and each fits.
function areDistinct(names: string[], most: number): string[] {
  const short = distinct(names, most);
  assert.equal(new Set(short).size, new Set(names).size, short.join('\n'));
  for (const name of short) assert.ok(textWidth(name) <= most + 0.01, `${name} is wider than ${most}`);
  return short;
}

void test('names that begin and end alike keep what tells them apart', () => {
  const kinds = ['assemble', 'solve', 'smooth'];
  const names = ['Global', ...Array.from({ length: 60 }, (_, i) => kernel(kinds[i % 3] ?? '', Math.floor(i / 3)))];
  for (const most of [90, 120, 220, 400]) areDistinct(names, most);
  const [global, first, second] = distinct(names, 220);
  assert.equal(global, 'Global');
  assert.match(first ?? '', /assemble_kernel.*\b0\b/);
  assert.match(second ?? '', /solve_kernel.*\b0\b/);
});

void test('arguments that change places, ends that differ, places in the code', () => {
  for (const name of areDistinct(['foo::bar<1, 2>::run(int, float)', 'foo::bar<2, 1>::run(int, float)'], 110)) assert.match(name, /bar<(1, 2|2, 1)>/);
  areDistinct(['a'.repeat(60), `${'a'.repeat(59)}b`, `${'a'.repeat(30)}b${'a'.repeat(29)}`], 80);
  areDistinct(['solver/kernels/stencil.f90:1204 (jacobi_step)', 'solver/kernels/stencil.f90:1304 (jacobi_step)'], 110);
  areDistinct(['領域'.repeat(20), `${'領域'.repeat(19)}終`], 90);
});

void test('the mark of a name that was cut tells nothing where the rest does', () => {
  const names = [0, 1, 2].map((i) => `${kernel('smooth', i, 'Vec')}~3d6c29f${i}`);
  for (const name of distinct([...names, kernel('smooth', 3)], 200)) assert.ok(!name.includes('29f') && !name.includes('Vector'), name);
  // Nothing else does: it stays.
  areDistinct([`${kernel('a', 1, '')}~00000001`, `${kernel('a', 1, '')}~00000002`], 150);
});

void test('names with room stay as they are, and the same name stays the same', () => {
  assert.deepEqual(distinct(['a', 'b'], 50), ['a', 'b']);
  const long = kernel('solve', 1);
  const [one, other] = distinct([long, long], 150);
  assert.equal(one, other);
});

void test('a shortened name of a chart is whole when it is pointed at', () => {
  const names = [kernel('solve', 0), kernel('solve', 1)];
  const parts = [{ key: 'useful', label: 'useful', part: 1, text: '100.0 %' }];
  const texts = svgText(breakdown(names.map((name) => ({ name, parts })), 't', 600, PAPER, 'id').svg);
  for (const name of names) assert.ok(texts.includes(`<title>${name.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')}</title>`), name);
});

const widthsOf = (svg: string): number[] => [...svg.matchAll(/width="([\d.]+)" height="18" fill="#/g)].map((match) => Number(match[1]));

void test('shares have an absolute scale: a thousandth does not fill the width', () => {
  const draw = (size: number): number => {
    const rows = [{ name: 'a', parts: [{ key: 'lost', label: 'lost', size, text: '', series: 0 }] }];
    return widthsOf(svgText(stacks(rows, { title: 't', names: 'Name', axis: '%' }, 800, PAPER, 'id').svg))[0] ?? 0;
  };
  const tenth = draw(0.1);
  assert.ok(tenth > 600);
  assert.ok(Math.abs(draw(0.001) / tenth - 0.01) < 0.001);
  assert.ok(draw(0.3) < tenth && draw(0.3) > tenth / 2);
});

void test('a legend has no colour of what is nothing', () => {
  const part = (key: string, size: number) => ({ key, label: key, part: size, size, text: '', series: 0 });
  const parts = [part('useful', 0.9999), part('mpi_waiting', 0.0001)];
  const all = [breakdown([{ name: 'a', parts }], 't', 600, PAPER, 'id'), stacks([{ name: 'a', parts: [...parts, part('openmp', 0.2)] }], { title: 't', names: 'n', axis: '%' }, 600, PAPER, 'id')];
  for (const { svg } of all) {
    const text = svgText(svg);
    assert.ok(text.includes('>useful</text>') && !text.includes('>mpi_waiting</text>'), text);
  }
});
