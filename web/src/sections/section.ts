import { h, newId, type Child } from '../dom';

export function section(title: string, lead: string | Child[], ...children: Child[]): HTMLElement {
  const id = newId('section');
  return h(
    'section',
    { 'aria-labelledby': id },
    h('h2', { id }, title),
    lead.length > 0 ? h('p', { class: 'lead' }, ...(typeof lead === 'string' ? [lead] : lead)) : null,
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

// A list of names of which one is chosen, by place; null where there is no choice.
export function selection(label: string, names: string[], chosen: number, choose: (place: number) => void): HTMLElement | null {
  if (names.length < 2) return null;
  const id = newId('select');
  const select = h('select', { id }, ...names.map((name, i) => h('option', { value: i, selected: i === chosen }, name)));
  select.addEventListener('change', () => choose(Number(select.value)));
  return h('span', { class: 'field' }, h('label', { for: id }, label), select);
}
