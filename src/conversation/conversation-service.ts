/** Conversations of all agents: opened for agents, read from the log, compacted, exported and imported for people. */
import { setImmediate } from 'node:timers/promises';
import { DocumentFile } from '../documents/index.ts';
import { agentOf, type Caller, speakerOf, writerOf, writingSpeaker } from '../kernel/caller.ts';
import { defined } from '../kernel/defined.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import { type ConversationPlace, conversationOf, isOwnConversation, threadKey } from '../kernel/threads.ts';
import { validate } from '../kernel/validate.ts';
import { ArchiveFiles, MAX_TRANSCRIPT_BYTES } from './archives/archive-files.ts';
import { Archives } from './archives/archives.ts';
import { diffLines } from './archives/diff-lines.ts';
import { summarizeExtractively } from './compaction/extractive-summary.ts';
import { nothingToCompact, refuseToGrow } from './compaction/nothing-to-gain.ts';
import { summarizable } from './compaction/summarizable.ts';
import { Conversation } from './conversation.ts';
import type { CompactResult, ConversationOptions, ConversationParts } from './conversation-options.ts';
import { type ConversationPart, decodeParts } from './formats/decode-parts.ts';
import { encodeConversation } from './formats/index.ts';
import { importIds, type StableIds } from './formats/stable-ids.ts';
import {
  type CompactInput,
  compactInput,
  type LogAddInput,
  type LogExportInput,
  type LogImportInput,
  type LogSearchInput,
  type LogShowInput,
  logAddInput,
  logExportInput,
  logImportInput,
  logShowInput,
} from './inputs.ts';
import { adoptTranscripts, type ForeignTranscripts } from './log/adopt.ts';
import { byRun } from './messages/by-run.ts';
import type { ConversationMessage } from './messages/message.ts';
import { fromLog } from './messages/message-draft.ts';
import { type FoundMessage, searchMessages } from './search-messages.ts';

/** The switches of an agent's conversation. */
export type ConversationSwitches = Omit<ConversationOptions, 'agent'>;

/** What decides whether and where a conversation is stored. */
export type StoredSwitches = Pick<ConversationSwitches, 'historyLimit' | 'persistentMemory'>;

export interface ConversationServiceParts {
  readonly partsFor: (agent: string) => ConversationParts;
  readonly switchesFor: (agent: string) => ConversationSwitches;
  /** What agents/<name>.md says; undefined where there is no such file. It wins over the configuration. */
  readonly switchesInFile?: (agent: string) => Promise<StoredSwitches | undefined>;
}

export interface ImportResult {
  /** How many were added. */
  readonly messages: number;
  /** How many were in the log already, and stayed as they were. */
  readonly known: number;
}

/** Log exports read the log in pages, so that memory stays flat until the text itself is made. */
const PAGE = 1_000;
const SUMMARY_TOKENS = 2_000;
const OUR_ID = /^msg_[0-9a-hjkmnp-tv-z]{26}$/;

export class ConversationService {
  readonly #parts: ConversationServiceParts;

  constructor(parts: ConversationServiceParts) {
    this.#parts = parts;
  }

