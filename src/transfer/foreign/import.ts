/** Imports the memory of another system through the normal write pipeline. */

import type { Config, Environment } from '../../config/index.ts';
import { archiveThread, type ConversationService } from '../../conversation/index.ts';
import { type Caller, speakerOf } from '../../kernel/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import { defined } from '../../kernel/defined.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import type { EventHub } from '../../kernel/events.ts';
import { FACT_SOURCES, isCapped } from '../../kernel/record.ts';
import { conversationOf, threadKey } from '../../kernel/threads.ts';
import { MAX_ID_LENGTH } from '../../kernel/users.ts';
import { type KnowledgeService, threadOfText } from '../../knowledge/index.ts';
import type { Guard } from '../../ports/guard.ts';
import type { Storage } from '../../ports/storage.ts';
import type { RecordService } from '../../records/index.ts';
import { hashOf } from '../erase/receipt.ts';
import type { Foreign, ForeignConversation, ForeignDocument, ForeignFact, ForeignFormat } from './foreign.ts';
import {
  type ImportedChat,
  type LearnChatsOptions,
  type LearnedChats,
  learnFromChats,
} from './learn-chats.ts';

export interface ForeignParts {
  readonly storage: Storage;
  readonly records: RecordService;
  readonly conversations: ConversationService;
  readonly knowledge: KnowledgeService;
  readonly guard: Guard;
  readonly clock: Clock;
  readonly config: Config;
  readonly env: Environment;
  readonly hub: EventHub;
}

export interface ForeignOptions {
  readonly dryRun?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Has a language model review the chats that were imported and store what they teach. */
  readonly learn?: boolean | LearnChatsOptions | undefined;
  readonly onProgress?: ((progress: { readonly done: number; readonly total: number }) => void) | undefined;
}

interface Taken {
  added: number;
  /** Were remembered already. */
  known: number;
}

export interface ForeignReport {
  readonly from: ForeignFormat;
  readonly dryRun: boolean;
  readonly agent: string;
  /** The user for whom it was imported; null for the agent itself. */
  readonly user: string | null;
  readonly facts: Taken & {
    /** Refused by the guard; they wait in the quarantine. */
    blocked: number;
    /** Left search because of `memory.maxEntries`. */
    pruned: number;
  };
  readonly messages: Taken;
  /** Chats, each of which is a thread of its own, archived from the beginning. */
  readonly threads: Taken;
  readonly documents: Taken & { blocked: number };
  /** Held nothing to remember. */
  readonly skipped: number;
  /** Could not be taken in, with the reason; the others were. */
  readonly failed: string[];
  /** What the review of the chats taught; null without one. */
  learned: LearnedChats | null;
}

const MESSAGES_AT_ONCE = 2_000;
const PAGE = 500;

const keyOf = ({ category, content }: { readonly category: string; readonly content: string }): string =>
  `${category}\n${content}`;

class TakeIn {
  readonly report: ForeignReport;
  readonly #parts: ForeignParts;
  readonly #caller: Caller;
  readonly #options: ForeignOptions;
  readonly #agent: string;
  readonly #user: string | null;
  readonly #chats: ImportedChat[] = [];
  readonly #total: number;
  #done = 0;

