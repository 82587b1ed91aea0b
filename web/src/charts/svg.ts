// Charts are values: trees of SVG elements that pure functions make from data.
// A page shows them as elements, a file has them as text.  Nothing here needs a
// browser.

export interface SvgNode {
  tag: string;
  attributes: Record<string, string>;
  children: (SvgNode | string)[];
}

type Value = string | number | null | undefined | false;

// To a hundredth of a unit.
export const rounded = (value: number): string => String(Math.round(value * 100) / 100);

const text = (value: string | number): string => (typeof value === 'number' ? rounded(value) : value);

export function s(
  tag: string,
  attributes: Record<string, Value> = {},
  ...children: (SvgNode | string | null | undefined | false)[]
): SvgNode {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) kept[name] = text(value);
  }
  return { tag, attributes: kept, children: children.filter((child): child is SvgNode | string => !!child) };
}

export interface Chart {
  svg: SvgNode;
  // The same numbers as a table, for those who do not see the chart.
  table: { columns: string[]; rows: string[][] };
}

export const SIZE = 12; // of all texts

// The root of a chart.  Its title and its description are what a screen reader
// says.
export function picture(
  width: number,
  height: number,
  title: string,
  ...children: (SvgNode | null | undefined | false)[]
): SvgNode {
  return s(
    'svg',
    {
      viewBox: `0 0 ${text(width)} ${text(height)}`,
      width,
      height,
      role: 'img',
      'aria-label': title,
      class: 'chart',
      'font-family': 'system-ui, sans-serif',
      'font-size': SIZE,
    },
    ...children,
  );
}

// Charts as one: from left to right with their tops on one line, or from top to
// bottom.
export function beside(all: SvgNode[], gap: number, isRow: boolean, title: string): SvgNode {
  const sizes = (name: string): number[] => all.map((each) => Number(each.attributes[name]));
  const along = sizes(isRow ? 'width' : 'height');
  const across = Math.max(...sizes(isRow ? 'height' : 'width'));
  let at = 0;
  const placed = all.map((each, i) => {
    const group = s('g', { transform: `translate(${isRow ? at : 0} ${isRow ? 0 : at})` }, ...each.children);
    at += (along[i] ?? 0) + gap;
    return group;
  });
  return picture(isRow ? at - gap : across, isRow ? across : at - gap, title, ...placed);
}

// XML has no characters for U+FFFE and U+FFFF.
const escaped = (raw: string): string =>
  raw.replace(/[\uFFFE\uFFFF]/g, '?').replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

// The tree as the text of an SVG file.
export function svgText(node: SvgNode, isRoot = true): string {
  const attributes = { ...(isRoot ? { xmlns: 'http://www.w3.org/2000/svg' } : {}), ...node.attributes };
  let start = `<${node.tag}`;
  for (const [name, value] of Object.entries(attributes)) start += ` ${name}="${escaped(value)}"`;
  if (node.children.length === 0) return `${start}/>`;
  const inner = node.children.map((child) => (typeof child === 'string' ? escaped(child) : svgText(child, false)));
  return `${start}>${inner.join('')}</${node.tag}>`;
}

// The tree as elements of a page.
export function svgElement(node: SvgNode): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', node.tag);
  for (const [name, value] of Object.entries(node.attributes)) element.setAttribute(name, value);
  for (const child of node.children) element.append(typeof child === 'string' ? child : svgElement(child));
  return element;
}

// About how wide a text of the charts' size is.
export function textWidth(label: string, size = SIZE): number {
  let width = 0;
  for (const c of label) width += c.charCodeAt(0) > 0x2e7f ? 1 : /[il.,:;|'!()[\] ]/.test(c) ? 0.34 : /[mwMWO%@]/.test(c) ? 0.9 : 0.61;
  return width * size;
}

// At most `most` wide, with the middle left out as in the text report.
export function shortened(label: string, most: number, size = SIZE): string {
  // Room is often the width of the text and a margin, less the margin: not to
  // the last digit.
  if (textWidth(label, size) <= most + 0.01) return label;
  const all = Array.from(label);
  for (let kept = all.length - 1; kept > 1; kept--) {
    const left = Math.ceil(kept / 2);
    const short = `${all.slice(0, left).join('')}…${all.slice(all.length - (kept - left)).join('')}`;
    if (textWidth(short, size) <= most) return short;
  }
  return '…';
}

