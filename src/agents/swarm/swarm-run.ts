/** An active swarm run in this process: its participants, its usage, and its cancellation. */
import { defined } from '../../kernel/defined.ts';
import { KeepsakeError, toKeepsakeError } from '../../kernel/errors.ts';
import type { SwarmResult, SwarmResultHit } from '../../knowledge/index.ts';
import type { ModelCall } from '../../ports/model-meter.ts';
import type { RunRecord, RunStatus, RunUsage } from '../../ports/run-store.ts';
import {
  HEARTBEAT_MS,
  type KeepResultInput,
  RunHandle,
  type RunServices,
  STATE_LEASE,
} from '../../working/index.ts';
import { RunAccount } from './account.ts';
import type { Participation } from './participation.ts';
import { Spending } from './spending.ts';

/** How soon a run notices that another process cancelled it. */
const LOOK_MS = 250;

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
  /** What earlier runs found about the task; its result links to them. */
  readonly earlier: readonly SwarmResultHit[];
  /** Stores the working memory of a completed run as a record. */
  readonly snapshot: boolean;
  /** Stores its result. */
  readonly keep: (input: KeepResultInput) => Promise<SwarmResult | null>;
  readonly signal?: AbortSignal | undefined;
}

export class SwarmRun extends RunHandle implements AsyncDisposable {
  /** What earlier runs found about the task. */
  readonly earlier: readonly SwarmResultHit[];
  readonly #record: RunRecord;
  readonly #services: RunServices;
  readonly #options: SwarmRunOptions;
  readonly #account: RunAccount;
  readonly #spending: Spending;
  readonly #stop = new AbortController();
  readonly #members = new Map<string, Member>();
  readonly #timer: NodeJS.Timeout;
  readonly #unlisten: () => void;
  #status: RunStatus = 'running';
  #touchedAt: number;
  #ending: Promise<boolean> | undefined;
  #result: SwarmResult | null = null;

  constructor(record: RunRecord, services: RunServices, options: SwarmRunOptions) {
    super(record, services);
    const { budget, signal, earlier } = options;
    this.earlier = earlier;
    this.#record = record;
    this.#services = services;
    this.#options = options;
    this.#account = new RunAccount(budget);
    this.#spending = new Spending(
      () => this.usage,
      (usage) => services.touch(record, usage),
    );
    this.#touchedAt = record.startedAt;
    this.#timer = setInterval(() => void this.#look().catch(() => {}), LOOK_MS);
    this.#timer.unref();
    const abort = (): void => this.#stop.abort(stopped('The run was stopped before it finished.'));
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

  /** What it came to, once it was completed with an output. */
  get result(): SwarmResult | null {
    return this.#result;
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
      },
      onCall: (call) => this.#count(call),
      admit: () => {
        const { overspent } = this.#account;
        if (overspent !== undefined) throw spent(overspent);
      },
    };
  }

  /**
   * Ends it as done. What it came to is stored as a result, which later runs find, with links to what earlier ones had found.
   * False when it had ended before: then nothing is stored.
   */
  async complete(output?: string): Promise<boolean> {
    await Promise.all([...this.#members.values()].map((member) => member.settled()));
    if (this.#ending !== undefined || this.#status !== 'running')
      return this.#ending?.then(() => false) ?? false;
    const { keep, snapshot } = this.#options;
    if (output !== undefined || snapshot) {
      const links = this.earlier.map(({ id }) => id);
      this.#result = await keep({ id: this.id, links, usage: this.usage, snapshot, ...defined({ output }) });
    }
    return this.finish({ status: 'completed', reason: null, result: this.#result?.id ?? null });
  }

  fail(reason: string): Promise<boolean> {
    return this.finish({ status: 'failed', reason, result: null });
  }

  /** When everything that it has spent is written. */
  settled(): Promise<void> {
    return this.#spending.settled();
  }

  /** A run that was left without an end is cancelled. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#status === 'running') await this.cancel('The program that started it stopped waiting for it.');
  }

  protected override finish(end: Parameters<RunHandle['finish']>[0]): Promise<boolean> {
    this.#ending ??= this.#finish(end);
    return this.#ending;
  }

  async #finish(end: Parameters<RunHandle['finish']>[0]): Promise<boolean> {
    clearInterval(this.#timer);
    this.#unlisten();
    if (!this.#stop.signal.aborted) this.#stop.abort(stopped(end.reason ?? 'The run has ended.'));
    await this.#spending.settled();
    const ended = await super.finish({ ...end, usage: this.usage });
    this.#status = ended ? end.status : (await this.details()).status;
    return ended;
  }

  /** Calls that were under way when the run ended are counted as well. */
  #count(call: ModelCall): void {
    this.#account.count(call);
    this.#spending.note();
    const { overspent } = this.#account;
    if (overspent === undefined || this.#stop.signal.aborted) return;
    this.#stop.abort(spent(overspent));
    // Whoever coordinates the run learns of it from the next call; the run itself is over now.
    this.fail(overspent).catch(() => {});
  }

  /** Another process may have ended the run; and others must be able to tell that this one works on it. */
  async #look(): Promise<void> {
    const now = this.#services.clock.now();
    if (now - this.#touchedAt >= HEARTBEAT_MS) {
      this.#touchedAt = now;
      await this.#services.touch(this.#record, this.usage);
    }
    this.#spending.retry();
    const { status, reason } = await this.details();
    if (status === 'running' || this.#ending !== undefined) return;
    this.#status = status;
    clearInterval(this.#timer);
    this.#stop.abort(stopped(reason ?? 'The run has ended.'));
  }
}

function spent(message: string): KeepsakeError {
  return stopped(message, 'Give the swarm a larger budget, or fewer agents.');
}

function stopped(
  message: string,
  hint = 'Start another run; the messages of this one are kept.',
): KeepsakeError {
  return new KeepsakeError('ABORTED', message, { hint });
}
