// Colours of values.  Blue is good and brown is bad, which all eyes tell apart,
// and the worse the darker, which a grey print keeps.  The colour changes where
// the marks "!" and "x" begin, at 80 % and 60 % unless the user says otherwise.

export interface Thresholds {
  poor: number;
  good: number;
}

type Rgb = [number, number, number];

const GOOD: [Rgb, Rgb] = [
  [174, 213, 239],
  [230, 242, 251],
];
const ATTENTION: [Rgb, Rgb] = [
  [243, 165, 62],
  [252, 214, 140],
];
const POOR: [Rgb, Rgb] = [
  [110, 27, 4],
  [221, 107, 44],
];
const BETTER: Rgb = [110, 178, 222];
// Of runs that cannot be judged.
const UNJUDGED: [Rgb, Rgb] = [
  [186, 192, 197],
  [236, 239, 241],
];

function between([from, to]: [Rgb, Rgb], part: number): Rgb {
  const p = Math.min(1, Math.max(0, part));
  return [0, 1, 2].map((i) => Math.round((from[i] ?? 0) + p * ((to[i] ?? 0) - (from[i] ?? 0)))) as Rgb;
}

function luminance(rgb: Rgb): number {
  const [r, g, b] = rgb.map((c) => {
    const part = c / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export interface Heat {
  background: string;
  text: string;
}

// The colour of an efficiency with this grade, which says on which side of the
// thresholds it is as it is shown.
export function heat(value: number, grade: string, { poor, good }: Thresholds): Heat {
  let rgb: Rgb;
  if (grade === 'unjudged') rgb = between(UNJUDGED, value);
  else if (grade === 'better') rgb = BETTER;
  else if (grade === 'good') rgb = between(GOOD, (value - good) / Math.max(1e-9, 1 - good));
  else if (grade === 'attention') rgb = between(ATTENTION, (value - poor) / Math.max(1e-9, good - poor));
  else rgb = between(POOR, value / Math.max(1e-9, poor));
  // Black or white, whichever can be read better: one of them always can.
  const text = luminance(rgb) > 0.179 ? '#000000' : '#ffffff';
  return { background: `#${rgb.map((c) => c.toString(16).padStart(2, '0')).join('')}`, text };
}

// The contrast of two colours as "rgb(r g b)" or "#rrggbb", for the tests.
export function contrast(a: string, b: string): number {
  const rgb = (colour: string): Rgb =>
    (colour.startsWith('#')
      ? [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16))
      : (colour.match(/\d+/g) ?? []).map(Number)) as Rgb;
  const [low, high] = [luminance(rgb(a)), luminance(rgb(b))].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}
