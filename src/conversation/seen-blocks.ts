/** What this process knows of MEMORY.md; whatever else stands in it was added by others and must not be summarised away. */
import type { ParsedBlock } from './formats/memory-md.ts';
import { type ConversationMessage, contentText } from './message.ts';
import { messageKey } from './start-up.ts';
import type { TranscriptView } from './transcript-file.ts';

type Said = { readonly role: string; readonly at: number; readonly text: string };

const said = (message: ConversationMessage): Said => ({ ...message, text: contentText(message.content) });

export class SeenBlocks {
  /** The last block of the file when it was read as a whole; everything before it was seen too. */
  #last: string | undefined;
  /** Blocks added since by this process. */
  #own = new Counts();

  /** The file was read. */
  see(view: TranscriptView): void {
    const last = view.blocks.at(-1);
    this.#last = last === undefined ? undefined : messageKey(last);
    this.#own = new Counts();
  }

  /** This process added a message. */
  add(message: Said): void {
    this.#own.add(messageKey(message));
  }

  /** The file begins anew with a summary; of what follows it, `kept` is this process's own. */
  begin(view: TranscriptView, summary: Said, kept: readonly ConversationMessage[]): void {
    if (view.blocks.length === kept.length + 1) {
      this.see(view);
      return;
    }
    this.#last = messageKey(summary);
    this.#own = new Counts();
    for (const message of kept) this.add(said(message));
  }

  /** The blocks that must outlive a compaction: those of others, and those that the caller keeps. */
  staying(view: TranscriptView, kept: readonly ConversationMessage[]): readonly ParsedBlock[] {
    const wanted = new Counts();
    for (const message of kept) wanted.add(messageKey(said(message)));
    const own = this.#own.copy();
    const staying: ParsedBlock[] = [];
    let seen = false;
    for (const block of view.blocks.toReversed()) {
      const key = messageKey(block);
      if (wanted.take(key)) {
        own.take(key);
        staying.push(block);
        continue;
      }
      if (own.take(key)) continue;
      seen ||= key === this.#last;
      if (!seen) staying.push(block);
    }
    return staying.reverse();
  }
}

/** How often each key was counted. */
class Counts {
  readonly #counts: Map<string, number>;

  constructor(counts: Map<string, number> = new Map()) {
    this.#counts = counts;
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

  copy(): Counts {
    return new Counts(new Map(this.#counts));
  }
}
