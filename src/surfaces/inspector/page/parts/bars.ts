/** Bars that show the factors of a score: the three that explain most, and the others on request. */
import type { Factors } from '../api.ts';
import { h } from '../dom/elements.ts';
import { number } from '../dom/format.ts';

interface Meter {
  readonly name: string;
  readonly text: string;
  readonly title: string | undefined;
  /** The value and the largest one that there can be, for screen readers. */
  readonly now: number;
  readonly max: number;
}

function meter({ name, text, title, now, max }: Meter, frame: string, inner: HTMLElement): HTMLElement {
  return h(
    'div',
    { class: 'factor', title },
    h('span', { class: 'factor-name' }, name),
    h('span', { class: 'factor-value' }, text),
    h(
      'span',
      {
        class: frame,
        role: 'meter',
        'aria-label': name,
        'aria-valuemin': 0,
        'aria-valuemax': max,
        'aria-valuenow': now.toFixed(3),
      },
      inner,
    ),
  );
}

/** Set by script: the content security policy allows no style attributes. */
function part(kind: string, width: number): HTMLElement {
  const element = h('span', { class: `bar-part ${kind}` });
  element.style.width = `${width * 100}%`;
  return element;
}

interface BarOptions {
  /** From 0 to 1, where that is not the value itself. */
  readonly share?: number;
  readonly text?: string;
  readonly title?: string;
  readonly kind?: string;
}

/** A share from 0 to 1 as a bar, with its number beside it. */
export function bar(name: string, value: number | null, options: BarOptions = {}): HTMLElement {
  const { share = value, text = number(value), title, kind = '' } = options;
  const now = Math.min(1, Math.max(0, share ?? 0));
  return meter({ name, text, title, now, max: 1 }, 'bar', part(kind, now));
}

/** A multiplier: 1 changes nothing and is the middle, less extends to the left, more to the right. */
function multiplier(name: string, value: number, title: string): HTMLElement {
  const inner = part(value < 1 ? 'less' : 'more', Math.min(1, Math.abs(value - 1)) / 2);
  const about = { name, text: `× ${number(value)}`, title, now: Math.min(2, value), max: 2 };
  return meter(about, 'bar middle', inner);
}

interface Scored {
  readonly score?: number | null;
  readonly factors?: Factors | null;
}

/** How well it matches, by words and by meaning. */
export function factorBars({ factors }: Scored): HTMLElement | null {
  if (factors === null || factors === undefined) return null;
  const { relevance, coverage, semantic } = factors;
  return h(
    'div',
    { class: 'factors' },
    bar('relevance', relevance, {
      title: 'how well it answers the question, from words, meaning and context',
      kind: 'strong',
    }),
    bar('words', coverage, { title: 'share of the distinctive words of the question that it contains' }),
    bar('meaning', semantic, { title: 'how close it is in meaning, calibrated for the embedding model' }),
  );
}

/** The other numbers that decided the rank of a search result. */
export function otherFactors({ score = null, factors }: Scored): HTMLElement | null {
  if (factors === null || factors === undefined) return null;
  const { similarity, context, recencyDecay, accessBoost, orderBoost = 1, authorBoost = 1 } = factors;
  const { openingBoost = 1, speechBoost = 1, earlierDecay = 1, tokenBoost = 1 } = factors;
  const bars = h(
    'div',
    { class: 'factors' },
    bar('score', score, {
      title: 'relevance multiplied by the last seven; results are sorted by it',
      kind: 'strong',
    }),
    bar('vector similarity', similarity, {
      title: 'cosine similarity of question and memory; empty without vectors',
    }),
    bar('context', context, { title: 'added by neighbouring entries of the same thread' }),
    multiplier('recency', recencyDecay, 'lower for older memories; 1 changes nothing'),
    multiplier('opened often', accessBoost, 'higher for memories that are opened often; 1 changes nothing'),
    multiplier('instruction', orderBoost, 'higher for instructions and preferences; 1 changes nothing'),
    multiplier(
      "user's words",
      authorBoost,
      'higher for the words of the user in questions about the user; 1 changes nothing',
    ),
    multiplier('opening', openingBoost, 'higher when the first lines answer better than those of others'),
    multiplier('speech', speechBoost, 'higher for lines of a conversation that are likely to tell something'),
    multiplier(
      'tokens',
      tokenBoost,
      'higher for what matches the question token by token, with late interaction',
    ),
    multiplier('said again', earlierDecay, 'lower when a later memory says nearly the same'),
  );
  return h('details', { class: 'more-factors' }, h('summary', { class: 'small' }, 'All numbers'), bars);
}
