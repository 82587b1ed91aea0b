// Which cores processes may use, where the run file has the hosts' parts.
import { binding, type BoundPart } from '../charts/binding';
import { PAGE } from '../charts/theme';
import type { RunFile } from '../data';
import { h, newId, replace } from '../dom';
import { figure } from '../figure';
import { pager } from '../pager';
import { section } from './section';
import { missing } from './why';

interface Host {
  name: string;
  cpus?: string;
  allotted?: string;
  topology?: string;
}

interface Topology {
  id: string;
  cpu_model?: string;
  cores: string;
  sockets: string;
  numa_nodes: string;
  // What older run files do not have.
  dies?: string;
  memory?: { node: number; kind: string; bytes: number; cpus: string }[];
  caches?: { level: number; bytes: number; shared: string }[];
  core_kinds?: { name: string; efficiency: number; cpus: string }[];
}

// "0-3,8" as numbers.
export function numbersIn(list: string): number[] {
  return list
    .split(',')
    .filter(Boolean)
    .flatMap((range) => {
      const [first = 0, last = first] = range.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, i) => first + i);
    });
}

const setsIn = (text: string): number[][] => text.split(' ').filter(Boolean).map(numbersIn);
// As much as a box has room for.
const MOST_IN_BOX = 7;

// "0-3,8".
function rangesOf(numbers: number[]): string {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(',');
}

// "HBM 16 GiB".
const memoryText = ({ kind, bytes }: { kind: string; bytes: number }): string =>
  [kind, bytes > 0 ? `${Math.round(bytes / 2 ** 30) || '< 1'} GiB` : ''].filter(Boolean).join(' ');

// What marks a core of this kind: the system's name where it is not known which
// kind is faster.
function markOf(kinds: NonNullable<Topology['core_kinds']>, cpu: number): string {
  const kind = kinds.find(({ cpus }) => numbersIn(cpus).includes(cpu));
  if (!kind) return '';
  if (kind.efficiency < 0) return kind.name;
  return kind.efficiency === 0 ? 'E' : kind.efficiency === Math.max(...kinds.map((each) => each.efficiency)) ? 'P' : 'M';
}

// "r0,1"; "r0 ×4" of one rank whose threads all run here.
function textOf(ranks: number[], threads: number): string {
  const text = `r${rangesOf(ranks)}${ranks.length === 1 && threads > 1 ? ` ×${threads}` : ''}`;
  return ranks.length === 0 ? '' : text.length <= MOST_IN_BOX ? text : `${ranks.length} ranks`;
}

