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

const run = (losses: Table): Run =>
  ({ models: [{ key: 'm', label: 'M', table: losses, losses, symbols: [], numbers: [] }] }) as unknown as Run;

const sum = (steps: { part: number }[]): number => steps.reduce((total, step) => total + step.part, 0);

void test('steps are the rows at the bottom, and add up to the loss at the top', () => {
  const losses = table([
    ['Parallel Efficiency', 'parallel_efficiency', 0, 0.3],
    ['Load Balance', 'load_balance', 1, 0.1],
    ['Communication Efficiency', 'communication_efficiency', 1, 0.2],
    ['Serialisation Efficiency', 'serialisation_efficiency', 2, 0.15],
    ['Transfer Efficiency', 'transfer_efficiency', 2, 0.05],
  ]);
  const steps = stepsOf(run(losses), 'm', 0);
  assert.deepEqual(
    steps.map((step) => step.label),
    ['Load Balance', 'Serialisation Efficiency', 'Transfer Efficiency'],
  );
  assert.ok(Math.abs(sum(steps) - 0.3) < 1e-12);
});

void test('a loss that is there as a whole and by layer counts once', () => {
  const losses = table([
    ['Parallel Efficiency', 'parallel_efficiency', 0, 0.3],
    ['Load Balance', 'load_balance', 1, 0.3],
    ['MPI Parallel Efficiency', 'mpi_parallel_efficiency', 1, 0.1],
    ['OpenMP Parallel Efficiency', 'openmp_parallel_efficiency', 1, 0.2],
    ['OpenMP Load Balance', 'openmp_load_balance', 2, 0.25],
    ['OpenMP Communication Efficiency', 'openmp_communication_efficiency', 2, -0.05],
  ]);
  const steps = stepsOf(run(losses), 'm', 0);
  assert.deepEqual(
    steps.map((step) => step.label),
    ['MPI Parallel Efficiency', 'OpenMP Load Balance', 'OpenMP Communication Efficiency'],
  );
  assert.ok(Math.abs(sum(steps) - 0.3) < 1e-12);
});

void test('without a Parallel Efficiency there is nothing to step down to', () => {
  assert.deepEqual(stepsOf(run(table([['IPC', 'ipc', 0, 1]])), 'm', 0), []);
});
