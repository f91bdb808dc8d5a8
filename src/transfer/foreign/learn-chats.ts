/** Reviews imported chats with a language model, oldest first, within a budget that is stated before the first call. */
import {
  type Config,
  type Environment,
  estimateCost,
  type LanguageModelInput,
  openModels,
  resolveAgentConfig,
} from '../../config/index.ts';
import { contentText, type MessageContent } from '../../conversation/index.ts';
import { type Caller, speakerOf } from '../../kernel/caller.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import { conversationOf, learnedKey, threadKey } from '../../kernel/threads.ts';
import { estimateTokens } from '../../kernel/tokens.ts';
import { type ReviewServices, reviewSession } from '../../learning/index.ts';
import type { ChatMessage, LanguageModel } from '../../ports/language-model.ts';
import type { LogMessage } from '../../ports/log-store.ts';
import type { ModelMeter } from '../../ports/model-meter.ts';
import type { Storage } from '../../ports/storage.ts';
import type { ForeignConversation } from './foreign.ts';

export interface LearnParts extends ReviewServices {
  readonly storage: Storage;
  readonly config: Config;
  readonly env: Environment;
}

/** What the review of the chats will take at most: it stops before a call that would go beyond. */
export interface LearnPlan {
  readonly model: string;
  /** Calls of the model, one for each chat. */
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In dollars, at list prices; null when the price of the model is not known. */
  readonly cost: number | null;
  /** Chats for which `maxCalls` leaves no call. */
  readonly later: number;
  /** Chats that an earlier import had reviewed. */
  readonly reviewed: number;
  /** Chats with too few messages to learn from. */
  readonly short: number;
}

export interface LearnChatsOptions {
  /** Reviews the chats; the light model of the agent unless it is given. */
  readonly model?: LanguageModelInput | undefined;
  /** At most this many chats are reviewed now; the same import again continues with the rest. */
  readonly maxCalls?: number | undefined;
  /** Is told the budget before the first call; throw to spend nothing. */
  readonly onPlan?: ((plan: LearnPlan) => void | Promise<void>) | undefined;
  readonly onProgress?: ((progress: { readonly done: number; readonly total: number }) => void) | undefined;
}

export interface LearnedChats {
  readonly plan: LearnPlan;
  /** Chats that were reviewed now. */
  reviewed: number;
  /** Memories that were added, changed or confirmed. */
  memories: number;
  /** Chats whose review failed; the same import again tries them once more. */
  failed: number;
  /** Chats that the budget did not reach. */
  left: number;
  inputTokens: number;
  outputTokens: number;
  cost: number | null;
  /** Why it ended before the last chat; null when it did not. */
  stopped: string | null;
}

export interface ImportedChat {
  readonly conversation: ForeignConversation;
  /** Acts in the thread that the chat became. */
  readonly caller: Caller;
}

const INSTRUCTION_TOKENS = 1_200;
/** Known memories that the model is shown with a chat. */
const MEMORY_TOKENS = 800;
const ANSWER_TOKENS = 600;
/** More of a chat than this is not read. */
const LONGEST_CHAT = 120_000;
/** The model, or the way to it, is out of order; the chats are not the reason. */
const FAILURES_IN_A_ROW = 3;
const PAGE = 1_000;

const ROLES = { User: 'user', assistant: 'assistant', System: 'system', Tool: 'tool' } as const;

const turnsOf = ({ messages }: ForeignConversation): number =>
  messages.filter(({ role }) => role === 'User' || role === 'assistant').length;

function tokensOf({ messages }: ForeignConversation): number {
  const text = messages.map((message) => message.text.slice(0, 8_000)).join('\n');
  return estimateTokens(text.slice(0, LONGEST_CHAT)) + INSTRUCTION_TOKENS + MEMORY_TOKENS;
}

function chatOf({ id, role: speaker, content }: LogMessage): ChatMessage {
  const role = Object.hasOwn(ROLES, speaker) ? ROLES[speaker as keyof typeof ROLES] : 'assistant';
  const text = contentText(content as MessageContent);
  if (role !== 'tool') return { role, content: text };
  return { role, content: [{ type: 'toolResult', id, name: 'tool', result: text }] };
}

class ChatReview {
  readonly #parts: LearnParts;
  readonly #options: LearnChatsOptions;
  readonly #signal: AbortSignal | undefined;

  constructor(parts: LearnParts, options: LearnChatsOptions, signal: AbortSignal | undefined) {
    this.#parts = parts;
    this.#options = options;
    this.#signal = signal;
  }

  async run(chats: readonly ImportedChat[], agent: string, dryRun: boolean): Promise<LearnedChats> {
    const { memory } = resolveAgentConfig(this.#parts.config, agent);
    if (memory.readOnly) {
      throw new KeepsakeError(
        'FORBIDDEN',
        `The memory of ${agent} is read-only, so nothing can be learned.`,
        {
          hint: 'Set memory.readOnly of the agent to false.',
        },
      );
    }
    const { light, meter } = await this.#models(agent);
    const { plan, due } = await this.#plan(chats, light.id, memory.minMessagesToExtract);
    const learned: LearnedChats = {
      ...{ plan, reviewed: 0, memories: 0, failed: 0, left: due.length },
      ...{ inputTokens: 0, outputTokens: 0, cost: 0, stopped: null },
    };
    await this.#options.onPlan?.(plan);
    if (!dryRun) await this.#reviewAll(due, learned, { model: light, meter, memory });
    learned.left += plan.later;
    return learned;
  }

  async #models(agent: string): Promise<{ readonly light: LanguageModel; readonly meter: ModelMeter }> {
    const { config, env } = this.#parts;
    const { models: own } = resolveAgentConfig(config, agent);
    const { model } = this.#options;
    const wanted = model === undefined ? own : { main: model, light: undefined };
    const { local: _, ...others } = config.models;
    const models = model === undefined ? config.models : others;
    const opened = await openModels({ ...wanted, models, env });
    if (opened !== undefined) return opened;
    throw new KeepsakeError(
      'UNSUPPORTED',
      'Learning from chats needs a language model, and none is configured.',
      {
        hint: 'Set models.light in keepsake.jsonc or name one with --model, for example "openai/gpt-5-mini" with OPENAI_API_KEY, or "ollama/qwen3". The chats can be searched without one.',
      },
    );
  }

