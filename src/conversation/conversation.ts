/** A durable conversation: every message is stored in the log and, in a readable form, in MEMORY.md. */
import { KeepsakeError } from '../kernel/errors.ts';
import { checkAgentName } from '../kernel/names.ts';
import type { MessageDraft } from '../ports/log-store.ts';
import { Archives } from './archives/archives.ts';
import { checkCompactOptions, checkCount, checkNames, checkText } from './check-options.ts';
import type { CompressionDefaults } from './compaction/compressor-options.ts';
import { checkSummary, SUMMARY_MARK } from './compaction/summary-check.ts';
import { emitEvent } from './conversation-events.ts';
import type {
  AddOptions,
  CompactOptions,
  CompactResult,
  ConversationOptions,
  ConversationParts,
  FailedCompaction,
} from './conversation-options.ts';
import { ConversationStorage } from './conversation-storage.ts';
import {
  type ExportOptions,
  type ExportPlace,
  exportSnapshot,
  loadMessages,
} from './formats/export-files.ts';
import { type MoreContext, type MoreContextInput, moreContext } from './log/more-context.ts';
import { checkLength, contentInput } from './messages/content-input.ts';
import { type ConversationMessage, contentText, type MessageContent } from './messages/message.ts';
import { createDraft, toMessage } from './messages/message-draft.ts';
import { type MessageMatch, searchKeyword, searchMessages } from './messages/message-search.ts';
import {
  asModelMessages,
  asPlainList,
  asText,
  type ModelMessage,
  type PlainMessage,
} from './messages/message-views.ts';
import { refuseRoleAsName, SYSTEM } from './messages/roles.ts';
import { summaryMetadata } from './window/covered.ts';
import { History } from './window/history.ts';
import { leadingMessages } from './window/leading-messages.ts';
import type { StartUp } from './window/start-up.ts';
import { WriteQueue } from './write-queue.ts';

export class Conversation {
  readonly agent: string;
  readonly thread: string;
  readonly run: string;
  /** What compressors use unless they say otherwise. */
  readonly compression: CompressionDefaults | undefined;
  /** Ids of prompts that are being answered: they and what follows them stay among the turns. */
  readonly openPrompts = new Set<string>();
  readonly #options: ConversationOptions;
  readonly #parts: ConversationParts;
  readonly #queue = new WriteQueue<MessageDraft, ConversationMessage>((drafts) => this.#write(drafts));
  readonly #storage: ConversationStorage;
  readonly #history: History;
  readonly #opening: Promise<StartUp>;
  #memoryMdPath: string | null;

  constructor(options: ConversationOptions, parts: ConversationParts) {
    this.agent = checkAgentName(options.agent);
    refuseRoleAsName(this.agent);
    this.thread = options.thread ?? this.agent;
    this.run = options.run ?? parts.ids('run');
    this.compression = options.compression;
    this.#options = options;
    this.#parts = parts;
    this.#memoryMdPath = options.persistentMemory ? parts.memoryFile : null;
    this.#storage = new ConversationStorage(options, parts, this.thread);
    this.#history = new History(this.agent);
    this.#opening = this.#queue.run(() => this.#open());
    // The next call throws the failure; until then it must not end the process.
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
    if (path === null) this.#inTurn(async () => this.#storage.stop()).catch(() => {});
  }

