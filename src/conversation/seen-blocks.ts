/** What this process knows of MEMORY.md; whatever else stands in it was added by others and must not be summarised away. */
import type { ParsedBlock } from './formats/memory-md.ts';
import { type ConversationMessage, contentText } from './message.ts';
import { messageKey } from './start-up.ts';
import type { TranscriptView } from './transcript-view.ts';

type Said = { readonly role: string; readonly at: number; readonly text: string };

/** A message as a block says it. */
export const said = ({ role, at, content }: ConversationMessage): Said => ({
  role,
  at,
  text: contentText(content),
});

export class SeenBlocks {
  /** Compared only when something is compacted or changed, so that starting and adding cost nothing. */
  #known: Said[] = [];
  #conversationId: string | undefined;
  /** Whether the beginning of that file was left out at the start. */
  #skipped = false;

  /** The file was read. */
  see({ blocks, conversationId, skippedBytes }: TranscriptView): void {
    this.#known = [...blocks];
    this.#conversationId = conversationId;
    this.#skipped = skippedBytes > 0;
  }

  /** The file begins anew with these messages; of whatever else it holds, this process knows nothing. */
  begin(conversationId: string | undefined, own: readonly ConversationMessage[]): void {
    this.#known = own.map(said);
    this.#conversationId = conversationId;
    this.#skipped = false;
  }

  /** This process wrote a message. */
  add({ role, at, text }: Said): void {
    this.#known.push({ role, at, text });
  }

  /** This process took a message out. */
  remove(message: Said): void {
    const index = this.#indexOf(message);
    if (index >= 0) this.#known.splice(index, 1);
  }

  knows(message: Said): boolean {
    return this.#indexOf(message) >= 0;
  }

  /** The blocks that must outlive a compaction: those of others, and those that the caller keeps. */
  staying(view: TranscriptView, kept: readonly ConversationMessage[]): readonly ParsedBlock[] {
    const wanted = new Counts(kept.map(said).map(messageKey));
    const known = new Counts(this.#known.map(messageKey));
    const stays = new Set<ParsedBlock>();
    const unknown: { readonly block: ParsedBlock; readonly index: number }[] = [];
    let firstKnown = Number.POSITIVE_INFINITY;
    // From the newest on, because of two blocks that say the same the newer one is this process's own.
    for (let index = view.blocks.length - 1; index >= 0; index--) {
      const block = view.blocks[index]!;
      const key = messageKey(block);
      const isKnown = known.take(key);
      if (wanted.take(key)) stays.add(block);
      else if (!isKnown) unknown.push({ block, index });
      // The block at the head may be a summary that was read although what follows it was left out.
      if (isKnown && index > 0) firstKnown = index;
    }
    const isOld = ({ index }: { readonly index: number }) =>
      this.#skipped && view.conversationId === this.#conversationId && index < firstKnown;
    for (const entry of unknown) if (!isOld(entry)) stays.add(entry.block);
    return view.blocks.filter((block) => stays.has(block));
  }

  #indexOf(message: Said): number {
    const key = messageKey(message);
    return this.#known.findLastIndex((known) => messageKey(known) === key);
  }
}

/** How often each key was counted. */
class Counts {
  readonly #counts = new Map<string, number>();

  constructor(keys: Iterable<string> = []) {
    for (const key of keys) this.add(key);
  }

  add(key: string): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** Takes one away; false when there is none. */
  take(key: string): boolean {
    const count = this.#counts.get(key) ?? 0;
    if (count === 0) return false;
    if (count === 1) this.#counts.delete(key);
    else this.#counts.set(key, count - 1);
    return true;
  }
}
