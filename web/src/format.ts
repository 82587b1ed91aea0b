// Numbers of what the page computes itself, as the text report writes them
// (src/document/format.cc).

function fourDigits(value: number): string {
  return value.toFixed(value < 9.9995 ? 3 : value < 99.995 ? 2 : value < 999.95 ? 1 : 0);
}

// "1.234 s", "950 ns".
export function duration(ns: number): string {
  if (ns < 1000) return `${Math.round(ns)} ns`;
  if (ns / 1e3 < 999.95) return `${fourDigits(ns / 1e3)} us`;
  return ns / 1e6 < 999.95 ? `${fourDigits(ns / 1e6)} ms` : `${fourDigits(ns / 1e9)} s`;
}

// The largest unit of core time in which this is at least 1.
export function coreUnit(ns: number): { name: string; ns: number } {
  for (const [name, size] of [['core-s', 1e9], ['core-ms', 1e6], ['core-us', 1e3]] as const) {
    if (ns >= size) return { name, ns: size };
  }
  return { name: 'core-ns', ns: 1 };
}

// On the axes of charts.
export const asFactor = (value: number): string => (value >= 10 ? value.toFixed(0) : value.toFixed(value % 1 === 0 ? 0 : 2));
export const inPercent = (value: number): string => (100 * value).toFixed(value === Math.round(value * 100) / 100 ? 0 : 1);

export const coreSeconds = (ns: number): string => duration(ns).replace(' ', ' core-');

// A value below 1 is never "100.0".
export function percent(part: number): string {
  const text = (100 * part).toFixed(1);
  return `${text === '100.0' && part < 1 ? '99.9' : text} %`;
}

// Shares of bars are tenths of a per cent.
export const tenthsAsPercent = (tenths: number): string => `${(tenths / 10).toFixed(1)} %`;

// Four digits of an amount with a prefix of the SI: "12.34 G", "950".
export function amount(count: number): string {
  if (count < 9999.5) return count.toFixed(0);
  const prefixes = 'kMGTPE';
  let value = count / 1e3;
  let i = 0;
  for (; value >= 999.95 && i + 1 < prefixes.length; i++) value /= 1e3;
  return `${fourDigits(value)} ${prefixes.charAt(i)}`;
}

// That with a unit, before which the prefix stands: "12.34 kJ", "950 J".
export function withUnit(text: string, unit: string): string {
  if (text === '-') return text;
  return (/[a-zA-Z]$/.test(text) ? text : `${text} `) + unit;
}
