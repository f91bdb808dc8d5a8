/** The text of a refused write, with the words marked that the guard found. */
import type { Answer, QuarantineEntry } from '../api.ts';
import { call } from '../call.ts';
import { type Child, fill, h } from '../dom/elements.ts';
import { reasonName } from './reasons.ts';

type Match = Answer<'POST /v1/guard/scan'>['matches'][number];

/** Overlapping places become one, with all of their reasons. */
function joined(matches: readonly Match[]): { start: number; end: number; reasons: Set<string> }[] {
  const places: { start: number; end: number; reasons: Set<string> }[] = [];
  for (const { start, end, reason } of matches) {
    const last = places.at(-1);
    if (last !== undefined && start < last.end) {
      last.end = Math.max(last.end, end);
      last.reasons.add(reasonName(reason));
    } else places.push({ start, end, reasons: new Set([reasonName(reason)]) });
  }
  return places;
}

function marked(text: string, matches: readonly Match[]): Child {
  let at = 0;
  const parts: Child[] = [];
  for (const { start, end, reasons } of joined(matches)) {
    const title = [...reasons].join(', ');
    parts.push(text.slice(at, start), h('mark', { class: 'found', title }, text.slice(start, end)));
    at = end;
  }
  return [...parts, text.slice(at)];
}

/** Shown at once; the marks follow. */
export function refusedText({ content, origin }: QuarantineEntry): HTMLElement {
  if (content === null) return h('pre', { class: 'content' }, '(released; the text is now in its memory)');
  const element = h('pre', { class: 'content', dir: 'auto' }, content);
  const legend = h('p', { class: 'small', hidden: true }, 'The words that the guard found are marked.');
  call('POST /v1/guard/scan', { body: { text: content, origin } }).then(
    ({ matches }) => {
      if (matches.length === 0) return;
      fill(element, marked(content, matches));
      legend.hidden = false;
    },
    // Without marks the text is the same.
    () => {},
  );
  return h('div', null, element, legend);
}
