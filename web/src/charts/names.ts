// Names with too little room: what tells them apart is kept.  Those of C++
// functions often begin and end alike.
import { shortened, SIZE, textWidth } from './svg';

// Words, and what is between them.
const piecesOf = (name: string): string[] => name.match(/[\w.]+|[^\w.]+/g) ?? [];

// Without the mark of a name that was too long to be measured whole, and the
// word that it cuts (src/measure/region_names.cc).
const unmarked = (name: string): string => name.replace(/\w*~[0-9a-f]{8}$/, '');

const joined = (pieces: string[], kept: boolean[]): string =>
  pieces.map((piece, i) => (kept[i] ? piece : i > 0 && !kept[i - 1] ? '' : '…')).join('');

const LEAST = 5; // letters of a word

const withoutMiddle = (word: string, letters: number): string =>
  `${word.slice(0, Math.ceil((letters - 1) / 2))}…${word.slice(word.length - Math.floor((letters - 1) / 2))}`;

// The pieces that the fewest names share, cut if need be, and beside them as
// many others as there is room for.
function essence(all: string[], shared: number[], names: number, most: number, size: number): string {
  for (let limit = names; limit > 1; limit /= 2) {
    const kept = shared.map((count) => count < limit);
    const own = kept.flatMap((is, i) => (is ? [i] : []));
    const longest = Math.max(0, ...own.map((i) => all[i]?.length ?? 0));
    for (let letters = longest; own.length > 0 && letters >= Math.min(LEAST, longest); letters--) {
      const pieces = all.map((piece, i) => (kept[i] && piece.length > letters ? withoutMiddle(piece, letters) : piece));
      const fits = (): boolean => textWidth(joined(pieces, kept), size) <= most;
      if (!fits()) continue;
      const far = (i: number): number => Math.min(...own.map((at) => Math.abs(at - i)));
      const others = pieces.map((_, i) => i).filter((i) => !kept[i]);
      others.sort((a, b) => far(a) - far(b) || a - b);
      for (const i of others) {
        kept[i] = kept[i - 1] === true || kept[i + 1] === true;
        if (kept[i] && !fits()) kept[i] = false;
      }
      return joined(pieces, kept).replace(/…+/g, '…');
    }
  }
  return shortened(all.join(''), most, size);
}

// Each name at most `most` wide; names that differ still do.
export function distinct(names: string[], most: number, size = SIZE): string[] {
  const fits = (name: string): boolean => textWidth(name, size) <= most;
  if (names.every(fits)) return names;
  const long = names.filter((name, i) => !fits(name) && names.indexOf(name) === i);
  const differ = (all: string[]): boolean => new Set(all).size === all.length;
  const bare = long.map(unmarked);
  const areBare = differ(bare);
  const pieces = (areBare ? bare : long).map(piecesOf);
  // Those without their mark might go on like the others.
  const ends = pieces.flatMap((of, i) => (areBare && bare[i] !== long[i] ? [of.length] : []));
  // How many names have this piece at this place, from the start or the end.
  const counts = new Map<string, number>();
  const fromEnd = (of: string[], place: number): number => place - of.length;
  const count = (key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const of of pieces) {
    of.forEach((piece, place) => {
      count(`${place} ${piece}`);
      count(`${fromEnd(of, place)} ${piece}`);
    });
  }
  const short = new Map<string, string>();
  const used = new Set<string>();
  long.forEach((name, i) => {
    const of = pieces[i] ?? [];
    const shared = of.map((piece, place) => {
      const fromStart = (counts.get(`${place} ${piece}`) ?? 0) + ends.filter((end) => end <= place).length;
      return Math.max(fromStart, counts.get(`${fromEnd(of, place)} ${piece}`) ?? 0);
    });
    const text = essence(of, shared, long.length, most, size);
    let shown = text;
    for (let number = 2; used.has(shown); number++) {
      const mark = ` (${number})`;
      shown = shortened(text, most - textWidth(mark, size), size) + mark;
    }
    used.add(shown);
    short.set(name, shown);
  });
  return names.map((name) => short.get(name) ?? name);
}