  /** Adds a message to the history, the log and MEMORY.md; resolves once it is on disk. */
  async add(role: string, content: MessageContent, options: AddOptions = {}): Promise<ConversationMessage> {
    const draft = createDraft(this, this.#parts, role, content, options);
    if (draft.role !== this.agent) checkLength(draft);
    return this.#queue.add(draft);
  }

  /** Keeps what was said before the open prompts within the history level, as a restart would. */
  async fit(): Promise<void> {
    await this.#inTurn(async () => this.#storage.fit(this.#history, this.openPrompts));
  }

  /** Takes in what other processes said in this thread since this one last looked; resolves to the number of messages. */
  async catchUp(): Promise<number> {
    return this.#inTurn(async () => this.#storage.catchUp(this.#history));
  }

  /** Everything that a prompt would hold, in order: system prompt, rules, custom rules, preamble, history. */
  async messages(): Promise<readonly ConversationMessage[]> {
    await this.#settled();
    const { preamble, turns } = this.#history;
    return [...leadingMessages(this.#options, preamble, this.#parts.clock.now()), ...turns];
  }

  /** What MEMORY.md holds beyond the turns, as long as nothing was compacted; null when there is nothing. */
  async preamble(): Promise<string | null> {
    await this.#settled();
    return this.#history.preamble;
  }

  /** The replayed and new turns, without prompt, rules and preamble. */
  async turns(): Promise<readonly ConversationMessage[]> {
    await this.#settled();
    return [...this.#history.turns];
  }

  /** The whole history as one prompt-ready text. */
  async returnHistoryAsString(): Promise<string> {
    return asText(await this.messages());
  }

  async toDict(): Promise<readonly PlainMessage[]> {
    return asPlainList(await this.messages());
  }

  /** As a model's API wants them: user, assistant, system, tool. */
  async toMessages(): Promise<readonly ModelMessage[]> {
    return asModelMessages(await this.messages(), this.agent);
  }

  async getFinalMessageContent(): Promise<string> {
    await this.#settled();
    const last = this.#history.turns.at(-1);
    return last === undefined ? '' : contentText(last.content);
  }

  /** Messages with all words of the query. */
  async search(query: string): Promise<readonly MessageMatch[]> {
    return searchMessages(await this.messages(), checkText(query, 'query'));
  }

  /** Messages with this text in them, whatever its case. */
  async searchKeyword(keyword: string): Promise<readonly MessageMatch[]> {
    return searchKeyword(await this.messages(), checkText(keyword, 'keyword'));
  }

  /** Earlier messages of the thread, from the log: by page, or by what they say. */
  async moreContext(input: MoreContextInput = {}): Promise<MoreContext> {
    checkNames(input, ['before', 'limit', 'query', 'message', 'from'], 'moreContext({ query: "invoice" })');
    await this.#settled();
    const { agent, thread } = this;
    return moreContext(this.#parts.log, { agent, thread, inView: this.#history.turns }, input);
  }

  /** Archives MEMORY.md, starts a new one with the summary, and keeps only the summary in the history. */
  async compact(options: CompactOptions): Promise<CompactResult> {
    checkCompactOptions(options);
    return this.#inTurn(() => this.#compact(options));
  }

  /** For compressors: stores that no model could summarise the conversation. */
  async reportFailedCompaction(failure: FailedCompaction): Promise<void> {
    await emitEvent({ type: 'conversation.compaction.failed', ...failure }, this, this.#parts);
  }

  /** Lets go of all but the newest messages in the history of this run; log and file keep them. Returns how many. */
  async keepWindow(limit: number): Promise<number> {
    return this.#inTurn(async () => {
      const { turns } = this.#history;
      const replayed = this.#history.staying(undefined, checkCount(limit, 'limit'));
      this.#history.begin({ preamble: null, replayed });
      return turns.length - replayed.length;
    });
  }

  /** Removes one message from the history, from MEMORY.md and, but for its place, from the log. */
  async delete(id: string): Promise<void> {
    return this.#inTurn(() => this.#edit(id, null));
  }

  /** Replaces the content of one message everywhere. */
  async update(id: string, content: MessageContent): Promise<void> {
    const said = contentInput(content);
    return this.#inTurn(() => this.#edit(id, said));
  }

  /** Starts over: MEMORY.md is archived and emptied, the history cleared; the log and the archive keep what was said. */
  async clear(): Promise<{ readonly archive: string | null }> {
    return this.#inTurn(() => this.#clear());
  }

  /** Writes the whole conversation since its last compaction to a file, without loss, and resolves to its path. */
  async export(options: ExportOptions = {}): Promise<string> {
    await this.#settled();
    const messages = this.#history.over((await this.#storage.all()) ?? []);
    const snapshot = {
      version: 1 as const,
      agent: this.agent,
      conversationId: this.run,
      createdAt: messages[0]?.at ?? this.#parts.clock.now(),
      messages,
    };
    return exportSnapshot(snapshot, this.#exports, options);
  }

  saveAsJson(options: Omit<ExportOptions, 'format'> = {}): Promise<string> {
    return this.export({ ...options, format: 'json' });
  }

  saveAsYaml(options: Omit<ExportOptions, 'format'> = {}): Promise<string> {
    return this.export({ ...options, format: 'yaml' });
  }

  /**
   * Takes the turns of an export in place of this history, in this run only; with `persist` they are added to the
   * history and to the disk as new messages with their old times. Resolves to their number.
   */
  async load(path: string, { persist = false }: { readonly persist?: boolean } = {}): Promise<number> {
    const messages = await loadMessages(path, this.#exports, this.agent);
    if (persist) {
      await Promise.all(
        messages.map(({ role, content, metadata, at }) =>
          this.#queue.add(createDraft(this, this.#parts, role, content, { metadata, at })),
        ),
      );
    } else {
      await this.#inTurn(async () => {
        this.#history.replaceTurns(await this.#storage.placed(messages));
      });
    }
    return messages.length;
  }

  /** The raw transcripts that compactions saved. */
  get archives(): Archives {
    return new Archives(this.#storage.archives, (text) => this.#inTurn(() => this.#restore(text)));
  }

  /** Waits for everything that was asked for. */
  async close(): Promise<void> {
    // What stays behind when this fails is needed only after a crash, and harmless otherwise.
    await this.#inTurn(() => this.#storage.close().catch(() => {}));
  }

  /** Everything but `add` runs by itself, in the order in which it was asked for. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.run(async () => {
      await this.#opening;
      return work();
    });
  }

  async #settled(): Promise<void> {
    await this.#opening;
    await this.#queue.settled(() => this.#followFile());
  }

  /** The file wins: what a person took out of it is not sent again. A file that cannot be read is left to the next write. */
  async #followFile(): Promise<void> {
    const edits = await this.#storage.handEdits().catch(() => []);
    for (const edit of edits) this.#history.follow(edit);
  }

  get #exports(): ExportPlace {
    return { folder: this.#parts.exportFolder, root: this.#parts.root };
  }

  async #open(): Promise<StartUp> {
    const start = await this.#storage.open();
    this.#history.begin(start);
    return start;
  }

  async #write(drafts: readonly MessageDraft[]): Promise<readonly ConversationMessage[]> {
    await this.#opening;
    const seqs = await this.#storage.write(drafts);
    const messages = drafts.map((draft, i) => toMessage(draft, seqs[i]));
    this.#history.add(messages);
    return messages;
  }

  async #compact({
    summary: given,
    keepLast = 0,
    covers,
    by = 'hand',
  }: CompactOptions): Promise<CompactResult> {
    const { turns } = this.#history;
    const kept = this.#history.staying(covers, checkCount(keepLast, 'keepLast'));
    const stays = new Set(kept);
    const replaced = turns.filter((message) => !stays.has(message));
    const text = `${SUMMARY_MARK}\n${checkSummary(given, this.#history.lengthWith(replaced), by)}`;
    const metadata = summaryMetadata(turns, stays);
    const draft = createDraft(this, this.#parts, SYSTEM, text, { metadata });
    const { archive, seq, notes = null } = await this.#storage.compact(draft, kept);
    const summary = toMessage(draft, seq);
    this.#history.begin({ preamble: notes, replayed: [summary, ...kept] });
    const result = { archive, replaced: replaced.length };
    await emitEvent({ type: 'conversation.compacted', ...result }, this, this.#parts);
    return { ...result, summary };
  }

  async #clear(): Promise<{ archive: string | null }> {
    const { archive } = await this.#storage.clear();
    this.#history.begin({ preamble: null, replayed: [] });
    return { archive };
  }

  async #edit(id: string, content: MessageContent | null): Promise<void> {
    const shown = this.#history.turns.find((message) => message.id === id);
    const message = shown ?? (await this.#storage.find(id));
    if (message === undefined) {
      throw new KeepsakeError('NOT_FOUND', `There is no message ${id} in this conversation.`, {
        hint: 'messages() and moreContext() show the ids.',
      });
    }
    const change = await this.#storage.edit(message, content);
    const isTurn = this.#history.change(id, content);
    if (!isTurn && change !== undefined) this.#history.changePreamble(change);
  }

  async #restore(text: string): Promise<{ readonly archive: string | null }> {
    const { archive, start } = await this.#storage.restore(text);
    this.#history.begin(start);
    return { archive };
  }
}
