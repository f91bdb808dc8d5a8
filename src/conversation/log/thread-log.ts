/** One thread in the log: what it holds, what this process knows of it, and where its view begins. */
import { KeepsakeError } from '../../kernel/errors.ts';
import type { LogMessage, LogStore, MessageDraft } from '../../ports/log-store.ts';
import type { ParsedBlock } from '../formats/memory-md.ts';
import { countPaired, keyOfLogged, messageKey } from '../memory-md/block-messages.ts';
import { type ConversationMessage, isSummary } from '../messages/message.ts';
import { fromLog } from '../messages/message-draft.ts';
import { lookBack } from '../window/start-up.ts';

/** How far into a view its summary is looked for: it follows the messages that a compaction kept. */
const SUMMARY_WITHIN = 500;
const PAGE = 500;
/** Blocks that are older than this many pages are read without what the log could add to them. */
const MOST_PAGES = 10;

export class ThreadLog {
  readonly #log: LogStore;
  readonly #place: { readonly agent: string; readonly thread: string };
  readonly #limit: number;
  /** The newest message when this process looked; whatever follows is its own or was never seen. */
  #horizon = 0;
  readonly #own = new Set<number>();

  constructor(
    log: LogStore,
    place: { readonly agent: string; readonly thread: string },
    historyLimit: number,
  ) {
    this.#log = log;
    this.#place = place;
    this.#limit = lookBack(historyLimit);
  }

  /** The end of the view, with the summary at its beginning. */
  async open(): Promise<readonly LogMessage[]> {
    const boundary = await this.#log.boundary(this.#place.agent, this.#place.thread);
    const newest = await this.#newest(this.#limit, { after: boundary });
    this.#horizon = newest.at(-1)?.seq ?? boundary;
    if (boundary === 0 || newest.length < this.#limit) return newest;
    const first = await this.#log.read({ ...this.#place, after: boundary, limit: SUMMARY_WITHIN });
    const known = new Set(newest.map(({ seq }) => seq));
    const summaries = first.filter((message) => isSummary(fromLog(message)) && !known.has(message.seq));
    return [...summaries, ...newest];
  }

  /** Everything that was said, or what is in view since the last compaction. */
  async all({ inView }: { readonly inView: boolean }): Promise<readonly LogMessage[]> {
    const { agent, thread } = this.#place;
    const found: LogMessage[] = [];
    for (let after = inView ? await this.#log.boundary(agent, thread) : 0; ; after = found.at(-1)!.seq) {
      const page = await this.#log.read({ ...this.#place, after, limit: PAGE });
      found.push(...page);
      if (page.length < PAGE) return found;
    }
  }

  /** The messages that the last of these blocks come from, as far as the log knows them. */
  async openFor(blocks: readonly ParsedBlock[]): Promise<readonly LogMessage[]> {
    const wanted = blocks.slice(-this.#limit);
    const oldest = wanted.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY);
    const found: LogMessage[] = [];
    let before = {};
    for (let pages = 1; ; pages++) {
      const page = await this.#newest(found.length === 0 ? this.#limit : PAGE, before);
      if (found.length === 0) this.#horizon = page.at(-1)?.seq ?? 0;
      found.unshift(...page);
      const [first] = page;
      // A restored archive is older than the newest messages, so one page may not be enough.
      const isDone = first === undefined || first.at < oldest || pages === MOST_PAGES;
      if (isDone || countPaired(wanted, found) === wanted.length) return found;
      before = { before: first.seq };
    }
  }

  /** What other processes added since this one last looked. */
  async news(): Promise<readonly LogMessage[]> {
    const found: LogMessage[] = [];
    for (;;) {
      const page = await this.#log.read({ ...this.#place, after: this.#horizon, limit: PAGE });
      found.push(...page.filter(({ seq }) => !this.#own.has(seq)));
      this.#horizon = page.at(-1)?.seq ?? this.#horizon;
      if (page.length < PAGE) return found;
    }
  }

  async append(drafts: readonly MessageDraft[], boundary?: number): Promise<readonly number[]> {
    const view = boundary === undefined ? {} : { boundary: { ...this.#place, seq: boundary } };
    return this.own(await this.#log.append(drafts, view));
  }

  /** These were added by this process. */
  own(messages: readonly LogMessage[]): readonly number[] {
    const seqs = messages.map(({ seq }) => seq);
    for (const seq of seqs) this.#own.add(seq);
    return seqs;
  }

  async find(id: string): Promise<ConversationMessage | undefined> {
    const message = await this.#log.get(id);
    if (message === null || message.deletedAt !== null) return undefined;
    const { agent, thread } = this.#place;
    return message.agent === agent && message.thread === thread ? fromLog(message) : undefined;
  }

  async newest(): Promise<number> {
    return (await this.#newest(1, { includeDeleted: true }))[0]?.seq ?? 0;
  }

  /** The greatest boundary that hides neither what is kept nor what others added and this process never saw. */
  async boundaryBefore(kept: readonly ConversationMessage[]): Promise<number> {
    const newest = await this.newest();
    const first = Math.min(...(await this.#unseen()), newest + 1);
    const firstKept = kept.reduce((least, { seq }) => Math.min(least, seq ?? least), first);
    const { agent, thread } = this.#place;
    return Math.max(await this.#log.boundary(agent, thread), firstKept - 1);
  }

  /** The boundary from which the last of these blocks are in view again; null when the log knows none of them. */
  async boundaryShowing(blocks: readonly ParsedBlock[]): Promise<number | null> {
    const shown = new Set(blocks.map(messageKey));
    const seqs = (await this.openFor(blocks)).flatMap((message) =>
      shown.has(keyOfLogged(message)) ? message.seq : [],
    );
    if (seqs.length === 0) return null;
    const { agent, thread } = this.#place;
    const first = seqs.reduce((least, seq) => Math.min(least, seq));
    return Math.min(await this.#log.boundary(agent, thread), first - 1);
  }

  /** The first message that another process added; empty when there is none. */
  async #unseen(): Promise<readonly number[]> {
    for (let after = this.#horizon; ; ) {
      const page = await this.#log.read({ ...this.#place, after, limit: PAGE });
      const other = page.find(({ seq }) => !this.#own.has(seq));
      if (other !== undefined) return [other.seq];
      const last = page.at(-1);
      if (last === undefined) return [];
      after = last.seq;
    }
  }

  #newest(
    limit: number,
    more: { readonly after?: number; readonly before?: number; readonly includeDeleted?: boolean },
  ): Promise<readonly LogMessage[]> {
    return this.#log.read({ ...this.#place, ...more, newest: true, limit });
  }
}

/** Finds the place of a message that a caller names. */
export async function seqOf(
  log: LogStore,
  { agent, thread }: { readonly agent: string; readonly thread: string },
  id: string,
): Promise<number> {
  const message = await log.get(id);
  if (message !== null && message.agent === agent && message.thread === thread) return message.seq;
  throw new KeepsakeError('NOT_FOUND', `There is no message ${id} in the log of ${agent}.`, {
    hint: 'Leave "before" out to begin with the newest.',
  });
}
