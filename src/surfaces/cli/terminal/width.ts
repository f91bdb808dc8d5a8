/** How many columns a text takes on a terminal: two for East Asian wide characters and emoji, none for marks. */

const PLAIN = /^[\x20-\x7e]*$/;
/** Not \p{RGI_Emoji}, which says the same of whole graphemes and takes 70 ms to compile. */
const EMOJI = /^\p{Emoji_Presentation}|^\p{Emoji}\ufe0f/u;
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]$/u;
/** Unicode's East_Asian_Width W and F without the emoji, which the pattern above knows; JavaScript has no property for it. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18dff],
  [0x1aff0, 0x1b2ff],
  [0x1f200, 0x1f2ff],
  [0x20000, 0x3fffd],
];
/** Trigrams of the Yijing lie among the ideographs and are narrow. */
const NARROW_INSIDE: readonly [number, number] = [0x4dc0, 0x4dff];

const within = (code: number, [first, last]: readonly [number, number]): boolean =>
  code >= first && code <= last;

let segmenter: Intl.Segmenter | undefined;

/** Characters as a reader counts them, one at a time: cutting between two of them never splits an emoji or an accent. */
export function* graphemes(text: string): Generator<string> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  for (const { segment } of segmenter.segment(text)) yield segment;
}

export function graphemeWidth(grapheme: string): number {
  if (EMOJI.test(grapheme)) return 2;
  const [base = ''] = grapheme;
  if (NO_WIDTH.test(base)) return 0;
  const code = base.codePointAt(0) ?? 0;
  if (code < WIDE[0]![0] || within(code, NARROW_INSIDE)) return 1;
  return WIDE.some((range) => within(code, range)) ? 2 : 1;
}

export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const grapheme of graphemes(text)) width += graphemeWidth(grapheme);
  return width;
}

/** The text cut to a width, with "…" as its last column when something was cut. Looks no further than it must. */
export function truncate(text: string, width: number): string {
  // No text has more columns than twice its length.
  if (text.length * 2 <= width) return text;
  if (width <= 0) return '';
  let used = 0;
  let kept = 0;
  let position = 0;
  for (const grapheme of graphemes(text)) {
    used += graphemeWidth(grapheme);
    position += grapheme.length;
    if (used < width) kept = position;
    if (used > width) return `${text.slice(0, kept).trimEnd()}…`;
  }
  return text;
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - displayWidth(text))) + text;
}
