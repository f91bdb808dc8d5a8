/** Conversations of all agents: opened for agents, read from the log, compacted, exported and imported for people. */
import { queryTerms } from '../kernel/analysis.ts';
import { agentOf, type Caller, writerOf } from '../kernel/caller.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import { validate } from '../kernel/validate.ts';
import { ArchiveFiles } from './archive-files.ts';
import { Archives } from './archives.ts';
import { Conversation } from './conversation.ts';
import type { CompactResult, ConversationOptions, ConversationParts } from './conversation-options.ts';
import { diffLines } from './diff-lines.ts';
import { summarizeExtractively } from './extractive.ts';
import { decodeConversation, encodeConversation } from './formats/index.ts';
import {
  type CompactInput,
  compactInput,
  type LogExportInput,
  type LogImportInput,
  type LogSearchInput,
  type LogShowInput,
  logExportInput,
  logImportInput,
  logSearchInput,
  logShowInput,
} from './inputs.ts';
import { type ConversationMessage, contentText } from './message.ts';
import { fromLog } from './start-up.ts';

/** The switches of an agent's conversation. */
export type ConversationSwitches = Omit<ConversationOptions, 'agent'>;

export interface ConversationServiceParts {
  readonly partsFor: (agent: string) => ConversationParts;
  readonly switchesFor: (agent: string) => ConversationSwitches;
}

/** Log exports read the log in pages, so that memory stays flat until the text itself is made. */
const PAGE = 1_000;
const SUMMARY_TOKENS = 2_000;

export class ConversationService {
  readonly #parts: ConversationServiceParts;

  constructor(parts: ConversationServiceParts) {
    this.#parts = parts;
  }

  open(agent: string, switches: Partial<ConversationSwitches> = {}): Conversation {
    const options = { ...this.#parts.switchesFor(agent), ...switches, agent };
    return new Conversation(options, this.#parts.partsFor(agent));
  }

  /** The newest messages of the agent's thread, or a page before or after one of them; oldest first. */
  async show(input: LogShowInput, caller: Caller): Promise<readonly ConversationMessage[]> {
    const { limit, before, after, run } = validate(logShowInput, input, 'log.show');
    const agent = agentOf(caller);
    const { log } = this.#parts.partsFor(agent);
    const messages = await log.read({
      agent,
      thread: agent,
      newest: after === undefined,
      limit,
      ...(run === undefined ? {} : { run }),
      ...(before === undefined ? {} : { before: await this.#seqOf(agent, before) }),
      ...(after === undefined ? {} : { after: await this.#seqOf(agent, after) }),
    });
    return messages.map(fromLog);
  }

  /** Messages of the agent's thread by what they say, best first. */
  async search(input: LogSearchInput, caller: Caller): Promise<readonly ConversationMessage[]> {
    const { query, limit, run } = validate(logSearchInput, input, 'log.search');
    const agent = agentOf(caller);
    const where = { agent, thread: agent, ...(run === undefined ? {} : { run }) };
    const found = await this.#parts.partsFor(agent).log.search({ ...where, terms: queryTerms(query), limit });
    return found.map(fromLog);
  }

  /** The whole thread as a text in one of the formats. */
  async export(
    input: LogExportInput,
    caller: Caller,
  ): Promise<{ readonly messages: number; readonly text: string }> {
    const { format } = validate(logExportInput, input, 'log.export');
    const agent = agentOf(caller);
    const { log, clock } = this.#parts.partsFor(agent);
    const messages: ConversationMessage[] = [];
    for (let after = 0; ; after = messages.at(-1)?.seq ?? 0) {
      const page = await log.read({ agent, thread: agent, after, limit: PAGE });
      messages.push(...page.map(fromLog));
      if (page.length < PAGE) break;
    }
    const createdAt = messages[0]?.at ?? clock.now();
    const snapshot = { version: 1 as const, agent, conversationId: agent, createdAt, messages };
    return { messages: messages.length, text: await encodeConversation(snapshot, format) };
  }

  /** Adds the messages of an export to the agent's conversation, as new ones with their old times. */
  async import(input: LogImportInput, caller: Caller): Promise<{ readonly messages: number }> {
    const { text, format } = validate(logImportInput, input, 'log.import');
    const agent = writerOf(caller);
    const snapshot = await decodeConversation(text, format, { agent });
    const conversation = this.open(agent);
    await Promise.all(
      snapshot.messages.map(({ role, content, metadata, at }) =>
        conversation.add(role === snapshot.agent ? agent : role, content, { metadata, at }),
      ),
    );
    await conversation.close();
    return { messages: snapshot.messages.length };
  }

  async compact(
    input: CompactInput,
    caller: Caller,
  ): Promise<CompactResult & { readonly by: 'hand' | 'extractive' }> {
    const { summary, keepLast } = validate(compactInput, input, 'conversation.compact');
    const agent = writerOf(caller);
    const conversation = await this.open(agent).ready();
    const text = await conversation.returnHistoryAsString();
    if (text.trim() === '') {
      throw new KeepsakeError('NOT_FOUND', `${agent} has no conversation to compact yet.`, {
        hint: 'Conversations begin with the first message; see "keepsake log show".',
      });
    }
    const given = summary ?? summarizeExtractively(text, { maxTokens: SUMMARY_TOKENS });
    const result = await conversation.compact({ summary: given, keepLast });
    return { ...result, by: summary === undefined ? 'extractive' : 'hand' };
  }

  /** Reading archives opens nothing; only bringing one back opens the conversation. */
  archives(caller: Caller): Archives {
    const agent = agentOf(caller);
    const { archiveFolder: folder, root } = this.#parts.partsFor(agent);
    return new Archives(new ArchiveFiles({ folder, root }), async (_text, name) => {
      const conversation = await this.open(writerOf(caller)).ready();
      return conversation.archives.restore(name);
    });
  }

  /** Lines that differ between an archive and another one, or the messages of the active conversation. */
  async diff(from: string, to: string | undefined, caller: Caller): Promise<readonly string[]> {
    const archives = this.archives(caller);
    if (to !== undefined) return archives.diff(from, to);
    const active = await this.show({ limit: PAGE }, caller);
    const lines = (messages: readonly ConversationMessage[]) =>
      messages.map(({ role, content }) => `${role}: ${contentText(content)}`).join('\n');
    return diffLines(lines(await archives.messages(from)), lines(active));
  }

  async #seqOf(agent: string, id: string): Promise<number> {
    const message = await this.#parts.partsFor(agent).log.get(id);
    if (message !== null && message.agent === agent) return message.seq;
    throw new KeepsakeError('NOT_FOUND', `There is no message ${id} in the log of ${agent}.`, {
      hint: 'See "keepsake log show" for the ids.',
    });
  }
}