// The parts of a host with its cores, by socket, die, NUMA node and shared cache. `processes`: those
// whose binding is known; not `isWhole` where there are others.
export function partsOf(host: Host, topology: Topology, processes: { rank: number; threads?: number | undefined; cpus: number[] }[], isWhole: boolean): BoundPart[] {
  const cores = setsIn(topology.cores);
  const sockets = setsIn(topology.sockets);
  const nodes = setsIn(topology.numa_nodes);
  const dies = setsIn(topology.dies ?? '');
  const last = topology.caches?.at(-1);
  const caches = setsIn(last?.shared ?? '');
  const ours = host.allotted ? new Set(numbersIn(host.allotted)) : null;
  const mayUse = new Set(numbersIn(host.cpus ?? ''));
  const byCpu = new Map<number, number[]>();
  for (const { rank, cpus } of processes) for (const cpu of cpus) byCpu.set(cpu, [...(byCpu.get(cpu) ?? []), rank]);
  const placeOf = (sets: number[][], cpu: number | undefined): number => sets.findIndex((set) => cpu !== undefined && set.includes(cpu));
  // Of a rank that is bound to this core. Where it may use others, it is not known which of its threads is here.
  const threadsOnly = (rank: number | undefined, core: number[]): number => {
    const process = processes.find((each) => each.rank === rank);
    return process?.cpus.every((cpu) => core.includes(cpu)) ? (process.threads ?? 1) : 1;
  };
  const parts = new Map<string, BoundPart>();
  for (const core of cores) {
    const [first] = core;
    const socket = placeOf(sockets, first);
    const node = placeOf(nodes, first);
    const die = placeOf(dies, first);
    const cache = caches.length > Math.max(sockets.length, nodes.length) ? placeOf(caches, first) : -1;
    const near = (topology.memory ?? []).filter(({ cpus }) => node >= 0 && numbersIn(cpus).join() === nodes[node]?.join());
    const memory = near.map(memoryText).filter(Boolean).join(' and ');
    // The system's numbers.
    const numbers = near.map((each) => each.node).join() || '?';
    const name = [
      host.name,
      socket >= 0 ? `socket ${socket}` : '',
      die >= 0 ? `die ${die}` : '',
      node >= 0 ? `NUMA ${numbers}${memory && ` (${memory})`}` : '',
      cache >= 0 ? `L${last?.level} ${cache}` : '',
    ].filter(Boolean).join(', ');
    const part = parts.get(name) ?? { name, cores: [] };
    parts.set(name, part);
    const ranks = [...new Set(core.flatMap((cpu) => byCpu.get(cpu) ?? []))].sort((a, b) => a - b);
    // Of processes that are not known it is only known that the job may use it.
    const isUnknown = !isWhole && core.some((cpu) => mayUse.has(cpu));
    const mark = markOf(topology.core_kinds ?? [], first ?? -1);
    if (ours && !core.some((cpu) => ours.has(cpu))) {
      part.cores.push({ name: `${first}${mark && ` ${mark}`}`, users: 0, text: 'not ours' });
      continue;
    }
    part.cores.push({
      name: `${first ?? ''}${mark && ` ${mark}`}`,
      users: isUnknown ? null : ranks.length,
      text: isUnknown ? 'job' : textOf(ranks, threadsOnly(ranks[0], core)),
    });
  }
  return [...parts.values()];
}

export function bindingSection(file: RunFile): HTMLElement | null {
  const hosts = (file.run.hosts ?? []) as Host[];
  const topologies = (file.run.topologies ?? []) as Topology[];
  const { processes } = file;
  const cpus = Array.isArray(processes?.cpus) ? (processes.cpus as string[]) : [];
  const threads = (processes?.threads ?? []) as number[];
  const known = hosts.flatMap((host, place) => {
    const topology = topologies.find((each) => each.id === host.topology);
    return topology && host.cpus ? [{ host, place, topology }] : [];
  });
  if (known.length === 0) return null;
  const on = (place: number): number[] => (processes?.rank ?? []).flatMap((_, row) => (processes?.host[row] === place ? [row] : []));
  const boundOn = (place: number) =>
    on(place).flatMap((row) => (cpus[row] ? [{ rank: processes?.rank[row] ?? 0, threads: threads[row], cpus: numbersIn(cpus[row]) }] : []));
  const isWholeOn = (place: number): boolean => on(place).length > 0 && on(place).every((row) => cpus[row]);
  const holder = h('div');
  const id = newId('binding');
  const title = 'Cores, and the processes that may use them';
  const pages = pager({
    noun: 'hosts',
    names: known.map(({ host }) => host.name),
    size: () => 2,
    show: (shown) => {
      const parts = shown.flatMap((i) => {
        const found = known[i];
        if (!found) return [];
        return partsOf(found.host, found.topology, boundOn(found.place), isWholeOn(found.place));
      });
      replace(holder, parts.length > 0 ? figure((width) => binding(parts, title, width, PAGE, id), title) : null);
    },
  });
  pages.update();
  const kinds = known.some(({ topology }) => topology.core_kinds?.length) ? ' and kind (P: performance, E: efficiency, M: between them)' : '';
  const isWhole = known.every(({ place }) => isWholeOn(place));
  return section(
    'Binding',
    `${title}: a box for each core, with its number${kinds}.`,
    isWhole ? null : missing('Binding not known: which process may use which core', 'poprt run --rows process'),
    known.length > 2 ? h('div', { class: 'bar' }, pages.element) : null, holder);
}