  constructor(parts: ForeignParts, foreign: Foreign, caller: Caller, options: ForeignOptions) {
    this.#parts = parts;
    this.#caller = caller;
    this.#options = options;
    this.#agent = speakerOf(caller);
    this.#user = caller.viewer.user ?? null;
    const messages = foreign.conversations.reduce((sum, each) => sum + each.messages.length, 0);
    this.#total = foreign.facts.length + messages + foreign.documents.length;
    this.report = {
      ...{ from: foreign.format, dryRun: options.dryRun === true, agent: this.#agent, user: this.#user },
      facts: { added: 0, known: 0, blocked: 0, pruned: 0 },
      messages: { added: 0, known: 0 },
      threads: { added: 0, known: 0 },
      documents: { added: 0, known: 0, blocked: 0 },
      ...{ skipped: foreign.skipped, failed: [], learned: null },
    };
  }

  async facts(facts: readonly ForeignFact[]): Promise<void> {
    if (facts.length === 0) return;
    const { known, present } = await this.#knownFacts();
    const cap = this.#parts.records.capOf(this.#agent);
    const room = (): number => cap - present - this.report.facts.added + this.report.facts.pruned;
    for (const fact of facts) {
      const { allowed, key } = this.#judge(fact);
      const before = known.get(key);
      // What the cap drove out comes back only when there is room for it: else each import would drive out others.
      if (allowed && (before === 'live' || (before === 'dropped' && room() <= 0))) this.report.facts.known++;
      else if (!this.report.dryRun) await this.#sparing(this.report.facts, () => this.#add(fact));
      else this.report.facts[allowed ? 'added' : 'blocked']++;
      if (allowed) known.set(key, 'live');
      this.#stopIfAsked();
      this.#step(1);
    }
    // Beyond the cap, the weakest facts leave search; how many is known before.
    if (this.report.dryRun) this.report.facts.pruned = Math.max(0, present + this.report.facts.added - cap);
  }

  async #add({ since, ...fact }: ForeignFact): Promise<void> {
    const isPast = since !== undefined && since <= this.#parts.clock.now();
    const { outcome, pruned } = await this.#parts.records.add(
      {
        ...fact,
        tags: fact.tags.slice(0, 64),
        origin: 'import',
        ...(isPast ? { validFrom: since } : {}),
      },
      this.#caller,
    );
    this.report.facts[outcome === 'added' ? 'added' : 'known']++;
    this.report.facts.pruned += pruned.length;
  }

  /** By the same guard that judges writes, which may store a fact without its secrets. */
  #judge({ content, category, tags }: ForeignFact): { allowed: boolean; key: string } {
    const { allowed, instead } = this.#parts.guard.inspect({ content, category, tags, origin: 'import' });
    return { allowed, key: keyOf({ category, content: instead?.content ?? content }) };
  }

  /** Everything that was remembered and not forgotten, also what left search since, and how much of it counts against the cap. */
  async #knownFacts(): Promise<{ known: Map<string, 'live' | 'dropped'>; present: number }> {
    const known = new Map<string, 'live' | 'dropped'>();
    let present = 0;
    for (let after: string | undefined; ; ) {
      const page = await this.#parts.storage.records.list({
        viewer: { role: 'admin' },
        now: this.#parts.clock.now(),
        filter: { agent: this.#agent, user: this.#user, sources: FACT_SOURCES },
        states: ['live', 'expired'],
        limit: PAGE,
        ...defined({ after }),
      });
      for (const record of page) {
        if (record.state === 'live' && isCapped(record)) present++;
        if (record.source !== 'manual' || record.scope !== 'agent' || record.thread !== null) continue;
        const isDropped = record.state === 'expired' && record.expiryReason === 'maxEntries';
        if (!(isDropped && known.get(keyOf(record)) === 'live'))
          known.set(keyOf(record), isDropped ? 'dropped' : 'live');
      }
      if (page.length < PAGE) return { known, present };
      after = page.at(-1)!.id;
    }
  }

  /** Each chat becomes an archived thread: it is found by search, and is never part of the active conversation. */
  async conversations(conversations: readonly ForeignConversation[]): Promise<void> {
    const inOrder = [...conversations].sort((a, b) => a.messages[0]!.at - b.messages[0]!.at);
    for (const conversation of inOrder) {
      const caller = { ...this.#caller, thread: this.#threadOf(conversation) };
      const thread = threadKey(conversationOf(caller, this.#agent));
      const isNew = (await this.#parts.storage.log.count({ agent: this.#agent, thread })) === 0;
      this.report.threads[isNew ? 'added' : 'known']++;
      // Before its first message, so that an interruption never leaves an imported thread among the active ones.
      if (isNew && !this.report.dryRun) await archiveThread(this.#parts, { archived: true }, caller);
      await this.#messages(conversation, caller);
      this.#chats.push({ conversation, caller });
    }
  }

  /** After everything was stored: it may be interrupted, and costs money. */
  async learn(options: LearnChatsOptions): Promise<void> {
    const { dryRun } = this.report;
    const whose = { ...options, agent: this.#agent, dryRun };
    this.report.learned = await learnFromChats(this.#parts, this.#chats, whose, this.#options.signal);
  }

  #threadOf({ id }: ForeignConversation): string {
    const name = `${this.report.from}/${id}`;
    return name.length <= MAX_ID_LENGTH ? name : `${this.report.from}/${hashOf(id)}`;
  }

  async #messages({ id, title, messages: said }: ForeignConversation, caller: Caller): Promise<void> {
    const messages = said.map((message) => ({
      ...{ id: `${id}/${message.id}`, role: message.role, content: message.text, at: message.at },
      metadata: { conversation: id, ...(title === '' ? {} : { title }) },
    }));
    for (let from = 0; from < messages.length; from += MESSAGES_AT_ONCE) {
      this.#stopIfAsked();
      const some = messages.slice(from, from + MESSAGES_AT_ONCE);
      const snapshot = { version: 1, agent: 'assistant', conversationId: this.report.from, createdAt: 0 };
      const text = JSON.stringify({ ...snapshot, messages: some });
      const dryRun = this.report.dryRun;
      const done = await this.#parts.conversations.import({ text, format: 'json' }, caller, { dryRun });
      this.report.messages.added += done.messages;
      this.report.messages.known += done.known;
      this.#step(some.length);
    }
  }

  async documents(documents: readonly ForeignDocument[]): Promise<void> {
    for (const { name, text } of documents) {
      const isKnown = await this.#hasDocument(text);
      if (isKnown || this.report.dryRun) this.report.documents[isKnown ? 'known' : 'added']++;
      else {
        await this.#sparing(this.report.documents, async () => {
          await this.#parts.knowledge.store({ text, metadata: { title: name } }, this.#caller);
          this.report.documents.added++;
        });
      }
      this.#step(1);
    }
  }

  async #hasDocument(text: string): Promise<boolean> {
    const found = await this.#parts.storage.records.list({
      viewer: this.#caller.viewer,
      now: this.#parts.clock.now(),
      filter: { agent: this.#agent, thread: threadOfText(text) },
      limit: 1,
    });
    return found.length > 0;
  }

  /** One that is refused does not keep the others out. */
  async #sparing(tally: { blocked: number }, work: () => Promise<void>): Promise<void> {
    this.#stopIfAsked();
    try {
      await work();
    } catch (error) {
      if (!KeepsakeError.is(error)) throw error;
      if (error.code === 'BLOCKED') tally.blocked++;
      else if (error.code === 'TOO_LARGE' || error.code === 'INVALID_INPUT')
        this.report.failed.push(error.message);
      else throw error;
    }
  }

  #stopIfAsked(): void {
    if (this.#options.signal?.aborted !== true) return;
    throw new KeepsakeError('ABORTED', 'The import was stopped.', {
      hint: 'Run it again to add the rest; nothing is added twice.',
    });
  }

  #step(by: number): void {
    this.#done += by;
    this.#options.onProgress?.({ done: this.#done, total: this.#total });
  }
}

export async function takeInForeign(
  parts: ForeignParts,
  foreign: Foreign,
  caller: Caller,
  options: ForeignOptions = {},
): Promise<ForeignReport> {
  const taking = new TakeIn(parts, foreign, caller, options);
  await taking.facts(foreign.facts);
  await taking.conversations(foreign.conversations);
  await taking.documents(foreign.documents);
  const { learn = false } = options;
  if (learn !== false) await taking.learn(learn === true ? {} : learn);
  return taking.report;
}
