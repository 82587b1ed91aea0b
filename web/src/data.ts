// What is in a page (src/page/page_data.cc writes it), and how it is unpacked.

export type Grade = 'good' | 'attention' | 'poor' | 'better';

export interface Cell {
  text: string; // as the text report shows it; "-" if it is not known
  sign?: '%';
  unit?: string;
  value?: number; // in base units; absent if it is not known
  grade?: Grade;
  reason?: string; // why it is not known, or beyond what it can be
}

export interface Row {
  label: string;
  key?: string; // of the metric
  depth?: number;
  minor?: boolean;
  unit?: string; // of its numbers, which the label says
  cells: Cell[];
}

export interface Table {
  type: 'table';
  kind: 'regions' | 'runs' | 'sides' | 'list';
  region?: string;
  model?: string;
  key?: string; // what it is of, where it is of no model
  title?: string;
  columns: { name: string; key?: string; is_text?: boolean; meaning?: string }[];
  apart?: string; // the title of the last column, if it is of another kind
  rows: Row[];
  more?: string;
  notes?: string[];
}

export interface Bars {
  type: 'bars';
  title: string;
  bars: { key: string; label: string; part: number; tenths: number }[];
}

export interface Findings {
  type: 'findings';
  findings: {
    sentence: string;
    region?: string;
    metric?: string;
    value?: number;
    lost?: number;
    advice?: string;
  }[];
  next?: string;
}

export interface Facts {
  type: 'facts';
  facts: { key?: string; label?: string; text: string; grade?: Grade }[];
}

// Parts of longer documents.
export interface Section {
  type: 'section';
  key: string;
  title: string;
}

export interface Paragraph {
  type: 'paragraph';
  text: string;
  is_open?: boolean; // says what the reader is to write here
}

export type Block = Table | Bars | Findings | Facts | Section | Paragraph;

export interface ReportDocument {
  title: string;
  lines: string[][];
  facts: Facts;
  blocks: Block[];
}

export interface Model {
  key: string;
  label: string;
  table: Table;
  // Keys of the rows that split the same loss in another way; they do not add up with the others.
  both_layers?: { title: string; rows: string[] };
  losses?: Table;
  // Rows of `losses` that are steps down to the Parallel Efficiency, for each region, with keys of their colours.
  steps?: { row: number; colour: string }[][];
  symbols: string[]; // of the model's formulas
  numbers: string[][]; // of each symbol, for each region
}

export interface RunRegion {
  name: string;
  place: number; // in the run file
  core_ns: number;
  // What its core time was spent on, in tenths of a per cent that add up to 1000.
  parts: { key: string; label: string; tenths: number }[];
}

export interface Run {
  name: string;
  file: string;
  shape: string;
  overhead?: string; // of the measurement, as the text report has it
  overhead_of?: string; // "of the core time"
  first_model: string;
  cores: number;
  ranks: number;
  is_imported: boolean;
  core_ns: number;
  not_useful_core_ns: number;
  light: 'green' | 'amber' | 'red';
  regions: RunRegion[];
  models: Model[];
  document: ReportDocument;
  windows: string[]; // numbers
  over_time: { model: string; rows: { label: string; values: Spread[] }[] }[]; // of each table over time
  advice: Record<string, Record<string, string>>; // by region and metric
  region_ranking: Table;
  parallel_regions: Table;
  parallel_sources: Table;
  tasks: Table;
  file_systems: Table[]; // of MPI-IO, of POSIX I/O
  hosts: Table;
  quality: Facts;
  provenance: Facts;
}

export interface MetricText {
  label: string;
  depth: number;
  definition: string;
  formula: string;
  low: string;
  names: string[];
  is_efficiency?: boolean;
  less_is_better?: boolean;
}

// A run, or repeated ones.
export interface Place {
  name: string; // "16x4"
  cores: number | null; // null where it is not known: nothing is drawn there
  ranks: number;
  threads: number; // of each
  letter: string; // of its variant; '' if there is only one
  isRed?: boolean; // cannot be judged
}

// Median, least and largest of repeated runs; null if not known.
export type Spread = [number, number, number] | null;

export interface Study {
  scaling: 'strong' | 'weak' | 'unknown';
  reference: number;
  largest: number; // the configuration with the most cores
  first_model: string;
  models: { key: string; label: string }[];
  document: ReportDocument;
  spreads?: ReportDocument; // the document with the spread of repeated runs
  // From the reference to each other version on as many cores.
  changes: ReportDocument[];
  configurations: (Place & { first_run: number; runs: number })[];
  regions: { name: string; curves: Record<string, Spread[]> }[];
}

// What the page shows until its reader chooses something else.
export interface View {
  regions: string[]; // empty: all
  view: 'efficiency' | 'loss';
  spread: boolean;
  processes: boolean;
}

// A state of threads: `key`_ns is the column of its time in a run file.
export interface State {
  key: string;
  name: string;
  colour: string;
}

export interface PageData {
  version: string;
  states: State[]; // useful time first
  thresholds: { poor: number; good: number };
  metrics: Record<string, MetricText>;
  runs: Run[];
  study: Study | null;
  assessment: ReportDocument | null;
  first: View;
}

// What the page uses of a run file (docs/file_format.md).
export interface RunFile {
  run: Record<string, unknown>;
  processes?: (Record<string, unknown> & { rank: number[]; host: number[] }) | null;
  regions: { name: string; rows?: (Record<string, unknown> & { rank: number[] }) | null }[];
}

interface Envelope {
  schema: string;
  page: string;
  runs: { file: string; run: string }[];
}

async function unpacked(pack: string): Promise<unknown> {
  const raw = atob(pack);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Response(stream).json();
}

export interface Source {
  data: PageData;
  runFile(run: number): Promise<RunFile>;
}

export async function readPage(text: string): Promise<Source> {
  const envelope = JSON.parse(text) as Envelope;
  const files = new Map<number, Promise<RunFile>>();
  return {
    data: (await unpacked(envelope.page)) as PageData,
    runFile(run) {
      let file = files.get(run);
      if (!file) {
        file = unpacked(envelope.runs[run]?.run ?? '') as Promise<RunFile>;
        files.set(run, file);
      }
      return file;
    },
  };
}

// A number with its sign, where its unit does not stand elsewhere.
export const withSign = (cell: Cell): string => (cell.unit === 'percent' && cell.value !== undefined ? `${cell.text} %` : cell.text);

// The place of the region that is shown first.
export function firstOf(names: string[], first: View): number {
  return Math.max(0, names.findIndex((name) => first.regions.includes(name)));
}

// The blocks of a kind in a document.
export function blocksOf<Type extends Block['type']>(
  document: ReportDocument,
  type: Type,
): Extract<Block, { type: Type }>[] {
  return document.blocks.filter((block): block is Extract<Block, { type: Type }> => block.type === type);
}
