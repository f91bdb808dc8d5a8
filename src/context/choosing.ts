/** Chooses the entries of a slot: relevant, not a duplicate, complete, and within the budget. */
import type { DropReason } from './receipt.ts';
import type { SaidAlready } from './said-already.ts';

export interface Candidate<T> {
  readonly item: T;
  /** What tells it from others; one that was shown in another slot is not shown again. */
  readonly key: string;
  /** Compared with what the prompt says already. */
  readonly content: string;
  /** The entry as it would be shown. Asked only when there may be room for it. */
  readonly render: () => string;
  /** Null for what holds whatever the task is. */
  readonly relevance: number | null;
  /** Shown although the conversation says it too: it holds always, and a conversation moves on. */
  readonly always: boolean;
}

export interface Limits {
  readonly characters: number;
  readonly minRelevance: number;
}

export interface Chosen<T> {
  readonly item: T;
  readonly text: string;
}

export interface Choice<T> {
  readonly chosen: readonly Chosen<T>[];
  readonly dropped: readonly { readonly candidate: Candidate<T>; readonly reason: DropReason }[];
}

/** In order; a shorter entry may still fit where a longer one did not. No entry and no character is ever cut. */
export function choose<T>(
  candidates: readonly Candidate<T>[],
  { characters, minRelevance }: Limits,
  shown: Set<string>,
  said: SaidAlready,
): Choice<T> {
  const chosen: Chosen<T>[] = [];
  const dropped: { candidate: Candidate<T>; reason: DropReason }[] = [];
  let left = characters;
  for (const candidate of candidates) {
    const { item, key, content, relevance, always, render } = candidate;
    const drop = (reason: DropReason) => dropped.push({ candidate, reason });
    if (relevance !== null && relevance < minRelevance) drop('threshold');
    else if (shown.has(key) || (!always && said.says(content))) drop('duplicate');
    else if (content.length > left) drop('budget');
    else {
      const text = render();
      // The line feed that parts it from the one before counts too.
      const cost = text.length + (chosen.length === 0 ? 0 : 1);
      if (cost > left) {
        drop('budget');
        continue;
      }
      chosen.push({ item, text });
      shown.add(key);
      said.add(content);
      left -= cost;
    }
  }
  return { chosen, dropped };
}
