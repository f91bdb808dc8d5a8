/** A session: sends prompts, streams answers, and starts the review when it ends. */
import { defined } from '../kernel/defined.ts';
import { KeepsakeError, toKeepsakeError } from '../kernel/errors.ts';
import type { EventOf, KeepsakeEvent } from '../kernel/events.ts';
import type { ModelCall } from '../ports/model-meter.ts';
import type { RunUsage } from '../ports/run-store.ts';
import type { AgentRun } from './agent-run.ts';
import type { Outcome, SessionTask } from './end-of-session.ts';
import type { Answer, RunEvent } from './run-events.ts';
import { endBeforeExit, hasEnded } from './unended-sessions.ts';

/** After this time without a prompt, a session is reviewed, because its program may never end it. It can still continue. */
const IDLE_MS = 10 * 60_000;

export interface SendOptions {
  readonly onText?: (delta: string) => void;
  /** Memory was put into the prompt. */
  readonly onMemoryRecalled?: (event: EventOf<'memory.recalled'>) => void;
  /** The review of the session is done; `status` says with what success. */
  readonly onMemoryExtracted?: (event: EventOf<'memory.extracted'>) => void;
  /** A memory was written, by a tool, by code or by the review. */
  readonly onMemoryWrote?: (event: EventOf<'memory.wrote'>) => void;
  /** The guard refused a text. */
  readonly onMemoryBlocked?: (event: EventOf<'memory.blocked'>) => void;
  /** A model was asked, for the answer or for the review: its tokens and what they cost. */
  readonly onModelCall?: (call: ModelCall) => void;
  /** Every event of the session, as it is stored. */
  readonly onEvent?: (event: KeepsakeEvent) => void;
  readonly signal?: AbortSignal;
}

/** One code for every way of stopping, whatever error the stopped part threw. */
function stoppedError(cause: unknown): KeepsakeError {
  if (KeepsakeError.is(cause) && cause.code === 'ABORTED') return cause;
  return new KeepsakeError('ABORTED', 'The run was stopped before it finished.', {
    cause,
    hint: 'Everything up to that point is stored; call send again to continue.',
  });
}

export class Session implements AsyncDisposable {
  readonly id: string;
  readonly agent: string | null;
  readonly #run: AgentRun;
  readonly #open: Set<{ end(): Promise<void> }>;
  readonly #ending = new AbortController();
  #callbacks: SendOptions = {};
  #unsubscribe: (() => void) | undefined;
  #busy = false;
  #sending: Promise<void> | undefined;
  #ended: Promise<void> | undefined;
  #outcome: Outcome | undefined;
  #task: SessionTask | undefined;
  #prompts = 0;
  /** How many of the prompts a review covers. */
  #reviewed = 0;
  #review: Promise<void> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;

  /** `open`: the sessions that have not ended; it is one of them until it does. */
  constructor(run: AgentRun, open: Set<{ end(): Promise<void> }>) {
    this.#run = run;
    this.#open = open;
    this.id = run.id;
    this.agent = run.agent;
    open.add(this);
    run.onModelCall((call) => {
      try {
        this.#callbacks.onModelCall?.(call);
      } catch {
        // A listener that throws does not disturb the call that it hears of.
      }
    });
  }

  /** What its models were asked so far, the review included, and what that cost in dollars; null where a price is not known. */
  get usage(): RunUsage {
    return this.#run.usage;
  }

  /** Sends a prompt and resolves to the whole answer. */
  async send(prompt: string, options: SendOptions = {}): Promise<Answer> {
    // Before the callbacks: a send that is refused must not take those of the one that is under way.
    this.#check(prompt);
    this.#listen(options);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#sending = promise;
    try {
      let answer: Answer | undefined;
      for await (const event of this.stream(prompt, options)) {
        if (event.type === 'text') options.onText?.(event.text);
        else if (event.type === 'done') answer = event.answer;
      }
      return answer as Answer;
    } finally {
      resolve();
    }
  }

