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

const SERIES = ['#2f7fb8', '#e08b27', '#8a5fbf', '#2a9d8f', '#c8523c', '#7a8792', '#b3a125', '#8a4b1c', '#d98fa9', '#5d6b2f', '#b9c7d2', '#1b3a5c', '#b0479a', '#7fb84a', '#51c4d3'];
// What has no colour of its own takes one of the first.
const FALLBACKS = 11;

// What can be read on each of these colours.
const ON_SERIES = ['#ffffff', '#000000', '#ffffff', '#000000', '#ffffff', '#000000', '#000000', '#ffffff', '#000000', '#ffffff', '#000000', '#ffffff', '#ffffff', '#000000', '#000000'];

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

// The place in `series` of each kind of time, the same in all charts, by the key
// that the data give it: states of threads (src/states/states.h), parts of core
// time (src/report/core_time.cc) and of devices (src/report/devices.cc), sources of what parallel regions lose.
const COLOURS: Record<string, number> = {
  useful: 0,
  mpi: 1,
  mpi_waiting: 1,
  mpi_transfer: 7,
  mpi_unknown: 10,
  mpi_io: 2,
  posix_io: 3,
  openmp: 4,
  openmp_serial: 3,
  openmp_idle_in_mpi: 9,
  openmp_imbalance: 4,
  openmp_scheduling: 6,
  openmp_serialised: 8,
  openmp_mpi_inside: 9,
  openmp_not_started: 10,
  accelerator: 11,
  accelerator_waiting: 11,
  accelerator_copying: 12,
  accelerator_launching: 13,
  openmp_idle_in_accelerator: 14,
  openmp_accelerator_inside: 14,
  device_kernels: 0,
  device_copies: 12,
  device_graphs: 13,
  device_idle_useful: 3,
  device_idle_mpi: 1,
  device_idle_openmp: 4,
  device_idle_accelerator: 11,
  device_idle_unknown: 10,
  device_outside: 5,
  rest: 5,
  imbalance: 4,
  serialised: 3,
  mpi_inside: 1,
  scheduling: 6,
  not_started: 5,
  accelerator_inside: 14,
};

export const seriesOf = (key: string, fallback: number): number => COLOURS[key] ?? fallback % FALLBACKS;
