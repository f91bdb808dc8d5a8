/** A session: prompts are sent, answers stream back, and at its end what was worth keeping is kept. */
import { KeepsakeError, toKeepsakeError } from '../kernel/errors.ts';
import type { EventDraft, EventOf, KeepsakeEvent } from '../kernel/events.ts';
import type { ModelCall } from '../ports/model-meter.ts';
import type { RunUsage } from '../ports/run-store.ts';
import type { Answer, RunEvent } from './run-events.ts';

export interface SendOptions {
  readonly onText?: (delta: string) => void;
  /** Memory was put into the prompt. */
  readonly onMemoryRecalled?: (event: EventOf<'memory.recalled'>) => void;
  /** The review at the end of the session is done. */
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

/** What a session was asked last, and what came of it. */
export interface SessionTask {
  readonly prompt: string;
  readonly answer?: string;
  readonly error?: string;
}

export interface SessionParts {
  readonly id: string;
  readonly agent: string | null;
  /** Runs one prompt, which is not in the transcript yet. `sent` resolves when the session has noted that it was sent. */
  run(prompt: string, signal: AbortSignal, sent: Promise<void>): AsyncGenerator<RunEvent>;
  emit(event: SessionEvent): Promise<void>;
  /** What the models of the session were asked so far. */
  usage(): RunUsage;
  /** Hears of every call of a model. */
  onCall(listener: (call: ModelCall) => void): void;
  /** Hears the events of the session and of its agent. */
  subscribe(listener: (event: KeepsakeEvent) => void): () => void;
  /** Called once, when all is done. */
  ended(): void;
  /** Reviews the session; never throws. */
  learn(outcome: 'completed' | 'failed' | 'aborted', task: SessionTask): Promise<void>;
}

/** Events without the envelope, which the session knows. */
export type SessionEvent = EventDraft extends infer Draft
  ? Draft extends { type: `session.${string}` }
    ? Omit<Draft, 'at' | 'via' | 'agent' | 'session'>
    : never
  : never;

type Outcome = 'completed' | 'failed' | 'aborted';

/** One code for every way of stopping, whatever the part that noticed it threw. */
function stoppedError(cause: unknown): KeepsakeError {
  if (KeepsakeError.is(cause) && cause.code === 'ABORTED') return cause;
  return new KeepsakeError('ABORTED', 'The run was stopped before it was done.', {
    cause,
    hint: 'What was said until then is kept; send again to go on.',
  });
}

export class Session implements AsyncDisposable {
  readonly id: string;
  readonly agent: string | null;
  readonly #parts: SessionParts;
  readonly #ending = new AbortController();
  #callbacks: SendOptions = {};
  #unsubscribe: (() => void) | undefined;
  #busy = false;
  #sending: Promise<void> | undefined;
  #ended: Promise<void> | undefined;
  #outcome: Outcome | undefined;
  #task: SessionTask | undefined;
  #prompts = 0;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.id = parts.id;
    this.agent = parts.agent;
    parts.onCall((call) => {
      try {
        this.#callbacks.onModelCall?.(call);
      } catch {
        // A listener that throws does not disturb the call that it hears of.
      }
    });
  }

  /** What its models were asked so far, the review included, and what that cost in dollars; null where a price is not known. */
  get usage(): RunUsage {
    return this.#parts.usage();
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
    const stop = new AbortController();
    const stopped = AbortSignal.any([
      stop.signal,
      this.#ending.signal,
      ...(signal === undefined ? [] : [signal]),
    ]);
    let outcome: Outcome = 'aborted';
    try {
      const sent = this.#parts.emit({ type: 'session.sent', characters: prompt.length });
      if (stopped.aborted) {
        await sent;
        throw stoppedError(stopped.reason);
      }
      for await (const event of this.#parts.run(prompt, stopped, sent)) {
        if (event.type === 'done') {
          outcome = 'completed';
          this.#task = { prompt, answer: event.answer.text };
          // Told first: whoever has the answer may never ask for what comes after it.
          await this.#finish(outcome);
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
      // What went wrong matters more than that it could not be noted.
      if (outcome !== 'completed') await this.#finish(outcome).catch(() => {});
    }
  }

  /** Ends the session; a completed one is reviewed for what is worth remembering. Safe to call twice. */
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
    // A stream is in the hands of whoever reads it, and ends when that one goes on.
    const outcome = this.#busy ? 'aborted' : this.#outcome;
    if (outcome !== undefined && this.#task !== undefined) await this.#parts.learn(outcome, this.#task);
    this.#unsubscribe?.();
    this.#parts.ended();
  }

  async #finish(outcome: Outcome): Promise<void> {
    this.#busy = false;
    this.#outcome = outcome;
    await this.#parts.emit({ type: `session.${outcome}`, prompts: this.#prompts });
  }

  #check(prompt: string): void {
    if (typeof prompt !== 'string' || prompt.trim() === '') {
      throw new KeepsakeError('INVALID_INPUT', 'There is nothing to send.', {
        hint: 'Pass what the agent should do, in words.',
      });
    }
    if (this.#ended !== undefined) {
      throw new KeepsakeError('CLOSED', 'This session has ended.', { hint: 'Begin another one.' });
    }
    if (this.#busy) {
      throw new KeepsakeError('CONFLICT', 'This session is still answering.', {
        hint: 'Wait for the answer, or begin another session.',
      });
    }
  }

  /** The callbacks of the last send stay until the session ends, for what its end still tells. */
  #listen(callbacks: SendOptions): void {
    this.#callbacks = callbacks;
    this.#unsubscribe ??= this.#parts.subscribe((event) => {
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