  /** Sends a prompt and answers piece by piece. Whoever stops listening stops the run. */
  async *stream(prompt: string, { signal }: Pick<SendOptions, 'signal'> = {}): AsyncGenerator<RunEvent> {
    this.#check(prompt);
    this.#busy = true;
    this.#prompts++;
    clearTimeout(this.#idle);
    this.#open.add(this);
    const stop = new AbortController();
    const stopped = AbortSignal.any([
      stop.signal,
      this.#ending.signal,
      ...(signal === undefined ? [] : [signal]),
    ]);
    let outcome: Outcome = 'aborted';
    try {
      const sent = this.#run.emit({ type: 'session.sent', characters: prompt.length });
      if (stopped.aborted) {
        await sent;
        throw stoppedError(stopped.reason);
      }
      for await (const event of this.#run.answer(prompt, stopped, sent)) {
        if (event.type === 'done') {
          outcome = 'completed';
          this.#task = { prompt, answer: event.answer.text };
          // Stored first: a caller that has the answer may never ask for the next event.
          await this.#finish(outcome, event.answer);
        }
        yield event;
      }
    } catch (error) {
      if (outcome === 'completed') throw toKeepsakeError(error);
      outcome = stopped.aborted ? 'aborted' : 'failed';
      const failure = stopped.aborted ? stoppedError(error) : toKeepsakeError(error);
      this.#task = { prompt, error: failure.message };
      throw failure;
    } finally {
      stop.abort();
      // The error that ended the run matters more than one that prevents storing its end.
      if (outcome !== 'completed') await this.#finish(outcome).catch(() => {});
    }
  }

  /**
   * Ends the session; a completed one is reviewed for what is worth remembering. Safe to call twice. A session that you
   * do not end is ended when the client is closed or the program has nothing left to do, and reviewed after ten minutes
   * without a prompt.
   */
  end(): Promise<void> {
    this.#ended ??= this.#end();
    return this.#ended;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.end();
  }

  async #end(): Promise<void> {
    this.#ending.abort();
    await this.#sending;
    // A stream ends only when its reader asks for the next event.
    await this.#learn(this.#busy ? 'aborted' : this.#outcome);
    clearTimeout(this.#idle);
    this.#unsubscribe?.();
    this.#open.delete(this);
    hasEnded(this);
  }

  /** Once for all prompts so far. */
  #learn(outcome: Outcome | undefined): Promise<void> {
    const task = this.#task;
    if (outcome === undefined || task === undefined || this.#reviewed === this.#prompts) return this.#review;
    this.#reviewed = this.#prompts;
    this.#review = this.#review.then(() => this.#run.learn(outcome, task));
    return this.#review;
  }

  /** Nobody may be left who would end it, so closing the client need not wait for it either. */
  #waitForMore(): void {
    endBeforeExit(this);
    this.#idle = setTimeout(() => {
      hasEnded(this);
      void this.#learn(this.#outcome).then(() => {
        if (this.#reviewed === this.#prompts) this.#open.delete(this);
      });
    }, IDLE_MS);
    this.#idle.unref();
  }

  async #finish(outcome: Outcome, answer?: Answer): Promise<void> {
    this.#busy = false;
    this.#outcome = outcome;
    if (this.#ended === undefined) this.#waitForMore();
    const messages = this.#run.takeMessages();
    await this.#run.emit({
      ...{ type: `session.${outcome}`, prompts: this.#prompts },
      ...(messages.length === 0 ? {} : { messages }),
      ...(answer === undefined ? {} : { ...answer.usage, cost: answer.cost }),
    });
  }

  #check(prompt: string): void {
    if (typeof prompt !== 'string' || prompt.trim() === '') {
      throw new KeepsakeError('INVALID_INPUT', 'There is nothing to send.', {
        hint: 'Pass the task as a text.',
      });
    }
    if (this.#ended !== undefined) {
      throw new KeepsakeError('CLOSED', 'This session has ended.', { hint: 'Start a new session.' });
    }
    if (this.#busy) {
      throw new KeepsakeError('CONFLICT', 'This session is still answering.', {
        hint: 'Wait for the answer, or start another session.',
      });
    }
  }

  /** The callbacks of the last send stay until the session ends, because its review still emits events. */
  #listen(callbacks: SendOptions): void {
    // The review concerns the whole session: a later send without this callback does not take it away.
    const { onMemoryExtracted = this.#callbacks.onMemoryExtracted } = callbacks;
    this.#callbacks = { ...callbacks, ...defined({ onMemoryExtracted }) };
    this.#unsubscribe ??= this.#run.subscribe((event) => {
      const { onMemoryRecalled, onMemoryExtracted, onMemoryWrote, onMemoryBlocked, onEvent } =
        this.#callbacks;
      if (event.type === 'memory.recalled') onMemoryRecalled?.(event);
      else if (event.type === 'memory.extracted') onMemoryExtracted?.(event);
      else if (event.type === 'memory.wrote') onMemoryWrote?.(event);
      else if (event.type === 'memory.blocked') onMemoryBlocked?.(event);
      onEvent?.(event);
    });
  }
}
