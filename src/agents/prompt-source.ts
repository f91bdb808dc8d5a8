/** Collects the parts of a prompt at the start of a task and before each model call. */
import {
  type Assembled,
  type AssembleInput,
  assemble,
  type Budgets,
  type DocumentHit,
  type Profile,
} from '../context/index.ts';
import {
  type CompressorChoice,
  type Conversation,
  type ConversationMessage,
  contentText,
  type EarlierTurns,
  earlierTurns,
  shortenResults,
} from '../conversation/index.ts';
import type { Caller } from '../kernel/caller.ts';
import { contextLengthOf } from '../kernel/context-length.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import type { Source } from '../kernel/record.ts';
import type { LongTermMemory } from '../knowledge/index.ts';
import type { ChatMessage } from '../ports/language-model.ts';
import type { LogStore } from '../ports/log-store.ts';
import type { MemoryHit, RecalledMemory, RecordService } from '../records/index.ts';
import type { SectionsService } from '../sections/index.ts';
import { toChatMessage } from './chat-messages.ts';
import type { Instructions } from './instructions.ts';
import { pairCalls } from './pair-calls.ts';
import type { PromptReceipts } from './prompt-receipts.ts';
import type { Transcript } from './transcript.ts';

/** What belongs beside the task: outcomes, summaries and notes. Facts belong into the system message. */
const PAST: readonly Source[] = ['task_completion', 'session_summary', 'file_index', 'swarm_result'];
const MOST_HITS = 20;
const MOST_PASSAGES = 5;
const MOST_EXCHANGES = 3;

/** External documents, and whether they are asked at every loop instead of only at the beginning. */
export interface KnowledgeSource {
  readonly memory: Pick<LongTermMemory, 'query'>;
  readonly everyLoop: boolean;
}

export interface PromptSettings {
  readonly session: string;
  readonly model: string;
  readonly agent: string | null;
  readonly instructions: Instructions;
  /** Null: long-term facts are off, or the session has no agent whose facts they would be. */
  readonly memory: {
    readonly budgets: Partial<Budgets>;
    /** What is known about the user; none without it. */
    readonly profile?: () => Promise<Profile>;
  } | null;
  readonly knowledge: KnowledgeSource | null;
}

export interface PromptServices {
  readonly records: Pick<RecordService, 'recall'>;
  /** Null where no earlier threads can be searched, as through a server. */
  readonly log: LogStore | null;
  readonly sections: Pick<SectionsService, 'promptIndex'>;
  readonly caller: Caller | undefined;
  readonly transcript: Transcript;
  /** What makes room in the conversation before a prompt is put together; null when nothing does. */
  readonly room: { readonly compressor: CompressorChoice; readonly conversation: Conversation } | null;
  /** Whether the agent has the tool that reads the rest of a result that was shortened. */
  readonly canReadOn: boolean;
  /** Where the receipts of the prompts go; null when nobody keeps them. */
  readonly receipts: PromptReceipts | null;
}

/** What one task called for; the same for all of its loops. */
interface Gathered {
  readonly now: number;
  readonly task: string;
  readonly memory: Pick<RecalledMemory, 'standing' | 'relevant'> | undefined;
  readonly profile: Profile | undefined;
  readonly past: readonly MemoryHit[];
  readonly earlier: readonly EarlierTurns[];
  readonly soul: string | undefined;
  readonly documents: readonly DocumentHit[];
}

interface Surroundings {
  /** What was said before the first user's turn that is sent; empty when there is none. */
  readonly earlier: string;
  readonly history: ChatMessage[];
  readonly progress: ChatMessage[];
}

export class PromptSource {
  readonly #settings: PromptSettings;
  readonly #services: PromptServices;
  #gathered: Gathered | undefined;
  #taskId: string | undefined;

  constructor(settings: PromptSettings, services: PromptServices) {
    this.#settings = settings;
    this.#services = services;
  }