  async #plan(
    chats: readonly ImportedChat[],
    model: string,
    leastTurns: number,
  ): Promise<{ readonly plan: LearnPlan; readonly due: readonly ImportedChat[] }> {
    const long = chats.filter(({ conversation }) => turnsOf(conversation) >= leastTurns);
    const open: ImportedChat[] = [];
    for (const chat of long) if (!(await this.#isReviewed(chat))) open.push(chat);
    const due = open.slice(0, this.#options.maxCalls ?? open.length);
    const inputTokens = due.reduce((sum, { conversation }) => sum + tokensOf(conversation), 0);
    const usage = { inputTokens, outputTokens: due.length * ANSWER_TOKENS };
    const plan: LearnPlan = {
      ...{ model, calls: due.length, ...usage },
      cost: await estimateCost(model, usage, this.#parts.config.models.prices),
      later: open.length - due.length,
      reviewed: long.length - open.length,
      short: chats.length - long.length,
    };
    return { plan, due };
  }

  #keyOf({ caller }: ImportedChat): string {
    const place = conversationOf(caller, speakerOf(caller));
    return learnedKey(place.agent, threadKey(place));
  }

  /** A chat that continued since is reviewed again. */
  async #isReviewed(chat: ImportedChat): Promise<boolean> {
    const note = (await this.#parts.storage.log.journal(this.#keyOf(chat))) as { messages?: number } | null;
    return (note?.messages ?? 0) >= chat.conversation.messages.length;
  }

  async #reviewAll(
    due: readonly ImportedChat[],
    learned: LearnedChats,
    { model, meter, memory }: Reviewer,
  ): Promise<void> {
    const { plan } = learned;
    let failures = 0;
    for (const [done, chat] of due.entries()) {
      this.#options.onProgress?.({ done, total: due.length });
      this.#stopIfAsked(learned);
      const spent = meter.total();
      const next = tokensOf(chat.conversation) + ANSWER_TOKENS;
      const most = plan.inputTokens + plan.outputTokens;
      if (spent.inputTokens + spent.outputTokens + next > most * TOLERANCE) {
        learned.stopped = 'the stated budget is used up';
        break;
      }
      const problem = await this.#review(chat, learned, { model, memory });
      const { inputTokens, outputTokens, cost } = meter.total();
      Object.assign(learned, { inputTokens, outputTokens, cost });
      this.#stopIfAsked(learned);
      failures = problem === undefined ? 0 : failures + 1;
      if (failures >= FAILURES_IN_A_ROW) {
        learned.stopped = `the model failed ${FAILURES_IN_A_ROW} times in a row: ${problem}`;
        break;
      }
    }
    this.#options.onProgress?.({ done: due.length, total: due.length });
  }

  /** Marked as reviewed only when it was; resolves to what went wrong. */
  async #review(
    chat: ImportedChat,
    learned: LearnedChats,
    { model, memory }: Pick<Reviewer, 'model' | 'memory'>,
  ): Promise<string | undefined> {
    const { storage, clock } = this.#parts;
    const { caller, conversation } = chat;
    const report = await reviewSession(this.#parts, {
      ...{ caller, model, memory, signal: this.#signal, session: caller.thread! },
      messages: await this.#said(caller),
      importedFrom: Math.min(conversation.messages.at(-1)!.at, clock.now()),
    });
    if (report.status === 'failed') {
      learned.failed++;
      return report.problem?.message ?? 'unknown';
    }
    const entry = { at: clock.now(), messages: conversation.messages.length };
    await storage.log.append([], { journal: { key: this.#keyOf(chat), entry } });
    learned.reviewed++;
    learned.left--;
    learned.memories += report.applied;
    return undefined;
  }

  /** As the log has it now: what was deleted since is not learned. */
  async #said(caller: Caller): Promise<ChatMessage[]> {
    const place = conversationOf(caller, speakerOf(caller));
    const query = { agent: place.agent, thread: threadKey(place), newest: true, limit: PAGE };
    return (await this.#parts.storage.log.read(query)).map(chatOf);
  }

  #stopIfAsked({ reviewed, plan }: LearnedChats): void {
    if (this.#signal?.aborted !== true) return;
    throw new KeepsakeError(
      'ABORTED',
      `Learning was stopped after ${reviewed} of ${plan.calls} chats. What was learned is stored.`,
      { hint: 'Run the same import again: it continues with the next chat.' },
    );
  }
}

/** Estimates of tokens err by a few percent. */
const TOLERANCE = 1.25;

interface Reviewer {
  readonly model: LanguageModel;
  readonly meter: ModelMeter;
  readonly memory: Parameters<typeof reviewSession>[1]['memory'];
}

export function learnFromChats(
  parts: LearnParts,
  chats: readonly ImportedChat[],
  options: LearnChatsOptions & { readonly agent: string; readonly dryRun: boolean },
  signal: AbortSignal | undefined,
): Promise<LearnedChats> {
  return new ChatReview(parts, options, signal).run(chats, options.agent, options.dryRun);
}
