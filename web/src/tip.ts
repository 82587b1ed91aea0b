// The explanation of what is under the pointer or has the focus: one box that
// every part of the page shares.
import { h, newId, replace, type Child } from './dom';

let box: HTMLElement | undefined;
let owner: Element | null = null;
let delay = 0;

function place(box: HTMLElement, at: Element): void {
  const around = at.getBoundingClientRect();
  const own = box.getBoundingClientRect();
  const gap = 8;
  const right = document.documentElement.clientWidth - own.width - gap;
  const left = Math.max(gap, Math.min(around.left, right));
  const below = around.bottom + gap;
  const isBelow = below + own.height <= window.innerHeight || around.top < own.height + gap;
  box.style.left = `${left + window.scrollX}px`;
  box.style.top = `${(isBelow ? below : around.top - own.height - gap) + window.scrollY}px`;
}

export function hideTip(): void {
  window.clearTimeout(delay);
  owner?.removeAttribute('aria-describedby');
  owner = null;
  if (box) box.hidden = true;
}

export function showTip(at: Element, content: Child[]): void {
  hideTip();
  if (!box) return;
  owner = at;
  at.setAttribute('aria-describedby', box.id);
  replace(box, ...content);
  box.hidden = false;
  place(box, at);
}

export function startTips(): void {
  box = h('div', { class: 'tip', role: 'tooltip', id: newId('tip'), hidden: true });
  document.body.append(box);
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') hideTip();
  });
  // The pointer may go into the box, to read or to select its text.
  box.addEventListener('pointerenter', () => window.clearTimeout(delay));
  box.addEventListener('pointerleave', hideTip);
}

// Shows `content` for every element below `root` that `find` accepts, while it
// is hovered or has the focus.
export function tipsOn(
  root: Element,
  find: (target: Element) => Element | null,
  content: (found: Element) => Child[] | null,
): void {
  const show = (event: Event): void => {
    const found = event.target instanceof Element ? find(event.target) : null;
    if (found === owner && found) {
      window.clearTimeout(delay);
      return;
    }
    const children = found && content(found);
    if (found && children) showTip(found, children);
    else hideTip();
  };
  root.addEventListener('pointerover', show);
  root.addEventListener('focusin', show);
  root.addEventListener('focusout', hideTip);
  root.addEventListener('pointerleave', () => {
    if (owner && owner === document.activeElement) return;
    delay = window.setTimeout(hideTip, 150);
  });
}
