/** A session of the OpenAI Agents SDK on Keepsake: items word for word, transactions that are repeated safely, compaction. */
import {
  type AgentInputItem,
  applySessionHistoryMutations,
  type Session,
  type SessionHistoryRewriteArgs,
  type SessionHistoryTransactionArgs,
  UserError,
} from '@openai/agents-core';
import { KeepsakeError } from '../../kernel/errors.ts';
import { checkOptions, OWNER_OPTIONS, TROUBLE_OPTIONS } from '../common/check-options.ts';
import { memoryOf } from '../common/memory-of.ts';
import type { AdapterOptions } from '../common/options.ts';
import { allItems, type Items, type StoredItem, untilDone } from '../common/pages.ts';
import { Trouble } from '../common/trouble.ts';
import { decode, encode, isSame } from './codec.ts';

export interface CompactionSettings {
  /** How many items a session may have before its older part is summarised. */
  readonly above: number;
  /** How many of the newest items stay as they are, at least. Default: half of `above`. */
  readonly keep?: number | undefined;
  /** Makes the summary that takes the place of the older items. */
  readonly summarize: (older: readonly AgentInputItem[]) => Promise<string>;
}

export interface KeepsakeSessionOptions extends AdapterOptions {
  /** The id of the session. Default: `thread`, else a new one. */
  readonly sessionId?: string | undefined;
  /** Default: nothing is summarised. */
  readonly compaction?: CompactionSettings | undefined;
}

type Write = Parameters<Items['write']>[0][number];
type Entry = StoredItem;

const ROOT = 'openai-agents';
const SUMMARY = 'Summary of the earlier part of this conversation:';

export class KeepsakeSession implements Session {
  readonly #id: string;
  readonly #items: Items;
  readonly #compaction: CompactionSettings | undefined;
  readonly #trouble: Trouble;
  /** The history as this object last knew it, for the time in which memory fails. */
  #known: AgentInputItem[] = [];

  constructor(options: KeepsakeSessionOptions = {}) {
    const own = { thread: true, sessionId: true, compaction: true } as const;
    checkOptions('KeepsakeSession', options, { ...OWNER_OPTIONS, ...TROUBLE_OPTIONS, ...own });
    const { sessionId, thread, compaction, ...whose } = options;
    this.#trouble = new Trouble('keepsake/openai-agents', options);
    this.#id = sessionId ?? thread ?? crypto.randomUUID();
    this.#items = memoryOf(whose).items;
    this.#compaction = compaction;
  }

  async getSessionId(): Promise<string> {
    return this.#id;
  }

