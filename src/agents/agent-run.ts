/**
 * One session of an agent, from its first prompt to what it taught: each prompt is put together from what the agent
 * knows, answered by the model and its tools, and kept in the conversation; the end of the session is reviewed.
 */
import { profileOf } from '../context/index.ts';
import type { CompressorChoice, Conversation } from '../conversation/index.ts';
import type { Caller } from '../kernel/caller.ts';
import { defined } from '../kernel/defined.ts';
import type { KeepsakeEvent, Via } from '../kernel/events.ts';
import type { IdFactory } from '../kernel/ids.ts';
import type { ModelCall, Models } from '../ports/model-meter.ts';
import type { RunUsage } from '../ports/run-store.ts';
import { endOfSession, type Outcome, type SessionTask } from './end-of-session.ts';
import type { Instructions } from './instructions.ts';
import { ModelLoop } from './model-loop.ts';
import { PendingReview, retryReview, takeUpReviews } from './pending-reviews.ts';
import { PromptReceipts, type ShownMemories } from './prompt-receipts.ts';
import { type KnowledgeSource, PromptSource } from './prompt-source.ts';
import type { RunEvent } from './run-events.ts';
import type { MemoryPolicy, RunServices, SessionKind } from './run-services.ts';
import { type SessionEvent, SessionEvents } from './session-events.ts';
import { admitted, type Participation, sharedTranscript } from './swarm/index.ts';
import type { Tool } from './tool.ts';
import { conversationTranscript, passingTranscript, type Transcript } from './transcript.ts';
import { untilStopped } from './until-stopped.ts';

/** Everything that is decided before an agent runs. */
export interface AgentRunPlan {
  /** Id of the session. */
  readonly id: string;
  /** Null in a raw session, which has no identity and no memory. */
  readonly agent: string | null;
  readonly kind: SessionKind;
  readonly via: Via;
  /** In whose name memory is read and written; undefined in a raw session. */
  readonly caller: Caller | undefined;
  readonly models: Models;
  readonly instructions: Instructions;
  readonly memory: MemoryPolicy;
  /** External documents; null for none. */
  readonly knowledge: KnowledgeSource | null;
  /** Null: what is said is gone with the session. */
  readonly conversation: Conversation | null;
  readonly compressor: CompressorChoice | null;
  /** Nothing of the run is stored: no message, no task, no summary, nothing that it taught. */
  readonly isStateless: boolean;
  readonly tools: readonly Tool[];
  /** What the tools look short ids up in. */
  readonly shown: ShownMemories;
  readonly maxLoops: number | 'auto';
  readonly temperature?: number | undefined;
  /** Of an agent that works in a swarm run. */
  readonly swarm?: Participation | undefined;
}

export class AgentRun {
  readonly id: string;
  readonly agent: string | null;
  readonly #plan: AgentRunPlan;
  readonly #services: RunServices;
  readonly #models: Models;
  readonly #events: SessionEvents;
  readonly #transcript: Transcript;
  readonly #prompts: PromptSource;
  readonly #pending: PendingReview | undefined;
  /** How many of the messages `takeMessages` has named. */
  #named = 0;
  readonly #callListeners = new Set<(call: ModelCall) => void>();

  constructor(plan: AgentRunPlan, services: RunServices & { readonly ids: IdFactory }) {
    const { id, agent, kind, via, memory, conversation, swarm, caller, compressor, shown } = plan;
    const { clock, storage, records, sections } = services;
    this.id = id;
    this.agent = agent;
    this.#plan = plan;
    this.#services = services;
    const models = plan.models.fork((call) => this.#heard(call));
    this.#models = swarm === undefined ? models : admitted(models, swarm.admit);
    const user = caller?.viewer.user;
    const conversationRun = conversation?.run ?? null;
    this.#events = new SessionEvents({ session: id, agent, user, via, conversationRun }, services);
    const own =
      conversation === null ? passingTranscript(clock, services.ids) : conversationTranscript(conversation);
    this.#transcript = swarm === undefined ? own : sharedTranscript(own, swarm);
    const remembers = memory.enabled && agent !== null;
    this.#prompts = new PromptSource(
      {
        session: id,
        model: this.#models.main.id,
        agent,
        instructions: plan.instructions,
        memory: remembers
          ? {
              budgets: { maxCharsInjected: memory.maxCharsInjected },
              ...(memory.maxCharsProfile > 0 && caller !== undefined
                ? { profile: () => profileOf({ storage, clock }, memory.maxCharsProfile, caller) }
                : {}),
            }
          : null,
        knowledge: plan.knowledge,
      },
      {
        records,
        log: storage.log,
        sections,
        caller,
        transcript: this.#transcript,
        canReadOn: conversation !== null && plan.tools.some(({ name }) => name === 'more_context'),
        room: compressor === null || conversation === null ? null : { compressor, conversation },
        receipts: new PromptReceipts({
          events: this.#events,
          records: storage.records,
          clock,
          shown,
          memory: { recalls: remembers, counts: !memory.readOnly },
        }),
      },
    );
    if (!remembers || memory.readOnly || plan.isStateless) return;
    this.#pending = new PendingReview(services, { session: id, agent, kind, ...defined({ user }) });
  }

