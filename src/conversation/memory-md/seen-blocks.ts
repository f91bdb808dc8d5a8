/** Tracks the blocks of MEMORY.md that this process wrote; a compaction must keep all others. */
import type { ParsedBlock } from '../formats/memory-md.ts';
import { type ConversationMessage, contentText } from '../messages/message.ts';
import { messageKey } from './block-messages.ts';
import type { MemoryFileView } from './memory-file-view.ts';

type BlockContent = { readonly role: string; readonly at: number; readonly text: string };

/** A block that a person changed, or took out: then `after` is null. */
export interface HandEdit {
  readonly before: BlockContent;
  readonly after: string | null;
}

/** Both headings say the same: who spoke, and in which second. */
const isSameHeading = (a: BlockContent, b: BlockContent): boolean =>
  a.role === b.role && Math.floor(a.at / 1000) === Math.floor(b.at / 1000);

const contentOf = ({ role, at, text }: BlockContent): BlockContent => ({ role, at, text });

/** A message as a block says it. */
export const asBlock = ({ role, at, content }: ConversationMessage): BlockContent => ({
  role,
  at,
  text: contentText(content),
});

export class SeenBlocks {
  /** What was loaded, and what this process wrote since. Compared only when needed, so that adding costs nothing. */
  #loaded: BlockContent[] = [];
  #own: BlockContent[] = [];
  #conversationId: string | undefined;
  /** Size of the file when a part of it was left out at the start; 0 when it was loaded as a whole. */
  #sizeAtStart = 0;

  /** The file was read. */
  see({ blocks, conversationId, skippedBytes, size }: MemoryFileView): void {
    this.#loaded = [...blocks];
    this.#own = [];
    this.#conversationId = conversationId;
    this.#sizeAtStart = skippedBytes > 0 ? size : 0;
  }

  /** The file was replaced by one with these messages; whatever else it holds is unknown to this process. */
  begin(conversationId: string | undefined, own: readonly ConversationMessage[]): void {
    this.#loaded = [];
    this.#own = own.map(asBlock);
    this.#conversationId = conversationId;
    this.#sizeAtStart = 0;
  }

  /** This process wrote a message. */
  add({ role, at, text }: BlockContent): void {
    this.#own.push({ role, at, text });
  }

  /** This process took a message out. */
  remove(message: BlockContent): void {
    const key = messageKey(message);
    for (const list of [this.#own, this.#loaded]) {
      const index = list.findLastIndex((known) => messageKey(known) === key);
      if (index >= 0) {
        list.splice(index, 1);
        return;
      }
    }
  }

  knows(message: BlockContent): boolean {
    const key = messageKey(message);
    return [...this.#own, ...this.#loaded].some((known) => messageKey(known) === key);
  }

  /** What a person took out of the file, or changed in it, of what this process knows. */
  editsIn({ blocks, conversationId }: MemoryFileView): readonly HandEdit[] {
    // Another process compacted the conversation: then blocks are missing because of that.
    if (conversationId !== undefined && conversationId !== this.#conversationId) return [];
    const known = [...this.#loaded, ...this.#own];
    const seen = countsOf(known);
    const present = countsOf(blocks);
    const fresh = new Set(blocks.filter((block) => !seen.take(messageKey(block))));
    const edits: HandEdit[] = [];
    let next = 0;
    for (const before of known) {
      const key = messageKey(before);
      if (present.take(key)) {
        const place = blocks.findIndex((block, i) => i >= next && messageKey(block) === key);
        if (place !== -1) next = place + 1;
        continue;
      }
      // A new block under the same heading, in the place of the one that is missing, is that one, changed.
      let place = next;
      while (place < blocks.length && fresh.has(blocks[place]!) && !isSameHeading(blocks[place]!, before))
        place++;
      const after = blocks[place];
      const isChanged = after !== undefined && fresh.has(after);
      if (isChanged) next = place + 1;
      edits.push({ before: contentOf(before), after: isChanged ? after.text : null });
    }
    return edits;
  }

  /** The history follows the file. */
  follow(edits: readonly HandEdit[]): void {
    for (const { before, after } of edits) {
      this.remove(before);
      if (after !== null) this.#loaded.push({ ...before, text: after });
    }
  }

  /** The blocks that must outlive a compaction: those of others, and those that the caller keeps. */
  staying(view: MemoryFileView, kept: readonly ConversationMessage[]): readonly ParsedBlock[] {
    const wanted = countsOf(kept.map(asBlock));
    const own = countsOf(this.#own);
    const loaded = countsOf(this.#loaded);
    const stays = new Set<ParsedBlock>();
    const unknown: number[] = [];
    let firstLoaded: number | undefined;
    // From the newest on, because of two blocks that say the same the newer one is this process's own.
    for (let index = view.blocks.length - 1; index >= 0; index--) {
      const block = view.blocks[index]!;
      const key = messageKey(block);
      const isOwn = own.take(key);
      const isLoaded = !isOwn && loaded.take(key);
      if (wanted.take(key)) stays.add(block);
      else if (!isOwn && !isLoaded) unknown.push(index);
      // The block at the head may be a summary that was loaded although what follows it was left out.
      if (isLoaded && index > 0) firstLoaded = index;
    }
    const begin = this.#beginOfNew(view, firstLoaded);
    for (const index of unknown) if (index >= begin) stays.add(view.blocks[index]!);
    return view.blocks.filter((block) => stays.has(block));
  }

  /** Blocks before this one were there when the conversation was opened, although not all of them were loaded. */
  #beginOfNew({ conversationId, source, blocks }: MemoryFileView, firstLoaded: number | undefined): number {
    if (this.#sizeAtStart === 0 || conversationId !== this.#conversationId) return 0;
    if (firstLoaded !== undefined) return firstLoaded;
    // None was short enough to be loaded: then their place in the file decides.
    let end = 0;
    let bytes = 0;
    const begin = blocks.findIndex(({ raw }) => {
      bytes += Buffer.byteLength(source.slice(end, raw.start));
      end = raw.start;
      return bytes >= this.#sizeAtStart;
    });
    return begin === -1 ? blocks.length : begin;
  }
}

const countsOf = (messages: readonly BlockContent[]): Counts => new Counts(messages.map(messageKey));

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
