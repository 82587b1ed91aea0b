// Regions as rows where a model's table has them as columns: for metrics that
// are no efficiencies, each with a unit of its own.
import { stacks } from '../charts/stacks';
import { PAGE } from '../charts/theme';
import type { Cell, Row, Table } from '../data';
import { newId } from '../dom';
import { figure } from '../figure';

// Without what is not known of any region.
export function transposed(table: Table, nameOf: (row: Row) => string, isShown: (row: Row) => boolean = () => true): Table {
  const rows = table.rows.filter((row) => isShown(row) && row.cells.some((cell) => cell.value !== undefined));
  const regions = table.columns.map((_, i) => i).filter((i) => !(table.apart !== undefined && i === table.columns.length - 1));
  return {
    type: 'table',
    kind: 'list',
    columns: rows.map((row) => ({ name: nameOf(row) })),
    rows: regions.map((i) => ({
      label: table.columns[i]?.name ?? '',
      cells: rows.map((row) => row.cells[i] ?? { text: '-' }),
    })),
  };
}

export function rowOf(table: Table, key: string): Row | undefined {
  return table.rows.find((row) => row.key === key);
}

// A bar for each of these places; `parts` are rows of the table, whose values
// share a scale.
export function barsOf(
  names: string[],
  shown: number[],
  parts: { key?: string; label: string; series: number; cells: Cell[]; unit?: string }[],
  texts: { title: string; names: string; axis?: string },
): HTMLElement {
  const id = newId('stacks');
  const [only, ...others] = parts;
  const textOf = (part: { cells: Cell[]; unit?: string }, i: number): string => {
    const cell = part.cells[i];
    return cell?.value === undefined ? '-' : cell.text + (part.unit ?? '');
  };
  return figure(
    (width) =>
      stacks(
        shown.map((i) => ({
          name: names[i] ?? '',
          parts: parts.map((part) => ({ key: part.key ?? '', label: part.label, series: part.series, size: part.cells[i]?.value ?? 0, text: textOf(part, i) })),
          ...(only && others.length === 0 ? { text: textOf(only, i) } : {}),
        })),
        texts,
        width,
        PAGE,
        id,
      ),
    texts.title,
  );
}