  /** Looks up what the task calls for; needs nothing of the transcript, and may continue while the task is put there. */
  async begin(task: string, now: number): Promise<void> {
    const soulText = this.#settings.instructions.soul();
    const [memory, profile, earlier, soul, documents] = await Promise.all([
      this.#recall(task),
      this.#settings.memory?.profile?.(),
      this.#saidEarlier(task),
      soulText,
      this.#lookUp(task),
    ]);
    const past = memory?.relevant.filter(({ source }) => PAST.includes(source)) ?? [];
    const facts = memory?.relevant.filter(({ source }) => !PAST.includes(source)) ?? [];
    this.#gathered = {
      now,
      task,
      soul,
      documents,
      earlier,
      profile,
      past,
      memory: memory === undefined ? undefined : { standing: memory.standing, relevant: facts },
    };
  }

  /** The task is in the transcript, under this id. */
  placed(taskId: string): void {
    this.#taskId = taskId;
  }

  /** The messages for the next call of the model; makes room for them first if needed. */
  async next(loop: number): Promise<readonly ChatMessage[]> {
    await this.#makeRoom();
    const assembled = await this.#assemble(loop);
    this.#services.receipts?.keep(assembled, loop, this.#taskId);
    return assembled.messages;
  }

  /** Resolves when the receipt of the last prompt is stored. */
  async settled(): Promise<void> {
    await this.#services.receipts?.settled();
  }

  /** Tokens that the model reads at once. */
  async #window(): Promise<number> {
    const { room } = this.#services;
    const compressor = await room?.compressor.get();
    // A compressor of the program's own may be any object with compressIfNeeded().
    const own = room === null ? undefined : compressor?.contextLengthFor?.(room.conversation);
    return (
      own ?? room?.conversation.compression?.contextLength ?? contextLengthOf(this.#settings.model).tokens
    );
  }

  /** A compaction that failed costs room, not the answer; it is stored as an event. */
  async #makeRoom(): Promise<void> {
    const { room } = this.#services;
    if (room === null) return;
    const compressor = await room.compressor.get();
    const keep = this.#taskId === undefined ? [] : [this.#taskId];
    await compressor?.compressIfNeeded(room.conversation, { keep }).catch(() => null);
  }

  async #assemble(loop: number): Promise<Assembled> {
    const gathered = this.#gathered as Gathered;
    const { now, task, memory, profile, past, earlier: said, soul } = gathered;
    const { session, model, agent, knowledge } = this.#settings;
    const { instructions, rules, customRules } = this.#settings.instructions;
    const { transcript, sections, caller } = this.#services;
    const [turns, preamble, sectionsIndex] = await Promise.all([
      transcript.turns(),
      transcript.preamble(),
      caller === undefined ? undefined : sections.promptIndex(caller),
    ]);
    const window = await this.#window();
    const shorten = { window, canReadOn: this.#services.canReadOn };
    const { earlier, history, progress } = this.#around(turns.map((turn) => shortenResults(turn, shorten)));
    const startUp = [preamble, earlier].filter((text) => text !== null && text !== '').join('\n\n');
    const documents =
      loop > 1 && knowledge?.everyLoop === true
        ? await this.#lookUp(latest(progress, task))
        : gathered.documents;
    const input: AssembleInput = {
      now,
      agent: agent ?? undefined,
      session,
      model,
      memory,
      sectionsIndex,
      soul,
      instructions,
      rules,
      customRules,
      startUp,
      history,
      task,
      progress,
      relevantKnowledge: past,
      earlier: said,
      profile,
      documents,
      budgets: this.#settings.memory?.budgets,
    };
    return assemble(input);
  }

  /**
   * Where a summary took the place of the task, it represents what came before; what was done since follows the task.
   * Providers refuse a chat that begins with an answer: such answers go before it, as part of the loaded memory.
   */
  #around(turns: readonly ConversationMessage[]): Surroundings {
    const { transcript } = this.#services;
    const own = new Set(transcript.said.map(({ id }) => id));
    const place = turns.findIndex(({ id }) => id === this.#taskId);
    const before =
      place === -1 ? turns.findLastIndex(({ metadata }) => metadata.summary === true) + 1 : place;
    const since = turns.slice(place === -1 ? before : place + 1).filter(({ id }) => own.has(id));
    const chat = (messages: readonly ConversationMessage[]): ChatMessage[] =>
      pairCalls(messages.map((message) => toChatMessage(message, transcript.speaker)));
    const [leading, history] = splitAtUser(turns.slice(0, before), transcript.speaker);
    const earlier = leading.map(({ role, content }) => `${role}: ${contentText(content)}`).join('\n\n');
    return { earlier, history: chat(history), progress: chat(since) };
  }

  async #lookUp(text: string): Promise<readonly DocumentHit[]> {
    const { knowledge } = this.#settings;
    if (knowledge === null) return [];
    try {
      return await knowledge.memory.query(text, { limit: MOST_PASSAGES });
    } catch (error) {
      if (KeepsakeError.is(error)) throw error;
      const message = error instanceof Error ? error.message : String(error);
      throw new KeepsakeError('UNAVAILABLE', `The long-term memory of this agent failed: ${message}`, {
        cause: error,
        hint: 'Check the database that was given as longTermMemory.',
      });
    }
  }

  async #saidEarlier(task: string): Promise<readonly EarlierTurns[]> {
    const { caller, log } = this.#services;
    if (this.#settings.memory === null || caller === undefined || log === null) return [];
    return earlierTurns(log, { query: task, limit: MOST_EXCHANGES }, caller);
  }

  async #recall(task: string): Promise<Pick<RecalledMemory, 'standing' | 'relevant'> | undefined> {
    const { caller, records } = this.#services;
    if (this.#settings.memory === null || caller === undefined) return undefined;
    // Two budgets share what is found, so more is asked for than either holds.
    return records.recall({ task, limit: MOST_HITS, maxChars: 100_000 }, caller);
  }
}

/** The answers and tool results before the first user's turn, and the rest, which keeps every summary. */
function splitAtUser(
  messages: readonly ConversationMessage[],
  agent: string,
): [ConversationMessage[], ConversationMessage[]] {
  const roles = messages.map((message) => toChatMessage(message, agent).role);
  const user = roles.indexOf('user');
  const end = user === -1 ? messages.length : user;
  const isLeading = (i: number): boolean => i < end && roles[i] !== 'system';
  return [messages.filter((_, i) => isLeading(i)), messages.filter((_, i) => !isLeading(i))];
}

/** In later loops, the last words say better what is looked for than the task does. */
function latest(messages: readonly ChatMessage[], task: string): string {
  const last = messages.at(-1)?.content;
  const text =
    typeof last === 'string'
      ? last
      : (last ?? [])
          .map((part) => (part.type === 'text' ? part.text : part.type === 'toolResult' ? part.result : ''))
          .join(' ');
  return `${task}\n${text.slice(0, 2_000)}`.toWellFormed();
}
