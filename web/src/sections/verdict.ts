// May the run be judged, where is the loss, what is next?  And the main numbers.
import { blocksOf, withSign, type Cell, type Facts, type Findings, type PageData, type Run, type Table } from '../data';
import { h, type Child } from '../dom';
import { explanation } from '../explain';
import { plainTable } from '../figure';
import { coreSeconds, percent } from '../format';

const WORDS = { good: 'good', attention: 'wants attention', poor: 'poor', better: 'good' };

export function tile(name: string, value: string, note: Child, grade = ''): HTMLElement {
  return h(
    'div',
    { class: `tile ${grade}` },
    h('dt', {}, name),
    h('dd', {}, h('span', { class: 'big' }, value), note ? h('span', { class: 'note' }, note) : null),
  );
}

// `explain`: what is said of the metric of a finding; the command that says the
// same stands below it.
export function findingsList(findings: Findings, explain?: (metric: string) => Child[]): HTMLElement {
  const metric = /^poprt explain (\S+)/.exec(findings.next ?? '')?.[1];
  const command = findings.next ? h('code', {}, findings.next) : null;
  const content = metric && command && explain ? explain(metric) : [];
  return h(
    'div',
    { class: 'findings' },
    ...findings.findings.map((finding) => h('p', { class: 'finding' }, finding.sentence)),
    content.length > 0
      ? h(
          'details',
          { class: 'next' },
          h('summary', {}, 'Next: what it is, and what to do about it'),
          h('div', { class: 'explanation' }, ...content, h('p', { class: 'note' }, 'The same on a terminal: ', command)),
        )
      : command
        ? h('p', { class: 'next' }, 'Next: ', command)
        : null,
  );
}

export function globalCell(run: Run, key: string): Cell | undefined {
  // The model that is shown first need not have it: counters are no efficiencies.
  const models = [...run.models].sort((a, b) => Number(b.key === run.first_model) - Number(a.key === run.first_model));
  return models.flatMap((model) => model.table.rows.filter((row) => row.key === key)).map((row) => row.cells[0])[0];
}

// What the page says of a metric of the whole run: "critical_path.load_balance", or
// of the first model "load_balance".
export function explanationOf(data: PageData, run: Run, metric: string): Child[] {
  const [key = '', modelKey = run.first_model] = metric.split('.').reverse();
  const model = run.models.find((each) => each.key === modelKey);
  const row = model?.table.rows.find((each) => each.key === key);
  return row ? explanation(data, run, modelKey, 0, row, row.cells[0] ?? null) : [];
}

function light(run: Run, { facts }: Facts): HTMLElement | null {
  const own = facts.filter((fact) => fact.key === 'light');
  if (own.length === 0) return null;
  return h(
    'div',
    { class: `light ${run.light}` },
    ...own.map(({ label, text }) => h('p', {}, label ? h('b', {}, label) : null, ' ', text)),
  );
}

// Of several runs: the worst light, and whose it is.
export function lightOfRuns(runs: Pick<Run, 'name' | 'light'>[]): { light: Run['light']; text: string } {
  const names = (light: Run['light']): string => {
    const all = [...new Set(runs.filter((run) => run.light === light).map((run) => run.name))];
    return all.length > 4 ? `${all.slice(0, 3).join(', ')} and ${all.length - 3} more` : all.join(', ');
  };
  const red = names('red');
  const amber = names('amber');
  if (!red && !amber) return { light: 'green', text: 'green: nothing stands against the numbers of these runs.' };
  const parts = [red ? `red: not to be judged are runs of ${red}` : '', amber ? `amber: to be judged with care are runs of ${amber}` : ''];
  return { light: red ? 'red' : 'amber', text: `${parts.filter(Boolean).join('; ')}. Each run says why below.` };
}

export function lightOfStudy(runs: Run[]): HTMLElement {
  const { light: worst, text } = lightOfRuns(runs);
  return h('div', { class: `light ${worst}` }, h('p', {}, h('b', {}, 'Light'), ' ', text));
}

// Where the core time went, in a few rows.
export const isOverview = (table: Table): boolean => table.key === 'overview';

function overview({ title = '', rows }: Table): HTMLElement {
  return h('div', { class: 'overview' }, plainTable([title, ''], rows.map(({ label, cells }) => [label, ...cells.map(withSign)]), title));
}

export function verdict(data: PageData, run: Run): HTMLElement {
  const efficiency = globalCell(run, 'parallel_efficiency');
  const time = globalCell(run, 'run_time_ns');
  const lost = run.not_useful_core_ns;
  const { overhead } = run;
  return h(
    'section',
    { class: 'verdict', 'aria-label': 'Verdict' },
    ...blocksOf(run.document, 'facts').map((facts) => light(run, facts)),
    ...blocksOf(run.document, 'findings').map((findings) => findingsList(findings, (metric) => explanationOf(data, run, metric))),
    h(
      'dl',
      { class: 'tiles' },
      efficiency?.value !== undefined
        ? tile(
            'Parallel Efficiency',
            withSign(efficiency),
            efficiency.grade
              ? `${WORDS[efficiency.grade]}; good is ${Math.round(100 * data.thresholds.good)} % and more`
              : 'not judged',
            efficiency.grade,
          )
        : null,
      time ? tile('Run time', time.text, run.shape) : null,
      run.core_ns > 0
        ? tile('Core time not useful', coreSeconds(lost), `${percent(lost / run.core_ns)} of ${coreSeconds(run.core_ns)}`.replace(/-/g, '\u2011'))
        : null,
      overhead ? tile('Overhead of measuring', overhead.replace('~', '≈ '), run.overhead_of) : null,
    ),
    ...blocksOf(run.document, 'table').filter(isOverview).map(overview),
  );
}
