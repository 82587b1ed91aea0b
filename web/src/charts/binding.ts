// The cores of hosts, and who may use them: a box for each core.
import { block, label, legend, patterns } from './marks';
import { picture, s, shortened, type Chart, type SvgNode } from './svg';
import type { Theme } from './theme';

export interface BoundCore {
  name: string; // the kernel's number of its first hardware thread
  users: number | null; // how many processes may use it; null: some may, it is not known how many
  text: string; // "r0,1"
}

export interface BoundPart {
  name: string; // "node1, socket 0 NUMA 0"
  cores: BoundCore[];
}

const BOX = { width: 64, height: 36, gap: 4 };

// Colours of cores that nobody, one process, or several may use.
const SERIES = [0, 0, 1];

export function binding(parts: BoundPart[], title: string, width: number, theme: Theme, id: string): Chart {
  type Users = BoundCore['users'];
  const kindOf = (users: Users): Users => users && Math.min(2, users);
  const colour = (users: Users): string =>
    users === null ? theme.faint : users === 0 ? theme.surface : (theme.series[SERIES[Math.min(2, users)] ?? 0] ?? theme.accent);
  const pattern = (users: Users): string => `${id}-${(users ?? 0) > 1 ? 1 : 0}`;
  const perLine = Math.max(1, Math.floor((width + BOX.gap) / (BOX.width + BOX.gap)));
  const kinds = [
    { name: 'one process may use it', users: 1 },
    { name: 'several may', users: 2 },
    { name: 'the job may use it: binding not known', users: null },
  ].filter(({ users }) => parts.some((part) => part.cores.some((core) => kindOf(core.users) === users)));
  const key = legend(
    kinds.map(({ name, users }) => ({ name, fill: colour(users), pattern: pattern(users) })),
    width,
    0,
    theme,
  );
  const nodes: SvgNode[] = [patterns(id), ...key.nodes];
  let top = key.height + 6;
  for (const part of parts) {
    nodes.push(label(0, top + 12, shortened(part.name, width), theme.text, 'start', { 'font-weight': 600 }));
    top += 20;
    part.cores.forEach((core, i) => {
      const x = (i % perLine) * (BOX.width + BOX.gap);
      const y = top + Math.floor(i / perLine) * (BOX.height + BOX.gap);
      const at = { x, y, width: BOX.width, height: BOX.height };
      const says = `core ${core.name}: ${core.text || 'no process'}`;
      nodes.push(
        ...(core.users !== 0 ? [block({ ...at, height: 5 }, colour(core.users), pattern(core.users), says)] : []),
        s('rect', { x: x + 0.5, y: y + 0.5, width: BOX.width - 1, height: BOX.height - 1, rx: 3, fill: 'none', stroke: core.users !== 0 ? colour(core.users) : theme.line }),
        label(x + 5, y + 17, core.name, theme.faint, 'start', { 'font-size': 10 }),
        label(x + BOX.width / 2, y + 30, shortened(core.text, BOX.width - 8, 11), theme.text, 'middle', { 'font-size': 11 }),
      );
    });
    top += Math.ceil(part.cores.length / perLine) * (BOX.height + BOX.gap) + 8;
  }
  return {
    svg: picture(width, top, title, ...nodes),
    table: {
      columns: ['Part of a host', 'core', 'processes that may use it'],
      rows: parts.flatMap((part) => part.cores.map((core) => [part.name, core.name, core.text || '-'])),
    },
  };
}
