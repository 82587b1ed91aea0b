// Is it good?  The main numbers and what the report concludes from them.
import { blocksOf, withSign, type Cell, type Findings, type PageData, type Run } from '../data';
import { h, type Child } from '../dom';
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

export function findingsList(findings: Findings): HTMLElement {
  return h(
    'div',
    { class: 'findings' },
    ...findings.findings.map((finding) =>
      h('p', { class: 'finding' }, finding.sentence),
    ),
    findings.next ? h('p', { class: 'next' }, 'Next: ', h('code', {}, findings.next)) : null,
  );
}

export function globalCell(run: Run, key: string): Cell | undefined {
  // The model that is shown first need not have it: counters are no efficiencies.
  const models = [...run.models].sort((a, b) => Number(b.key === run.first_model) - Number(a.key === run.first_model));
  return models.flatMap((model) => model.table.rows.filter((row) => row.key === key)).map((row) => row.cells[0])[0];
}

export function verdict(data: PageData, run: Run): HTMLElement {
  const efficiency = globalCell(run, 'parallel_efficiency');
  const time = globalCell(run, 'run_time_ns');
  const lost = run.not_useful_core_ns;
  const { overhead } = run;
  const lights = blocksOf(run.document, 'facts')
    .flatMap((list) => list.facts)
    .filter((fact) => fact.key === 'light');
  return h(
    'section',
    { class: 'verdict', 'aria-label': 'Verdict' },
    ...lights.map(({ label, text }) => h('p', { class: `light ${run.light}` }, `${label}: ${text}`)),
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
      overhead ? tile('Measurement', overhead.replace('~', '≈ '), 'of the core time') : null,
    ),
    ...blocksOf(run.document, 'findings').map(findingsList),
  );
}
