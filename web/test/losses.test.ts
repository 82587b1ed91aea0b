import assert from 'node:assert/strict';
import test from 'node:test';
import type { Run, Table } from '../src/data';
import { stepsOf } from '../src/sections/losses';

function table(rows: [string, string, number, number][]): Table {
  return {
    type: 'table',
    kind: 'regions',
    columns: [{ name: 'Global' }],
    rows: rows.map(([label, key, depth, value]) => ({
      label,
      key,
      depth,
      cells: [{ text: (100 * value).toFixed(1), unit: 'percent', value }],
    })),
  };
}

const run = (losses: Table, steps: { row: number; colour: string }[][]): Run =>
  ({ models: [{ key: 'm', label: 'M', table: losses, losses, steps, symbols: [], numbers: [] }] }) as unknown as Run;

void test('steps are the rows that the report names, as far as they show', () => {
  const losses = table([
    ['Parallel Efficiency', 'parallel_efficiency', 0, 0.3],
    ['MPI Load Balance', 'mpi_load_balance', 1, 0.1],
    ['Communication Efficiency', 'communication_efficiency', 1, 0.2],
    ['Serialisation Efficiency', 'serialisation_efficiency', 2, 0.1998],
    ['Transfer Efficiency', 'transfer_efficiency', 2, 0.0002],
  ]);
  assert.deepEqual(stepsOf(run(losses, [[{ row: 1, colour: 'mpi' }, { row: 3, colour: 'rest' }, { row: 4, colour: 'rest' }]]), 'm', 0), [
    { label: 'MPI Load Balance', part: 0.1, text: '10.0 %', series: 1 },
    { label: 'Serialisation Efficiency', part: 0.1998, text: '20.0 %', series: 5 },
  ]);
});

void test('where no loss below the Parallel Efficiency is known, there is nothing to step down to', () => {
  const losses = table([['Parallel Efficiency', 'parallel_efficiency', 0, 0.3]]);
  assert.deepEqual(stepsOf(run(losses, [[{ row: 0, colour: 'rest' }]]), 'm', 0), []);
});
