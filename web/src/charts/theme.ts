// How charts look.  The page gives colours as variables of its style, so that
// they follow dark mode; a file for a paper has the values.  Shares are also
// told apart by pattern, for those who see or print no colours.

export interface Theme {
  text: string;
  faint: string; // secondary text
  line: string; // axes
  surface: string; // behind everything
  accent: string;
  series: string[];
  onSeries: string[]; // text on each of them
}

const SERIES = ['#2f7fb8', '#e08b27', '#8a5fbf', '#2a9d8f', '#c8523c', '#7a8792', '#b3a125', '#8a4b1c', '#d98fa9', '#5d6b2f', '#b9c7d2'];

// What can be read on each of these colours.
const ON_SERIES = ['#ffffff', '#000000', '#ffffff', '#000000', '#ffffff', '#000000', '#000000', '#ffffff', '#000000', '#ffffff', '#000000'];

export const PAPER: Theme = {
  text: '#10202c',
  faint: '#51626e',
  line: '#c9d3da',
  surface: '#ffffff',
  accent: '#2f7fb8',
  series: SERIES,
  onSeries: ON_SERIES,
};

export const PAGE: Theme = {
  text: 'var(--text)',
  faint: 'var(--faint)',
  line: 'var(--line)',
  surface: 'var(--surface)',
  accent: 'var(--accent)',
  series: SERIES.map((_, i) => `var(--series-${i})`),
  onSeries: SERIES.map((_, i) => `var(--on-series-${i})`),
};

// The place in `series` of each state of threads, by the key of its colour.
const STATES: Record<string, number> = { useful: 0, mpi: 1, openmp: 4 };

export const seriesOfState = (colour: string, fallback: number): number => STATES[colour] ?? fallback % SERIES.length;

// The place in `series` of each kind of time, the same in all charts.
const ORDER: Record<string, number> = {
  useful: 0,
  MPI: 1,
  'MPI waiting': 1,
  'MPI transfer': 7,
  'MPI-IO': 2,
  OpenMP: 4,
  'OpenMP serial': 3,
  'OpenMP imbalance': 4,
  'OpenMP scheduling': 6,
  'OpenMP serialised': 8,
  'OpenMP for MPI inside': 9,
  'OpenMP not started': 10,
  'not started or ended': 5,
};

// That of a row that lost core time.
export const seriesOfLoss = (label: string): number => (label.startsWith('MPI') ? 1 : label.startsWith('OpenMP') ? 4 : 5);

export const seriesOf = (label: string, fallback: number): number => ORDER[label] ?? fallback % SERIES.length;
