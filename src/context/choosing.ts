/** Which entries go into a slot: relevant enough, not said already, whole, and within the budget. */
import type { DropReason } from './receipt.ts';
import type { SaidAlready } from './said-already.ts';

export interface Candidate<T> {
  readonly item: T;
  /** What tells it from others; one that was shown in another slot is not shown again. */
  readonly key: string;
  /** Compared with what the prompt says already. */
  readonly content: string;
  /** The entry as it would be shown. */
  readonly text: string;
  /** Null for what holds whatever the task is. */
  readonly relevance: number | null;
  /** Shown although the conversation says it too: it holds always, and a conversation moves on. */
  readonly always: boolean;
}

export interface Limits {
  readonly characters: number;
  readonly minRelevance: number;
}

export interface Choice<T> {
  readonly chosen: readonly Candidate<T>[];
  readonly dropped: readonly { readonly candidate: Candidate<T>; readonly reason: DropReason }[];
}

/** In order; a shorter entry may still fit where a longer one did not. No entry and no character is ever cut. */
export function choose<T>(
  candidates: readonly Candidate<T>[],
  { characters, minRelevance }: Limits,
  shown: Set<string>,
  said: SaidAlready,
): Choice<T> {
  const chosen: Candidate<T>[] = [];
  const dropped: { candidate: Candidate<T>; reason: DropReason }[] = [];
  let left = characters;
  for (const candidate of candidates) {
    // The line feed that parts it from the one before counts too.
    const cost = candidate.text.length + (chosen.length === 0 ? 0 : 1);
    const isRepeated = shown.has(candidate.key) || (!candidate.always && said.says(candidate.content));
    const reason = isRepeated
      ? 'duplicate'
      : candidate.relevance !== null && candidate.relevance < minRelevance
        ? 'threshold'
        : cost > left
          ? 'budget'
          : undefined;
    if (reason !== undefined) {
      dropped.push({ candidate, reason });
      continue;
    }
    chosen.push(candidate);
    shown.add(candidate.key);
    said.add(candidate.content);
    left -= cost;
  }
  return { chosen, dropped };
}
