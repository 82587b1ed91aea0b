// A formula with numbers in the place of its symbols, as `poprt explain` fills
// it in (src/report/formula_symbols.cc).

const inWord = (c: string | undefined): boolean => c !== undefined && /[A-Za-z0-9_]/.test(c);

// The longest symbol in `text` at position `at`; -1 if there is none.
function symbolAt(text: string, at: number, symbols: string[]): number {
  if (at > 0 && inWord(text[at - 1])) return -1;
  let longest = -1;
  symbols.forEach((symbol, i) => {
    if (!text.startsWith(symbol, at)) return;
    const end = at + symbol.length;
    if (end < text.length && inWord(symbol[symbol.length - 1]) && inWord(text[end])) return;
    if (symbol.length > (symbols[longest]?.length ?? 0)) longest = i;
  });
  return longest;
}

export function filledIn(formula: string, symbols: string[], numbers: string[]): string {
  let result = '';
  let at = 0;
  while (at < formula.length) {
    const symbol = symbolAt(formula, at, symbols);
    if (symbol < 0) {
      result += formula.charAt(at);
      at += 1;
    } else {
      result += numbers[symbol] ?? '-';
      at += symbols[symbol]?.length ?? 1;
    }
  }
  return result;
}
