/** Detects texts that repeat the same few tokens to push other content out. */

const LEAST_REPEATS = 25;
const LONGEST_PERIOD = 6;
const MAX_TOKENS = 20_000;
const LONG_TOKEN = 160;
/** Lines of these are decoration: rules, tables, banners. */
const DECORATION = /^[-=_|+*#~.:·•─━═│┃]+$/;

/** True when some sequence of up to six tokens, or of letters in one token, is repeated at least twenty-five times in a row. */
export function isFlood(text: string): boolean {
  if (text.length < LONG_TOKEN && gapsIn(text) < LEAST_REPEATS) return false;
  const tokens = text.split(/\s+/, MAX_TOKENS);
  return (
    repeats(tokens) ||
    tokens.some((token) => token.length >= LONG_TOKEN && repeats([...token.slice(0, MAX_TOKENS)], 2))
  );
}

/** At least as many as there are blanks between tokens; most memories are too short to repeat anything that often. */
function gapsIn(text: string): number {
  let gaps = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code <= 32 || code > 127) gaps++;
  }
  return gaps;
}

function repeats(tokens: readonly string[], shortest = 1): boolean {
  for (let period = shortest; period <= LONGEST_PERIOD; period++) {
    let equal = 0;
    for (let i = period; i < tokens.length; i++) {
      equal = tokens[i] === tokens[i - period] && !DECORATION.test(tokens[i]!) ? equal + 1 : 0;
      if (equal >= LEAST_REPEATS * period) return true;
    }
  }
  return false;
}
