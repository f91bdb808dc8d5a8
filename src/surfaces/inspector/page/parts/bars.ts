/** Bars that show the factors of a score. */
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

/** Every number that decided the rank of a search result. */
export function factorBars({ score = null, factors }: Scored): HTMLElement | null {
  if (factors === null || factors === undefined) return null;
  const { relevance, coverage, similarity, semantic, context } = factors;
  const { recencyDecay, accessBoost, orderBoost = 1, authorBoost = 1 } = factors;
  return h(
    'div',
    { class: 'factors' },
    bar('score', score, {
      title: 'relevance × recency × access × order × author; results are sorted by it',
      kind: 'strong',
    }),
    bar('relevance', relevance, {
      title: 'how well it answers the question, from words, meaning and context',
      kind: 'strong',
    }),
    bar('words', coverage, { title: 'share of the distinctive words of the question that it contains' }),
    bar('cosine', similarity, { title: 'cosine similarity of question and memory; empty without vectors' }),
    bar('meaning', semantic, { title: 'the cosine similarity, calibrated for the embedding model' }),
    bar('context', context, { title: 'added by neighbouring entries of the same thread' }),
    multiplier('recency', recencyDecay, 'lower for older memories; 1 changes nothing'),
    multiplier('access', accessBoost, 'higher for memories that are opened often; 1 changes nothing'),
    multiplier('order', orderBoost, 'higher for instructions and preferences; 1 changes nothing'),
    multiplier(
      'author',
      authorBoost,
      'higher for the words of the user in questions about the user; 1 changes nothing',
    ),
  );
}
