/** A conversation that survives its process: every message goes to the log and, in plain sight, to MEMORY.md. */
import { KeepsakeError } from '../kernel/errors.ts';
import type { JsonObject } from '../kernel/json.ts';
import { checkAgentName } from '../kernel/names.ts';
import type { MessageDraft } from '../ports/log-store.ts';
import { Archives } from './archives.ts';
import { Batcher } from './batcher.ts';
import type {
  AddOptions,
  CompactOptions,
  CompactResult,
  ConversationOptions,
  ConversationParts,
} from './conversation-options.ts';
import { type ExportOptions, exportSnapshot, loadSnapshot } from './exporting.ts';
import { historyWindow } from './history-window.ts';
import { Keeper } from './keeper.ts';
import { type ConversationMessage, contentText, type MessageContent, modelRole } from './message.ts';
import { type MessageMatch, searchKeyword, searchMessages } from './message-search.ts';
import { type MoreContext, type MoreContextInput, moreContext } from './more-context.ts';
import { Queue } from './queue.ts';
import { roleName, SYSTEM } from './roles.ts';
import type { StartUp } from './start-up.ts';
import { leadingMessages } from './static-messages.ts';
import { checkSummary, SUMMARY_MARK } from './summary-check.ts';

export class Conversation {
  readonly agent: string;
  readonly thread: string;
  readonly run: string;
  readonly #options: ConversationOptions;
  readonly #parts: ConversationParts;
  readonly #queue = new Queue();
  readonly #batcher = new Batcher<MessageDraft, ConversationMessage>(
    (flush) => void this.#queue.run(flush),
    (drafts) => this.#write(drafts),
  );
  readonly #keeper: Keeper;
  readonly #opening: Promise<StartUp>;
  #memoryMdPath: string | null;
  #preamble: string | null = null;
  #history: ConversationMessage[] = [];

  constructor(options: ConversationOptions, parts: ConversationParts) {
    this.agent = checkAgentName(options.agent);
    this.thread = options.thread ?? this.agent;
    this.run = options.run ?? parts.ids('run');
    this.#options = options;
    this.#parts = parts;
    this.#memoryMdPath = options.persistentMemory ? parts.memoryFile : null;
    this.#keeper = new Keeper(options, parts, this.thread);
    this.#opening = this.#queue.run(() => this.#open());
    // Whoever calls next hears of a failure; until then it must not end the process.
    this.#opening.catch(() => {});
  }

  /** Resolves once MEMORY.md exists and what it says is loaded. Every other method waits for this by itself. */
  async ready(): Promise<this> {
    await this.#opening;
    return this;
  }

  /** What was loaded at the start, and what was left out of it. */
  async startUp(): Promise<StartUp> {
    return this.#opening;
  }

  /** Path of MEMORY.md; null when none is written. */
  get memoryMdPath(): string | null {
    return this.#memoryMdPath;
  }

  /** Null stops all further writing to disk for the rest of this run; what is there stays. */
  set memoryMdPath(path: string | null) {
    if (path !== null && path !== this.#memoryMdPath) {
      throw new KeepsakeError('INVALID_INPUT', 'MEMORY.md cannot be moved while it is in use.', {
        hint: 'Set memoryMdPath to null to stop writing, or choose another workspace.',
      });
    }
    this.#memoryMdPath = path;
    // In turn, so that what was added before is still written.
    if (path === null) void this.#queue.run(async () => this.#keeper.stop());
  }

  /** Adds a message to the history, the log and MEMORY.md; resolves once it is on disk. */
  async add(role: string, content: MessageContent, options: AddOptions = {}): Promise<ConversationMessage> {
    const normal = typeof content === 'string' ? content.toWellFormed() : content;
    const draft: MessageDraft = {
      id: this.#parts.ids('msg'),
      agent: this.agent,
      thread: this.thread,
      run: this.run,
      role: roleName(role, this.agent),
      content: normal,
      metadata: options.metadata ?? {},
      at: options.at ?? this.#parts.clock.now(),
      text: contentText(normal).toWellFormed(),
    };
    return this.#batcher.add(draft);
  }

  /** Everything that a prompt would hold, in order: system prompt, rules, custom rules, preamble, history. */
  async messages(): Promise<readonly ConversationMessage[]> {
    await this.#settled();
    return [...leadingMessages(this.#options, this.#preamble, this.#parts.clock.now()), ...this.#history];
  }

  /** The replayed and new turns, without prompt, rules and preamble. */
  async turns(): Promise<readonly ConversationMessage[]> {
    await this.#settled();
    return [...this.#history];
  }

  /** The whole history as one prompt-ready text. */
  async returnHistoryAsString(): Promise<string> {
    const messages = await this.messages();
    return messages.map(({ role, content }) => `${role}: ${contentText(content)}`).join('\n\n');
  }

  async toDict(): Promise<
    readonly { role: string; content: MessageContent; timestamp: string; id: string }[]
  > {
    const messages = await this.messages();
    return messages.map(({ role, content, at, id }) => ({
      role,
      content,
      timestamp: new Date(at).toISOString(),
      id,
    }));
  }

  /** As a model's API wants them: user, assistant, system, tool. */
  async toMessages(): Promise<
    readonly { role: 'user' | 'assistant' | 'system' | 'tool'; content: MessageContent }[]
  > {
    const messages = await this.messages();
    return messages.map(({ role, content }) => ({ role: modelRole(role, this.agent), content }));
  }

  async getFinalMessageContent(): Promise<string> {
    await this.#settled();
    const last = this.#history.at(-1);
    return last === undefined ? '' : contentText(last.content);
  }

  /** Messages with all words of the query. */
  async search(query: string): Promise<readonly MessageMatch[]> {
    return searchMessages(await this.messages(), query);
  }

  /** Messages with this text in them, whatever its case. */
  async searchKeyword(keyword: string): Promise<readonly MessageMatch[]> {
    return searchKeyword(await this.messages(), keyword);
  }

  /** Earlier messages of the thread, from the log: by page, or by what they say. */
  async moreContext(input: MoreContextInput = {}): Promise<MoreContext> {
    await this.#settled();
    const first = this.#history.find((message) => message.seq !== undefined);
    return moreContext(this.#parts.log, { agent: this.agent, thread: this.thread, first: first?.seq }, input);
  }

  /** Archives MEMORY.md, begins it anew with the summary, and keeps only the summary in the history. */
  async compact({ summary, keepLast = 0, by = 'hand' }: CompactOptions): Promise<CompactResult> {
    return this.#queue.run(() => this.#compact(summary, keepLast, by));
  }

  /** Lets go of all but the newest messages in the history of this run; log and file keep them. Returns how many. */
  async keepWindow(limit: number): Promise<number> {
    return this.#queue.run(async () => {
      await this.#opening;
      const before = this.#history.length;
      this.#history = historyWindow(this.#history, limit);
      this.#preamble = null;
      return before - this.#history.length;
    });
  }

  /** Removes one message from the history, from MEMORY.md and, but for its place, from the log. */
  async delete(id: string): Promise<void> {
    return this.#queue.run(() => this.#edit(id, null));
  }

  /** Replaces the content of one message everywhere. */
  async update(id: string, content: MessageContent): Promise<void> {
    return this.#queue.run(() =>
      this.#edit(id, typeof content === 'string' ? content.toWellFormed() : content),
    );
  }

  /** Begins anew: MEMORY.md is archived and emptied, the history forgotten; the log and the archive keep what was. */
  async clear(): Promise<{ readonly archive: string | null }> {
    return this.#queue.run(() => this.#clear());
  }

  /** Writes the turns to a file, without loss, and resolves to its path. */
  async export(options: ExportOptions = {}): Promise<string> {
    const messages = await this.turns();
    const snapshot = {
      version: 1 as const,
      agent: this.agent,
      conversationId: this.run,
      createdAt: messages[0]?.at ?? this.#parts.clock.now(),
      messages,
    };
    return exportSnapshot(snapshot, this.#parts.exportFolder, options);
  }

  saveAsJson(options: Omit<ExportOptions, 'format'> = {}): Promise<string> {
    return this.export({ ...options, format: 'json' });
  }

  saveAsYaml(options: Omit<ExportOptions, 'format'> = {}): Promise<string> {
    return this.export({ ...options, format: 'yaml' });
  }

  /** Takes the turns of an export in place of this history; with `persist` they are also written to disk as new. */
  async load(path: string, { persist = false }: { readonly persist?: boolean } = {}): Promise<number> {
    const { messages } = await loadSnapshot(path, this.#parts.exportFolder, this.agent);
    await this.#settled();
    if (!persist) this.#history = [...messages];
    else for (const { role, content, metadata } of messages) await this.add(role, content, { metadata });
    return messages.length;
  }

  /** The raw transcripts that compactions saved. */
  get archives(): Archives {
    return new Archives(this.#keeper.archives, (text) => this.#queue.run(() => this.#restore(text)));
  }

  /** Waits for everything that was asked for. */
  async close(): Promise<void> {
    await this.#settled();
  }

  async #settled(): Promise<void> {
    await this.#opening;
    await this.#queue.run(async () => {});
  }

  async #open(): Promise<StartUp> {
    const start = await this.#keeper.open();
    this.#begin(start);
    return start;
  }

  #begin({ preamble, replayed }: StartUp): void {
    this.#preamble = preamble;
    this.#history = [...replayed];
  }

  async #write(drafts: readonly MessageDraft[]): Promise<readonly ConversationMessage[]> {
    await this.#opening;
    const seqs = await this.#keeper.write(drafts);
    const messages = drafts.map((draft, i) => toMessage(draft, seqs[i]));
    this.#history.push(...messages);
    return messages;
  }

  async #compact(given: string, keepLast: number, by: 'hand' | 'model'): Promise<CompactResult> {
    await this.#opening;
    const replaceable = keepLast > 0 ? this.#history.slice(0, -keepLast) : this.#history;
    const kept = this.#history.slice(replaceable.length);
    const length = (this.#preamble?.length ?? 0) + lengthOf(replaceable);
    const text = `${SUMMARY_MARK}\n${checkSummary(given, length, by)}`;
    const draft = this.#systemDraft(text, { summary: true });
    const boundary = (kept.find((message) => message.seq !== undefined)?.seq ?? this.#lastSeq() + 1) - 1;
    const { archive, seq } = await this.#keeper.compact(draft, kept, boundary);
    const summary = toMessage(draft, seq);
    const replaced = replaceable.length;
    this.#preamble = null;
    this.#history = [summary, ...kept];
    await this.#emit({ type: 'conversation.compacted', archive, replaced });
    return { archive, summary, replaced };
  }

  async #clear(): Promise<{ archive: string | null }> {
    await this.#opening;
    const { archive } = await this.#keeper.compact(null, [], this.#lastSeq());
    this.#preamble = null;
    this.#history = [];
    return { archive };
  }

  async #edit(id: string, content: MessageContent | null): Promise<void> {
    await this.#opening;
    const index = this.#history.findIndex((message) => message.id === id);
    const message = this.#history[index];
    if (message === undefined) {
      throw new KeepsakeError('NOT_FOUND', `There is no message ${id} in this conversation.`, {
        hint: 'messages() shows the ids.',
      });
    }
    await this.#keeper.edit(message, content);
    if (content === null) this.#history.splice(index, 1);
    else this.#history[index] = { ...message, content };
  }

  async #restore(text: string): Promise<{ readonly archive: string | null }> {
    const cleared = await this.#clear();
    this.#begin(await this.#keeper.restore(text));
    return cleared;
  }

  #lastSeq(): number {
    return this.#history.reduce((most, message) => Math.max(most, message.seq ?? 0), 0);
  }

  #systemDraft(text: string, metadata: JsonObject): MessageDraft {
    const { agent, thread, run } = this;
    const at = this.#parts.clock.now();
    return {
      id: this.#parts.ids('msg'),
      agent,
      thread,
      run,
      role: SYSTEM,
      content: text,
      metadata,
      at,
      text,
    };
  }

  #emit(event: { type: 'conversation.compacted'; archive: string | null; replaced: number }): Promise<void> {
    return this.#parts.emit({
      ...event,
      agent: this.agent,
      session: this.run,
      via: 'system',
      at: this.#parts.clock.now(),
    });
  }
}

function toMessage(draft: MessageDraft, seq: number | undefined): ConversationMessage {
  const { id, role, content, at, run, metadata } = draft;
  const message = { id, role, content: content as MessageContent, at, run, metadata };
  return seq === undefined ? message : { ...message, seq };
}

function lengthOf(messages: readonly ConversationMessage[]): number {
  return messages.reduce((sum, message) => sum + contentText(message.content).length, 0);
}
