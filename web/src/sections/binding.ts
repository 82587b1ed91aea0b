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
  topology?: string;
}

interface Topology {
  id: string;
  cpu_model?: string;
  cores: string;
  sockets: string;
  numa_nodes: string;
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

function textOf(ranks: number[]): string {
  const text = `r${rangesOf(ranks)}`;
  return ranks.length === 0 ? '' : text.length <= MOST_IN_BOX ? text : `${ranks.length} ranks`;
}

// The parts of a host with its cores, by socket and NUMA node. `processes`: those
// whose binding is known; not `isWhole` where there are others.
export function partsOf(host: Host, topology: Topology, processes: { rank: number; cpus: number[] }[], isWhole: boolean): BoundPart[] {
  const cores = setsIn(topology.cores);
  const sockets = setsIn(topology.sockets);
  const nodes = setsIn(topology.numa_nodes);
  const mayUse = new Set(numbersIn(host.cpus ?? ''));
  const byCpu = new Map<number, number[]>();
  for (const { rank, cpus } of processes) for (const cpu of cpus) byCpu.set(cpu, [...(byCpu.get(cpu) ?? []), rank]);
  const placeOf = (sets: number[][], cpu: number | undefined): number => sets.findIndex((set) => cpu !== undefined && set.includes(cpu));
  const parts = new Map<string, BoundPart>();
  for (const core of cores) {
    const [first] = core;
    const socket = placeOf(sockets, first);
    const node = placeOf(nodes, first);
    const name = [host.name, socket >= 0 ? `socket ${socket}` : '', node >= 0 ? `NUMA ${node}` : ''].filter(Boolean).join(', ');
    const part = parts.get(name) ?? { name, cores: [] };
    parts.set(name, part);
    const ranks = [...new Set(core.flatMap((cpu) => byCpu.get(cpu) ?? []))].sort((a, b) => a - b);
    // Of processes that are not known it is only known that the job may use it.
    const isUnknown = !isWhole && core.some((cpu) => mayUse.has(cpu));
    part.cores.push({
      name: String(first ?? ''),
      users: isUnknown ? null : ranks.length,
      text: isUnknown ? 'job' : textOf(ranks),
    });
  }
  return [...parts.values()];
}

export function bindingSection(file: RunFile): HTMLElement | null {
  const hosts = (file.run.hosts ?? []) as Host[];
  const topologies = (file.run.topologies ?? []) as Topology[];
  const { processes } = file;
  const cpus = Array.isArray(processes?.cpus) ? (processes.cpus as string[]) : [];
  const known = hosts.flatMap((host, place) => {
    const topology = topologies.find((each) => each.id === host.topology);
    return topology && host.cpus ? [{ host, place, topology }] : [];
  });
  if (known.length === 0) return null;
  const on = (place: number): number[] => (processes?.rank ?? []).flatMap((_, row) => (processes?.host[row] === place ? [row] : []));
  const boundOn = (place: number) =>
    on(place).flatMap((row) => (cpus[row] ? [{ rank: processes?.rank[row] ?? 0, cpus: numbersIn(cpus[row]) }] : []));
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
  const isWhole = known.every(({ place }) => isWholeOn(place));
  return section(
    'Binding',
    `${title}: a box for each core, with its number.`,
    isWhole ? null : missing('Binding not known: which process may use which core', 'poprt run --rows process'),
    known.length > 2 ? h('div', { class: 'bar' }, pages.element) : null, holder);
}