  /** Takes up, in the background, the reviews that earlier processes of the agent left undone. */
  takeUpReviews(): void {
    const given = this.#reviewing;
    if (given !== undefined) takeUpReviews(given);
  }

  /** What its models were asked so far. */
  get usage(): RunUsage {
    const { meter } = this.#models;
    return { ...meter.total(), models: meter.byModel() };
  }

  /** Hears of every call of a model. */
  onModelCall(listener: (call: ModelCall) => void): void {
    this.#callListeners.add(listener);
  }

  /** Hears the events of the session and of its agent; returns a function that stops it. */
  subscribe(listener: (event: KeepsakeEvent) => void): () => void {
    return this.#events.subscribe(listener);
  }

  async emit(event: SessionEvent): Promise<void> {
    await Promise.all([this.#pending?.note(event.type, this.#transcript.said), this.#events.emit(event)]);
  }

  /** Ids of the messages since this was last called; none where nothing is stored. */
  takeMessages(): string[] {
    const fresh = this.#transcript.said.slice(this.#named);
    this.#named += fresh.length;
    return this.#plan.conversation === null ? [] : fresh.map(({ id }) => id);
  }

  /** Answers one prompt, which is not in the transcript yet. `sent`: the session has stored that it was sent. */
  async *answer(prompt: string, signal: AbortSignal, sent: Promise<void>): AsyncGenerator<RunEvent> {
    const begun = this.#prompts.begin(prompt, this.#services.clock.now());
    // Thrown below, once what was said is kept.
    begun.catch(() => {});
    const [task] = await Promise.all([this.#transcript.begin(prompt), sent]);
    this.#prompts.placed(task.id);
    try {
      await untilStopped(begun, signal);
      yield* this.#loop(signal).run();
    } finally {
      this.#transcript.done(task.id);
    }
  }

  #loop(signal: AbortSignal): ModelLoop {
    const { tools, maxLoops, temperature } = this.#plan;
    return new ModelLoop({
      models: this.#models,
      prompts: this.#prompts,
      transcript: this.#transcript,
      tools,
      maxLoops,
      temperature,
      context: { agent: this.agent, session: this.id, signal },
    });
  }

  /** Keeps what the session taught; never throws. */
  async learn(outcome: Outcome, task: SessionTask): Promise<void> {
    const { caller, kind, instructions, isStateless } = this.#plan;
    if (isStateless) return;
    const report = await endOfSession({
      ...this.#teaching,
      models: this.#models,
      caller,
      session: this.id,
      told: await instructions.all(),
      said: this.#transcript.said,
      outcome,
      task: kind === 'chat' ? undefined : task,
      isAutomatic: kind === 'automatic',
    });
    const attempts = await this.#pending?.done(report);
    const given = this.#reviewing;
    if (attempts !== undefined && given !== undefined) retryReview(given, this.id, attempts);
  }

  /** What reviews are made with; undefined when none are. */
  get #reviewing() {
    const { agent, caller, models } = this.#plan;
    if (this.#pending === undefined || agent === null || caller === undefined) return undefined;
    return { ...this.#teaching, agent, caller, models };
  }

  get #teaching() {
    const { memory, instructions } = this.#plan;
    return { services: this.#services, memory, instructions, speaker: this.#transcript.speaker };
  }

  #heard(call: ModelCall): void {
    this.#plan.swarm?.onCall(call);
    for (const listener of this.#callListeners) listener(call);
  }
}
