// A table whose rows are a hierarchy that unfolds, with the keys that the ARIA
// practices give a treegrid: arrows move between cells and open and close rows.
// Cells are coloured by what they are worth.
import { heat, type Thresholds } from './colours';
import type { Cell, Row, Table } from './data';
import { h, type Child } from './dom';
import { tipsOn } from './tip';

export interface TreegridOptions {
  label: string;
  columns: number[]; // which of the table's columns are shown
  heads?: string[]; // their names, where they are too long
  red?: number[]; // columns of runs that cannot be judged
  thresholds: Thresholds;
  areLosses?: boolean;
  isGraded?: (row: Row) => boolean; // whether cells of the row can have a grade
  folded: Set<string>; // keys of rows that are closed; kept up to date
  explain: (row: Row, column: number | null, cell: Cell | null) => Child[];
}

// A name that goes on in the next line where one of its parts ends.
const breakable = (name: string): Child[] => name.split(/(?<=[_:<,/.])/).flatMap((part) => [part, h('wbr')]);

export const keyOf = (row: Row, index: number): string => row.key ?? `row-${index}`;

// For each row the index of the row that it is below; -1 at the top.
export function parents(rows: Row[]): number[] {
  const open: number[] = [];
  return rows.map((row, i) => {
    const depth = row.depth ?? 0;
    open.length = Math.min(open.length, depth);
    const parent = open[depth - 1] ?? -1;
    open[depth] = i;
    return parent;
  });
}

export function mark(cell: Cell): string {
  return cell.sign ?? { attention: '!', poor: 'x', better: '+', good: '' }[cell.grade ?? 'good'];
}

function cellElement(cell: Cell, isRed: boolean, options: TreegridOptions): HTMLTableCellElement {
  const element = h(
    'td',
    { class: cell.grade ? `value ${cell.grade}` : 'value', tabindex: -1 },
    h('span', { class: 'number' }, cell.text),
    h('span', { class: 'mark', 'aria-hidden': 'true' }, mark(cell)),
  );
  if (cell.grade === 'poor') element.append(h('span', { class: 'unseen' }, ' poor'));
  if (cell.grade === 'attention') element.append(h('span', { class: 'unseen' }, ' wants attention'));
  const grade = isRed ? 'unjudged' : cell.grade;
  if (cell.value !== undefined && grade) {
    const { background, text } = heat(options.areLosses ? 1 - cell.value : cell.value, grade, options.thresholds);
    element.style.backgroundColor = background;
    element.style.color = text;
  }
  return element;
}

export interface Treegrid {
  element: HTMLElement;
  foldAll: (folded: boolean) => void;
}

