import { h, newId, type Child } from '../dom';

export function section(title: string, lead: string, ...children: Child[]): HTMLElement {
  const id = newId('section');
  return h(
    'section',
    { 'aria-labelledby': id },
    h('h2', { id }, title),
    lead ? h('p', { class: 'lead' }, lead) : null,
    ...children,
  );
}

// Buttons of which one is pressed.
export function choice<Key extends string>(
  label: string,
  options: { key: Key; name: string }[],
  chosen: Key,
  choose: (key: Key) => void,
): HTMLElement {
  const buttons = options.map(({ key, name }) =>
    h('button', { type: 'button', 'aria-pressed': String(key === chosen), 'data-key': key }, name),
  );
  const group = h('div', { class: 'choice', role: 'group', 'aria-label': label }, ...buttons);
  group.addEventListener('click', (event) => {
    const button = (event.target as Element).closest('button');
    if (!button) return;
    for (const each of buttons) each.setAttribute('aria-pressed', String(each === button));
    choose(button.dataset.key as Key);
  });
  return group;
}