  open(agent: string, switches: Partial<ConversationSwitches> = {}): Conversation {
    const options = { ...this.#parts.switchesFor(agent), ...switches, agent };
    return new Conversation(options, this.#parts.partsFor(agent));
  }

  /** A conversation with a user, or a named thread, is kept in the log only: MEMORY.md is the agent's own. */
  openAt(place: ConversationPlace, switches: Partial<ConversationSwitches> = {}): Conversation {
    if (isOwnConversation(place)) return this.open(place.agent, switches);
    return this.open(place.agent, { ...switches, persistentMemory: false, thread: threadKey(place) });
  }

  /** What the configuration says about the conversation of an agent. */
  switchesOf(agent: string): ConversationSwitches {
    return this.#parts.switchesFor(agent);
  }

  /** Adds one message to the agent's conversation: to the log, and to MEMORY.md. */
  async add(input: LogAddInput, caller: Caller): Promise<ConversationMessage> {
    const { role, content } = validate(logAddInput, input, 'log.add');
    const place = conversationOf(caller, writingSpeaker(caller));
    const conversation = this.openAt(place, await this.#switchesToWrite(place));
    try {
      return await conversation.add(role, content);
    } finally {
      await conversation.close();
    }
  }

  /** The newest messages of the agent's thread, or a page before or after one of them; oldest first. */
  async messages(input: LogShowInput, caller: Caller): Promise<readonly ConversationMessage[]> {
    const { limit, before, after, run } = validate(logShowInput, input, 'log.get');
    const agent = speakerOf(caller);
    const thread = threadKey(conversationOf(caller));
    const { log } = this.#parts.partsFor(agent);
    const messages = await log.read({
      agent,
      thread,
      newest: after === undefined,
      limit,
      ...defined({ run }),
      ...(before === undefined ? {} : { before: await this.#seqOf(agent, thread, before) }),
      ...(after === undefined ? {} : { after: await this.#seqOf(agent, thread, after) }),
    });
    return messages.map(fromLog);
  }

  /** Messages of the agent's thread, or of all of its threads, by what they say, best first. */
  search(input: LogSearchInput, caller: Caller): Promise<readonly FoundMessage[]> {
    return searchMessages(this.#parts.partsFor(speakerOf(caller)).log, input, caller);
  }

  /** The whole thread as a text in one of the formats. */
  async export(
    input: LogExportInput,
    caller: Caller,
  ): Promise<{ readonly messages: number; readonly text: string }> {
    const { format } = validate(logExportInput, input, 'log.export');
    const agent = speakerOf(caller);
    const thread = threadKey(conversationOf(caller));
    const { log, clock } = this.#parts.partsFor(agent);
    const messages: ConversationMessage[] = [];
    for (let after = 0; ; after = messages.at(-1)?.seq ?? 0) {
      const page = await log.read({ agent, thread, after, limit: PAGE });
      messages.push(...page.map(fromLog));
      if (page.length < PAGE) break;
    }
    const createdAt = messages[0]?.at ?? clock.now();
    const snapshot = { version: 1 as const, agent, conversationId: thread, createdAt, messages };
    return { messages: messages.length, text: await encodeConversation(snapshot, format) };
  }

  /**
   * Adds the messages of an export to the agent's conversation, with their ids, runs and times. What the log knows
   * already is left as it is, so that importing twice is the same as once.
   */
  async import(
    input: LogImportInput,
    caller: Caller,
    { dryRun = false }: { readonly dryRun?: boolean } = {},
  ): Promise<ImportResult> {
    const { text, format } = validate(logImportInput, input, 'log.import');
    const place = conversationOf(caller, writingSpeaker(caller));
    const switches = await this.#switchesToWrite(place);
    const stableId = importIds(place);
    const addParts = async (): Promise<ImportResult> => {
      let [messages, known] = [0, 0];
      for await (const part of decodeParts(text, format)) {
        const fresh = await this.#unknown(part, place, stableId);
        messages += fresh.length;
        known += part.messages.length - fresh.length;
        if (!dryRun) for (const each of byRun(fresh)) await this.#addAll(place, switches, each);
        await setImmediate();
      }
      return { messages, known };
    };
    return dryRun ? addParts() : this.#oneImportAtATime(place.agent, switches, addParts);
  }

  /** Takes transcripts into the log, and into no file: those that are given, else the agent's own MEMORY.md and archives. */
  async adopt(caller: Caller, given?: ForeignTranscripts): Promise<ImportResult> {
    const agent = writerOf(caller);
    await this.#switchesToWrite({ agent, user: null, thread: null });
    const { log, archiveFolder: folder, root } = this.#parts.partsFor(agent);
    const files = new ArchiveFiles({ folder, root });
    const found = given ?? {
      archives: await files.readAll(),
      active: (await this.#readTranscript(agent)) ?? '',
    };
    return adoptTranscripts(log, { agent, thread: agent }, found);
  }

  /**
   * Puts a summary in the place of all but the newest `keepLast` messages: the one that is given, else the most telling
   * sentences. Where there is nothing to summarise, or nothing to gain by it, it says so and writes nothing.
   */
  async compact(
    input: CompactInput,
    caller: Caller,
  ): Promise<CompactResult & { readonly by: 'hand' | 'extractive' }> {
    const { summary, keepLast } = validate(compactInput, input, 'conversation.compact');
    const agent = writerOf(caller);
    const { historyLimit, persistentMemory } = await this.#stored(agent);
    if (historyLimit === 0 && keepLast > 0) {
      throw new KeepsakeError('INVALID_INPUT', `${agent} has no history, so no messages of it can be kept.`, {
        hint: 'Leave keepLast out, or set "history" of the agent in keepsake.jsonc.',
      });
    }
    // Opening a conversation begins its file, which a question whether there is anything must not.
    if (persistentMemory && (await this.#readTranscript(agent)) === undefined) throw nothingToCompact(agent);
    const conversation = await this.open(agent, {
      // The whole of it: what is not loaded would be in no summary.
      startUpBytes: MAX_TRANSCRIPT_BYTES,
      persistentMemory,
      historyLimit: historyLimit === 0 ? 0 : Math.max(historyLimit, keepLast),
    }).ready();
    try {
      const { utterances, covers, worthwhile } = await summarizable(conversation, keepLast);
      if (utterances.length === 0) throw nothingToCompact(agent);
      if (summary !== undefined) {
        return { ...(await conversation.compact({ summary, covers })), by: 'hand' };
      }
      if (!worthwhile) throw nothingToCompact(agent);
      const extract = summarizeExtractively(utterances, { maxTokens: SUMMARY_TOKENS });
      if (extract === '') throw nothingToCompact(agent);
      refuseToGrow(extract, utterances);
      return { ...(await conversation.compact({ summary: extract, covers })), by: 'extractive' };
    } finally {
      await conversation.close();
    }
  }

  /** Reading archives opens nothing; only bringing one back opens the conversation. */
  archives(caller: Caller): Archives {
    const agent = agentOf(caller);
    const { archiveFolder: folder, root } = this.#parts.partsFor(agent);
    return new Archives(new ArchiveFiles({ folder, root }), async (_text, name) => {
      const conversation = await this.open(writerOf(caller), await this.#stored(agent)).ready();
      return conversation.archives.restore(name);
    });
  }

  /** Lines that differ between an archive and another one, or the active MEMORY.md. */
  async diff(from: string, to: string | undefined, caller: Caller): Promise<readonly string[]> {
    const archives = this.archives(caller);
    if (to !== undefined) return archives.diff(from, to);
    const active = (await this.#readTranscript(agentOf(caller))) ?? '';
    return diffLines(await archives.read(from), active);
  }

  /** MEMORY.md as it is; undefined when there is none. Leaves no trace. */
  async #readTranscript(agent: string): Promise<string | undefined> {
    const { memoryFile } = this.#parts.partsFor(agent);
    const { exists, text } = await this.#document(agent, memoryFile).read();
    return exists ? text : undefined;
  }

  /** Two imports of the same text at the same moment would both find its messages missing, and add them twice. */
  async #oneImportAtATime<T>(
    agent: string,
    { persistentMemory }: StoredSwitches,
    work: () => Promise<T>,
  ): Promise<T> {
    if (!persistentMemory) return work();
    const { memoryFile } = this.#parts.partsFor(agent);
    return this.#document(agent, `${memoryFile}.import`).exclusive(work);
  }

  #document(agent: string, path: string): DocumentFile {
    const { root, lock, files } = this.#parts.partsFor(agent);
    const where = { path, root, lock, maxBytes: MAX_TRANSCRIPT_BYTES };
    return new DocumentFile(files === undefined ? where : { ...where, files });
  }

  /** The messages that this agent's log does not have, under the ids that they will have there. */
  async #unknown(
    snapshot: ConversationPart,
    place: ConversationPlace,
    stableId: StableIds,
  ): Promise<ConversationMessage[]> {
    const [{ agent }, thread] = [place, threadKey(place)];
    const { log } = this.#parts.partsFor(agent);
    const fresh: ConversationMessage[] = [];
    for (const message of snapshot.messages) {
      const role = message.role === snapshot.agent ? agent : message.role;
      // Ids of others may be as short as "1", so they only count together with all that the message says.
      const said = [snapshot.conversationId, message.id, message.role, JSON.stringify(message.content)];
      const own = stableId(message.at, said.join('\n'));
      const holder = OUR_ID.test(message.id) ? await log.get(message.id) : undefined;
      // An export that another agent of this workspace keeps as well needs ids of its own.
      const isOurs = holder === null || (holder?.agent === agent && holder.thread === thread);
      const id = isOurs ? message.id : own;
      const present = id === own ? await log.get(own) : holder;
      if (!present) fresh.push({ ...message, id, role });
    }
    return fresh;
  }

  /** In one batch: a disk that fails leaves none of them, and a message that is refused leaves the others. */
  async #addAll(
    place: ConversationPlace,
    switches: StoredSwitches,
    messages: readonly ConversationMessage[],
  ): Promise<void> {
    const { agent } = place;
    const parts = this.#parts.partsFor(agent);
    const names = messages.map(({ id }) => id);
    // The conversation asks for an id with each message, in their order.
    const ids: ConversationParts['ids'] = (prefix) =>
      prefix === 'msg' ? (names.shift() ?? parts.ids(prefix)) : parts.ids(prefix);
    const run = messages[0]?.run ?? null;
    const options = {
      ...this.#parts.switchesFor(agent),
      ...switches,
      agent,
      thread: threadKey(place),
      ...(run === null ? {} : { run }),
    };
    const conversation = new Conversation(options, { ...parts, ids });
    const unknownTime = parts.clock.now();
    const added = await Promise.allSettled(
      messages.map(({ role, content, metadata, at }) =>
        conversation.add(role, content, { metadata, at: at === 0 ? unknownTime : at }),
      ),
    );
    const failure = added.find((each) => each.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
    await conversation.close();
  }

  async #stored(agent: string): Promise<StoredSwitches> {
    const { historyLimit, persistentMemory } =
      (await this.#parts.switchesInFile?.(agent)) ?? this.#parts.switchesFor(agent);
    return { historyLimit, persistentMemory };
  }

  /** An agent that keeps nothing must not be reported as having imported something. */
  async #switchesToWrite(place: ConversationPlace): Promise<StoredSwitches> {
    const { agent } = place;
    const stored = await this.#stored(agent);
    const switches = { ...stored, persistentMemory: stored.persistentMemory && isOwnConversation(place) };
    if (switches.historyLimit > 0 || switches.persistentMemory) return switches;
    throw new KeepsakeError('READ_ONLY', `${agent} keeps no conversation, so nothing can be added to it.`, {
      hint: 'Set "history" or "persistentMemory" of the agent in keepsake.jsonc, or in the frontmatter of its file.',
    });
  }

  async #seqOf(agent: string, thread: string, id: string): Promise<number> {
    const message = await this.#parts.partsFor(agent).log.get(id);
    if (message?.agent === agent && message.thread === thread) return message.seq;
    throw new KeepsakeError('NOT_FOUND', `There is no message ${id} in the log of ${agent}.`, {
      hint: 'See "keepsake log get" for the ids.',
    });
  }
}
