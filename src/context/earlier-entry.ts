/** Formats turns of an earlier thread for a prompt. */
import type { EarlierTurns } from '../conversation/index.ts';
import type { Candidate } from './choosing.ts';
import { inOneLine, type Neutralise, quoted } from './entry.ts';

export function earlierCandidate(
  exchange: EarlierTurns,
  neutralise: Neutralise,
): Candidate<EarlierTurns & { readonly id: string }> {
  const { thread, title, at, relevance, turns } = exchange;
  const id = turns[0]!.id;
  const render = (): string => {
    const name = title ?? thread;
    const day = new Date(at).toISOString().slice(0, 10);
    const place = name === null ? day : `${day} · ${inOneLine(name, neutralise)}`;
    const said = turns.map(
      ({ role, text }) => `  | ${inOneLine(role, neutralise)}: ${quoted(text, neutralise)}`,
    );
    return [`- [${place}]`, ...said].join('\n');
  };
  const content = turns.map(({ text }) => text).join('\n');
  return { item: { ...exchange, id }, key: id, content, render, relevance, always: false };
}
