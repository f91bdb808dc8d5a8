/** Splits HTML into texts and tags in one pass; malformed markup becomes text. */

export type HtmlToken =
  | { readonly kind: 'text'; readonly start: number; readonly end: number }
  | { readonly kind: 'open' | 'close'; readonly name: string; readonly start: number; readonly end: number };

/** Elements whose content is not text for readers; it ends at their end tag and nowhere else. */
const UNREAD = new Set(['script', 'style', 'template', 'svg', 'noscript', 'iframe', 'object', 'math']);
/** Those that hide the rest of the page when they do not end. */
const RAW = new Set(['script', 'style']);
const MAX_NAME = 40;

const isLetter = (code: number): boolean => (code >= 65 && code <= 90) || (code >= 97 && code <= 122);

export function* htmlTokens(html: string): Generator<HtmlToken> {
  // Known from the start, so that looking for what is not there never reads the rest of the page again and again.
  const last: Lasts = {
    '>': html.lastIndexOf('>'),
    '"': html.lastIndexOf('"'),
    "'": html.lastIndexOf("'"),
    '-->': html.lastIndexOf('-->'),
  };
  const endless = new Set<string>();
  let from = 0;
  for (let at = html.indexOf('<'); at !== -1 && at < last['>']; at = html.indexOf('<', at)) {
    const tag = tagAt(html, at, last);
    if (tag === undefined) {
      at++;
      continue;
    }
    const { name, closes, end } = tag;
    if (at > from) yield { kind: 'text', start: from, end: at };
    if (name !== '') yield { kind: closes ? 'close' : 'open', name, start: at, end };
    at = end;
    if (!closes && UNREAD.has(name) && !endless.has(name)) {
      const closing = endOfUnread(html, name, end);
      if (closing === undefined) endless.add(name);
      at = closing ?? (RAW.has(name) ? html.length : end);
    }
    from = at;
  }
  if (from < html.length) yield { kind: 'text', start: from, end: html.length };
}

type Lasts = Readonly<Record<'>' | '"' | "'" | '-->', number>>;

interface Tag {
  /** Empty for comments, declarations and instructions. */
  readonly name: string;
  readonly closes: boolean;
  /** After it. */
  readonly end: number;
}

/** The tag at a "<" that has a ">" somewhere after it. */
function tagAt(html: string, at: number, last: Lasts): Tag | undefined {
  const next = html.charCodeAt(at + 1);
  if (html.startsWith('<!--', at)) {
    // A comment without an end hides no more than a tag would.
    const end = last['-->'] >= at + 4 ? html.indexOf('-->', at + 4) + 2 : html.indexOf('>', at);
    return { name: '', closes: false, end: end + 1 };
  }
  if (next === 33 || next === 63) return { name: '', closes: false, end: html.indexOf('>', at) + 1 };
  const closes = next === 47;
  const start = at + (closes ? 2 : 1);
  if (!isLetter(html.charCodeAt(start))) return undefined;
  const name = /^[^\s/>]*/.exec(html.slice(start, start + MAX_NAME))![0].toLowerCase();
  let assigned = false;
  for (let i = start + name.length; i <= last['>']; i++) {
    const char = html[i] as string;
    if (char === '>') return { name, closes, end: i + 1 };
    if (assigned && (char === '"' || char === "'") && last[char] > i) i = html.indexOf(char, i + 1);
    if (!/\s/.test(char)) assigned = char === '=';
  }
  return { name, closes, end: html.indexOf('>', start) + 1 };
}

function endOfUnread(html: string, name: string, from: number): number | undefined {
  const closing = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
  closing.lastIndex = from;
  return closing.exec(html)?.index;
}