  async getItems(limit?: number): Promise<AgentInputItem[]> {
    const stored = await this.#trouble.read(async () => {
      const { waiting } = await this.#trouble.settled();
      if (waiting > 0) throw new KeepsakeError('UNAVAILABLE', 'Earlier items are not stored yet.');
      return (await this.#entries(limit)).map(toItem);
    });
    if (stored === undefined) {
      return structuredClone(limit === undefined ? this.#known : limit > 0 ? this.#known.slice(-limit) : []);
    }
    if (limit === undefined || stored.length > this.#known.length) this.#known = structuredClone(stored);
    return stored;
  }

  async addItems(items: AgentInputItem[]): Promise<void> {
    if (items.length === 0) return;
    this.#known.push(...structuredClone(items));
    // Made once: a second try writes the same keys.
    const writes = this.#appends(items);
    await this.#trouble.write(() => this.#items.write(writes));
  }

  async popItem(): Promise<AgentInputItem | undefined> {
    this.#known.pop();
    return untilDone(async () => {
      const [last] = await this.#entries(1);
      if (last === undefined) return undefined;
      await this.#items.write([removal(last)]);
      return toItem(last);
    });
  }

  async clearSession(): Promise<void> {
    this.#known = [];
    await this.#items.write([{ op: 'clear', namespace: [ROOT, this.#id] }]);
  }

  /** Atomic, and done once however often it is repeated. */
  async applyHistoryTransaction({ operationId, transaction }: SessionHistoryTransactionArgs): Promise<void> {
    if (typeof operationId !== 'string' || operationId.trim() === '') {
      throw new UserError('Session history transaction operationId must be a non-empty string.');
    }
    this.#known.splice(
      this.#known.length - (transaction.type === 'append_items' ? 0 : transaction.expectedSuffix.length),
      Number.POSITIVE_INFINITY,
      ...structuredClone(transaction.type === 'append_items' ? transaction.items : transaction.replacement),
    );
    let refusal: UserError | undefined;
    await this.#trouble.write(async () => {
      try {
        await this.#applyOnce(operationId, transaction);
      } catch (error) {
        // A precondition that does not hold is for the program to know, and never holds later.
        if (!(error instanceof UserError)) throw error;
        refusal = error;
      }
    });
    if (refusal !== undefined) throw refusal;
  }

  async #applyOnce(
    operationId: string,
    transaction: SessionHistoryTransactionArgs['transaction'],
  ): Promise<void> {
    const done = { namespace: [ROOT, this.#id, 'operations'], key: operationId };
    const mark: Write = { op: 'put', ...done, value: encode(transaction), ifRevision: null };
    await untilDone(async () => {
      const [known] = await this.#items.get(done.namespace, [operationId]);
      if (known !== undefined) {
        if (isSame(known.value, encode(transaction))) return;
        throw new UserError('Session history operation was already applied with a different transaction.');
      }
      if (transaction.type === 'append_items') {
        await this.#items.write([mark, ...this.#appends(transaction.items)]);
        return;
      }
      const { expectedSuffix, replacement } = transaction;
      const [state, suffix] = [await this.#state(), await this.#entries(expectedSuffix.length)];
      const isExpected =
        suffix.length === expectedSuffix.length &&
        suffix.every(({ value }, i) => isSame(value, encode(expectedSuffix[i])));
      if (!isExpected) {
        throw new UserError('Session history suffix no longer matches the transaction precondition.');
      }
      await this.#items.write([mark, state, ...suffix.map(removal), ...this.#puts(replacement)]);
    });
  }

  async applyHistoryMutations({ mutations }: SessionHistoryRewriteArgs): Promise<void> {
    if (mutations.length === 0) return;
    await this.#rewrite(async (items) => applySessionHistoryMutations(items, mutations));
  }

  async replaceHistoryWithCompaction(items: AgentInputItem[]): Promise<void> {
    await this.#rewrite(async () => items);
  }

  /** Summarises the older part if there are too many items, or if `force` says so. Tool calls stay with their results. */
  async runCompaction({ force = false }: { force?: boolean } = {}): Promise<null> {
    const settings = this.#compaction;
    if (settings === undefined) return null;
    const { above, keep = Math.floor(above / 2), summarize } = settings;
    const compacted = this.#rewrite(async (items) => {
      if (items.length <= above && !force) return items;
      const cut = turnBefore(items, items.length - keep);
      if (cut === 0) return items;
      const text = (await summarize(items.slice(0, cut))).trim();
      // An empty summary never replaces history.
      if (text === '') return items;
      return [{ type: 'message', role: 'system', content: `${SUMMARY}\n${text}` }, ...items.slice(cut)];
    });
    await this.#trouble.attempt(() => compacted);
    return null;
  }

  /** Replaces the history by what is made of it; whoever was faster makes it start again. */
  async #rewrite(change: (items: AgentInputItem[]) => Promise<AgentInputItem[]>): Promise<void> {
    await untilDone(async () => {
      const state = await this.#state();
      const entries = await this.#entries();
      const next = await change(entries.map(toItem));
      const kept = entries.findIndex(({ value }, i) => i >= next.length || !isSame(value, encode(next[i])));
      const from = kept === -1 ? entries.length : kept;
      this.#known = structuredClone(next);
      if (from === entries.length && next.length === from) return;
      await this.#items.write([state, ...entries.slice(from).map(removal), ...this.#puts(next.slice(from))]);
    });
  }

  /** The newest ones, oldest first. */
  async #entries(limit?: number): Promise<Entry[]> {
    if (limit === undefined) return allItems(this.#items, this.#place);
    const found: Entry[] = [];
    for (let left = limit; left > 0; ) {
      const before = found.at(-1)?.seq;
      const size = Math.min(left, 1_000);
      const query = { namespace: this.#place, exact: true, newest: true, limit: size };
      const page = await this.#items.list({ ...query, ...(before !== undefined && { before }) });
      found.push(...page);
      if (page.length < size) break;
      left -= page.length;
    }
    return found.reverse();
  }

  /** A write that fails if anybody appended or rewrote since it was made. */
  async #state(): Promise<Write> {
    const name = { namespace: [ROOT, this.#id, 'state'], key: 'state' };
    const [state] = await this.#items.get(name.namespace, [name.key]);
    return { op: 'put', ...name, value: true, ifRevision: state?.revision ?? null };
  }

  #appends(items: readonly AgentInputItem[]): Write[] {
    const name = { namespace: [ROOT, this.#id, 'state'], key: 'state' };
    return [{ op: 'put', ...name, value: true }, ...this.#puts(items)];
  }

  #puts(items: readonly AgentInputItem[]): Write[] {
    return items.map((item) => ({
      ...({ op: 'put', namespace: this.#place, key: crypto.randomUUID() } as const),
      value: encode(item),
    }));
  }

  get #place(): string[] {
    return [ROOT, this.#id, 'items'];
  }
}

const toItem = ({ value }: Entry): AgentInputItem => decode(value) as AgentInputItem;

const removal = ({ namespace, key, revision }: Entry): Write => ({
  ...({ op: 'remove', key, ifRevision: revision } as const),
  namespace: [...namespace],
});

/** The last place at or before `wanted` where a turn of the user begins. */
function turnBefore(items: readonly AgentInputItem[], wanted: number): number {
  for (let i = Math.min(wanted, items.length - 1); i > 0; i--) {
    if ((items[i] as { role?: string }).role === 'user') return i;
  }
  return 0;
}
