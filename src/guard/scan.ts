/** Scans a text in several decoded forms and sums the weights of what it finds. */
import { atOnce, type Steps } from '../kernel/in-steps.ts';
import { isFlood } from './flooding.ts';
import { weighIntent } from './intent/weigh.ts';
import { hiddenTexts, spacedWords, unescaped } from './layers.ts';
import { normalise } from './normalise.ts';
import type { Reason } from './pattern.ts';
import { LEXICON, OWN_FORMATS, PHRASES, SHAPES } from './patterns/index.ts';
import { PhraseMatcher } from './phrases.ts';

export interface Finding {
  readonly name: string;
  readonly reason: Reason;
  readonly weight: number;
}

export interface Scan {
  /** Sum of the weights. */
  readonly score: number;
  readonly findings: readonly Finding[];
}

const matcher = new PhraseMatcher(PHRASES, LEXICON);

let anyShape: readonly RegExp[] | undefined;

/** All shapes as one: most texts have none, and are done with one look instead of dozens. */
function hasShape(text: string): boolean {
  // Made with the first text: most commands scan none.
  anyShape ??= [...Map.groupBy(SHAPES, ({ shape }) => shape.flags)].map(
    ([flags, shapes]) => new RegExp(shapes.map(({ shape }) => `(?:${shape.source})`).join('|'), flags),
  );
  return anyShape.some((shape) => shape.test(text));
}

/** Findings that come from how a text is written rather than from what it says. */
const SIGNALS = {
  tags: { name: 'tag-characters', reason: 'hidden-text', weight: 1 },
  invisible: { name: 'invisible-characters', reason: 'hidden-text', weight: 0.6 },
  reordering: { name: 'reordered-text', reason: 'hidden-text', weight: 0.6 },
  mixed: { name: 'borrowed-letters', reason: 'hidden-text', weight: 0.6 },
  hidden: { name: 'hidden-layer', reason: 'hidden-text', weight: 0.4 },
  layer: { name: 'encoded-text', reason: 'hidden-text', weight: 0.3 },
  flood: { name: 'repetition', reason: 'flooding', weight: 0.5 },
} as const satisfies Record<string, Finding>;

/** What the trained part finds; how much it weighs, it says itself. */
const ORDER = { name: 'reads-like-an-order', reason: 'order' } as const;

/** A typo or a name may hold one; a text that hides has several. */
const SEVERAL = 3;

/** Weak signs count together only where they stand together; else every long document would be refused. */
const WINDOW = 2_000;
const OVERLAP = 500;

export type Weigh = (window: string) => number;

/** `weigh` is the trained part; another one is given to measure it. */
export function scan(text: string, weigh?: Weigh): Scan {
  return atOnce(scanning(text, weigh));
}

/** The same in steps, for texts of megabytes. */
export function* scanning(text: string, weigh: Weigh = weighIntent): Steps<Scan> {
  const normal = normalise(text);
  yield text.length;
  const overall = new Map<string, Finding>();
  const add = (finding: Finding): void => {
    overall.set(finding.name, finding);
  };
  if (normal.tagged.length >= SEVERAL) {
    add(SIGNALS.tags);
    look(normalise(normal.tagged).text, add);
  }
  if (normal.invisible >= SEVERAL) add(SIGNALS.invisible);
  if (normal.reordering > 0) add(SIGNALS.reordering);
  if (normal.mixed >= SEVERAL) add(SIGNALS.mixed);
  if (isFlood(text)) add(SIGNALS.flood);
  for (const words of spacedWords(normal.text)) hidden(words, add);
  yield text.length;
  for (const layer of hiddenTexts(text)) {
    add(SIGNALS.layer);
    hidden(normalise(layer).text, add);
  }
  yield text.length;
  const plain = unescaped(text);
  let worst = total(overall);
  for (const whole of plain === undefined ? [normal.text] : [normal.text, normalise(plain).text]) {
    for (let start = 0; start === 0 || start + OVERLAP < whole.length; start += WINDOW - OVERLAP) {
      const findings = new Map(overall);
      const window = whole.slice(start, start + WINDOW);
      look(window, (finding) => findings.set(finding.name, finding));
      // What is refused from everybody needs no further reason.
      const weight = total(findings).score >= 1 ? 0 : weigh(window);
      if (weight > 0) findings.set(ORDER.name, { ...ORDER, weight });
      const here = total(findings);
      if (here.score > worst.score) worst = here;
      yield window.length;
    }
  }
  return worst;
}

/** Whether a text forges what Keepsake itself puts around memories, plainly or escaped. */
export function forgesOwnFormat(text: string): boolean {
  const plain = unescaped(text);
  const texts = [normalise(text).text, ...(plain === undefined ? [] : [normalise(plain).text])];
  return texts.some((each) => OWN_FORMATS.some(({ shape }) => shape.test(each)));
}

function total(findings: ReadonlyMap<string, Finding>): Scan {
  let score = 0;
  for (const { weight } of findings.values()) score += weight;
  return { score: Math.round(score * 100) / 100, findings: [...findings.values()] };
}

function look(text: string, add: (finding: Finding) => void): void {
  for (const { name, reason, weight } of matcher.find(text)) add({ name, reason, weight });
  if (!hasShape(text)) return;
  for (const { name, reason, weight, shape } of SHAPES) if (shape.test(text)) add({ name, reason, weight });
}

/** What was hidden counts as itself, and that it was hidden counts too. */
function hidden(text: string, add: (finding: Finding) => void): void {
  let any = false;
  const addHidden = (finding: Finding): void => {
    any = true;
    add(finding);
  };
  look(text, addHidden);
  for (const word of text.split(' ')) {
    for (const { name, reason, weight } of matcher.findInRun(word)) addHidden({ name, reason, weight });
  }
  if (any) add(SIGNALS.hidden);
}