export function treegrid(table: Table, options: TreegridOptions): Treegrid {
  const above = parents(table.rows);
  const hasRowsBelow = table.rows.map((_, i) => above.includes(i));
  const lines: HTMLTableRowElement[] = [];
  const keys = table.rows.map(keyOf);
  const isFolded = (i: number): boolean => options.folded.has(keys[i] ?? '');
  const isHidden = (i: number): boolean => {
    for (let up = above[i] ?? -1; up >= 0; up = above[up] ?? -1) if (isFolded(up)) return true;
    return false;
  };

  const head = h('tr', {}, h('th', { scope: 'col', class: 'corner', tabindex: -1 }, h('span', {}, 'Metric')));
  for (const i of options.columns) {
    const isApart = table.apart !== undefined && i === table.columns.length - 1;
    const name = table.columns[i]?.name ?? '';
    const shown = isApart ? name : (options.heads?.[i] ?? name);
    const column = h('th', { scope: 'col', class: isApart ? 'apart' : '', tabindex: -1 }, h('span', {}, ...breakable(shown)));
    column.title = isApart ? (table.apart ?? '') : name;
    head.append(column);
  }
  const body = h('tbody');
  table.rows.forEach((row, i) => {
    const depth = row.depth ?? 0;
    const line = h('tr', { 'aria-level': depth + 1, 'data-row': i, 'data-key': row.key ?? '' });
    const title = h(
      'th',
      { scope: 'row', tabindex: -1 },
      h('span', { class: 'name' }, h('span', { class: 'fold', 'aria-hidden': 'true' }), h('span', { class: 'label' }, row.label)),
    );
    title.style.setProperty('--depth', String(depth));
    line.append(title);
    for (const column of options.columns) {
      const cell = row.cells[column];
      const isRed = options.red?.includes(column) === true && options.isGraded?.(row) === true;
      const element = cellElement(cell ?? { text: '' }, isRed, options);
      element.dataset.column = String(column);
      if (table.apart !== undefined && column === table.columns.length - 1) element.classList.add('apart');
      line.append(element);
    }
    lines.push(line);
    body.append(line);
  });
  const grid = h('table', { role: 'treegrid', class: 'heat', 'aria-label': options.label }, h('thead', {}, head), body);

  const update = (): void => {
    lines.forEach((line, i) => {
      line.hidden = isHidden(i);
      if (hasRowsBelow[i]) line.setAttribute('aria-expanded', String(!isFolded(i)));
    });
  };
  const fold = (i: number, folded: boolean): void => {
    const key = keys[i] ?? '';
    if (folded) options.folded.add(key);
    else options.folded.delete(key);
    update();
  };
  const rowOf = (cell: Element): number => Number(cell.closest('tr')?.dataset.row ?? -1);

  // One cell at a time is in the order of the Tab key.
  let current: HTMLElement = (lines[0]?.cells[0] ?? head.cells[0]) as HTMLElement;
  current.tabIndex = 0;
  const focus = (cell: Element | null | undefined): void => {
    if (!(cell instanceof HTMLElement)) return;
    current.tabIndex = -1;
    current = cell;
    current.tabIndex = 0;
    current.focus();
  };
  const shown = (): HTMLTableRowElement[] => [head, ...lines.filter((line) => !line.hidden)];

  grid.addEventListener('click', (event) => {
    const target = event.target as Element;
    const title = target.closest('tbody th');
    if (title && hasRowsBelow[rowOf(title)]) fold(rowOf(title), !isFolded(rowOf(title)));
    focus(target.closest('th, td'));
  });
  grid.addEventListener('keydown', (event) => {
    const cell = (event.target as Element).closest<HTMLTableCellElement>('th, td');
    const line = cell?.parentElement as HTMLTableRowElement | undefined;
    if (!cell || !line || event.ctrlKey || event.altKey || event.metaKey) return;
    const place = cell.cellIndex;
    const i = rowOf(cell);
    const opens = place === 0 && i >= 0 && (hasRowsBelow[i] ?? false);
    const all = shown();
    const at = all.indexOf(line);
    switch (event.key) {
      case 'ArrowDown':
        focus(all[at + 1]?.cells[place]);
        break;
      case 'ArrowUp':
        focus(all[at - 1]?.cells[place]);
        break;
      case 'ArrowRight':
        if (opens && isFolded(i)) fold(i, false);
        else focus(line.cells[place + 1]);
        break;
      case 'ArrowLeft':
        if (opens && !isFolded(i)) fold(i, true);
        else if (place > 0) focus(line.cells[place - 1]);
        else focus(lines[above[i] ?? -1]?.cells[0]);
        break;
      case 'Home':
        focus(line.cells[0]);
        break;
      case 'End':
        focus(line.cells[line.cells.length - 1]);
        break;
      case 'Enter':
      case ' ':
        if (opens) fold(i, !isFolded(i));
        break;
      default:
        return;
    }
    event.preventDefault();
  });
  tipsOn(
    grid,
    (target) => target.closest('tbody th, tbody td'),
    (found) => {
      const row = table.rows[rowOf(found)];
      if (!row) return null;
      const column = found instanceof HTMLElement ? found.dataset.column : undefined;
      const content = options.explain(
        row,
        column === undefined ? null : Number(column),
        column === undefined ? null : (row.cells[Number(column)] ?? null),
      );
      return content.length > 0 ? content : null;
    },
  );
  update();
  return {
    element: h('div', { class: 'scroll' }, grid),
    foldAll(folded) {
      keys.forEach((key, i) => {
        if (hasRowsBelow[i] && folded) options.folded.add(key);
        else options.folded.delete(key);
      });
      update();
    },
  };
}

// A button that folds all rows of the grids that are shown, and unfolds them again.
export function foldButton(grids: () => Treegrid[]): HTMLElement {
  const button = h('button', { type: 'button', class: 'plain' }, 'Fold all');
  button.addEventListener('click', () => {
    const folds = button.textContent === 'Fold all';
    for (const grid of grids()) grid.foldAll(folds);
    button.textContent = folds ? 'Unfold all' : 'Fold all';
  });
  return button;
}
