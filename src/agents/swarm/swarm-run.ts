/** A run under way in this process: its participants work, its account is kept, and it stops when anybody stops it. */
import { KeepsakeError, toKeepsakeError } from '../../kernel/errors.ts';
import type { ModelCall } from '../../ports/model-meter.ts';
import type { RunRecord, RunStatus, RunUsage } from '../../ports/run-store.ts';
import { RunHandle, type RunServices, STATE_LEASE } from '../../working/index.ts';
import { RunAccount } from './account.ts';
import type { Participation } from './participation.ts';

/** How soon a run notices that another process cancelled it. */
const LOOK_MS = 250;
/** Signs of life are noted no more often. */
const TOUCH_MS = 60_000;

export interface AskOptions {
  readonly onText?: (delta: string) => void;
  readonly signal?: AbortSignal;
}

/** An agent that works in a run. */
export interface Member {
  readonly name: string;
  run(prompt: string, options: AskOptions): Promise<string>;
  /** Waits for what its sessions still write. */
  settled(): Promise<void>;
}

export interface SwarmRunOptions {
  /** In dollars. */
  readonly budget: number;
  readonly signal?: AbortSignal | undefined;
}

export class SwarmRun extends RunHandle implements AsyncDisposable {
  readonly #services: RunServices;
  readonly #account: RunAccount;
  readonly #stop = new AbortController();
  readonly #members = new Map<string, Member>();
  readonly #timer: NodeJS.Timeout;
  readonly #unlisten: () => void;
  #status: RunStatus = 'running';
  #touchedAt: number;
  #ending: Promise<boolean> | undefined;

  constructor(record: RunRecord, services: RunServices, { budget, signal }: SwarmRunOptions) {
    super(record, services);
    this.#services = services;
    this.#account = new RunAccount(budget);
    this.#touchedAt = record.startedAt;
    this.#timer = setInterval(() => void this.#look().catch(() => {}), LOOK_MS);
    this.#timer.unref();
    const abort = (): void => this.#stop.abort(stopped('The run was stopped before it was done.'));
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
    this.#unlisten = () => signal?.removeEventListener('abort', abort);
  }

  get status(): RunStatus {
    return this.#status;
  }

  /** What the models were asked so far, and what it cost in dollars; null where a price is not known. */
  get usage(): RunUsage {
    return this.#account.usage;
  }

  /** Ends every session of the run when it is stopped. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  join(member: Member): void {
    this.#members.set(member.name, member);
  }

  /** Gives one participant something to do and resolves to its answer. */
  async ask(agent: string, prompt: string, options: AskOptions = {}): Promise<string> {
    const member = this.#members.get(agent);
    if (member === undefined) {
      throw new KeepsakeError('NOT_FOUND', `${JSON.stringify(agent)} is not part of this run.`, {
        hint: `Ask one of ${[...this.#members.keys()].join(', ')}.`,
      });
    }
    const signals = [this.#stop.signal, ...(options.signal === undefined ? [] : [options.signal])];
    try {
      this.#stop.signal.throwIfAborted();
      const answer = await member.run(prompt, { ...options, signal: AbortSignal.any(signals) });
      this.#services.note(this.id, agent);
      return answer;
    } catch (error) {
      // Why the run was stopped says more than that its sessions were.
      const reason: unknown = this.#stop.signal.aborted ? this.#stop.signal.reason : error;
      this.#services.note(this.id, agent, toKeepsakeError(reason).code);
      throw reason;
    }
  }

  /** How one of its participants is tied to the run. */
  participation(agent: string, isPassing: (message: { readonly seq?: number }) => boolean): Participation {
    const { clock } = this.#services;
    return {
      run: this.id,
      state: (session) => this.stateAs(agent, session),
      messages: (query) => this.messages(query),
      publish: async (message) => {
        const { id, role, content, at } = message;
        const leaseUntil = clock.now() + STATE_LEASE;
        const draft = { id, run: this.id, agent, role, content: content as never, at, leaseUntil };
        await this.#services.publish({ ...draft, passing: isPassing(message) });
        await this.#touch();
      },
      onCall: (call) => this.#count(call),
    };
  }

  async complete(result: string | null = null): Promise<boolean> {
    await Promise.all([...this.#members.values()].map((member) => member.settled()));
    return this.finish({ status: 'completed', reason: null, result });
  }

  fail(reason: string): Promise<boolean> {
    return this.finish({ status: 'failed', reason, result: null });
  }

  /** A run that was left without an end is cancelled. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#status === 'running') await this.cancel('The program that ran it went on without it.');
  }

  protected override finish(end: Parameters<RunHandle['finish']>[0]): Promise<boolean> {
    this.#ending ??= this.#finish(end);
    return this.#ending;
  }

  async #finish(end: Parameters<RunHandle['finish']>[0]): Promise<boolean> {
    clearInterval(this.#timer);
    this.#unlisten();
    if (!this.#stop.signal.aborted) this.#stop.abort(stopped(end.reason ?? 'The run has ended.'));
    const ended = await super.finish({ ...end, usage: this.usage });
    this.#status = ended ? end.status : (await this.details()).status;
    return ended;
  }

  #count(call: ModelCall): void {
    this.#account.count(call);
    const { overspent } = this.#account;
    if (overspent !== undefined && !this.#stop.signal.aborted) {
      this.#stop.abort(stopped(overspent, 'Give the swarm a larger budget, or fewer agents.'));
    }
  }

  async #touch(): Promise<void> {
    const now = this.#services.clock.now();
    if (now - this.#touchedAt < TOUCH_MS) return;
    this.#touchedAt = now;
    await this.#services.touch(this.id, { leaseUntil: now + STATE_LEASE, usage: this.usage });
  }

  /** Another process may have ended the run. */
  async #look(): Promise<void> {
    const { status, reason } = await this.details();
    if (status === 'running' || this.#ending !== undefined) return;
    this.#status = status;
    clearInterval(this.#timer);
    this.#stop.abort(stopped(reason ?? 'The run has ended.'));
  }
}

function stopped(
  message: string,
  hint = 'Start another run; what was said until then is kept.',
): KeepsakeError {
  return new KeepsakeError('ABORTED', message, { hint });
}
