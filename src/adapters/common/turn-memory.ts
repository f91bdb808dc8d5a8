/** Memory for one turn of a conversation: recalls before the model call and saves the messages after it. */
import type { AgentHandle, Receipt } from '../../client/index.ts';
import { memoryOf } from './memory-of.ts';
import type { AdapterOptions } from './options.ts';
import { Trouble } from './trouble.ts';

export interface TurnOptions extends AdapterOptions {
  /** Called with what entered the prompt and why. */
  readonly onRecall?: ((recalled: RecalledContext) => void) | undefined;
  /** False: nothing is saved after a turn. Default: true. */
  readonly save?: boolean | undefined;
  /** Most characters of memory in a prompt. Default: memory.maxCharsInjected of the configuration. */
  readonly maxChars?: number | undefined;
}

export interface RecalledContext {
  /** The fenced text that entered the prompt. */
  readonly text: string;
  readonly ids: readonly string[];
  readonly receipt: Receipt;
}

/** One turn is several calls of a model when it uses tools; so many turns are remembered, for conversations side by side. */
const MOST_TURNS = 100;

export class TurnMemory {
  readonly #options: TurnOptions;
  readonly #trouble: Trouble;
  readonly #turns = new Map<string, Promise<RecalledContext | undefined>>();
  #handle: AgentHandle | undefined;

  constructor(what: string, options: TurnOptions) {
    this.#options = options;
    this.#trouble = new Trouble(what, options);
  }

  /** Made on first use, so that options which cannot work are reported like every other failure of memory. */
  get handle(): AgentHandle {
    this.#handle ??= memoryOf(this.#options);
    return this.#handle;
  }

  /**
   * The block for a prompt; undefined when memory has nothing to say or fails. The same turn gets the same block, word for
   * word, in every step of a tool loop: providers cache prompts by their prefix.
   * @param turn what tells this turn apart from others of the same conversation
   */
  recall(task: string, turn: string): Promise<RecalledContext | undefined> {
    const known = this.#turns.get(turn);
    if (known !== undefined) return known;
    const recalled = this.#recallNow(task);
    this.#turns.set(turn, recalled);
    // A failure is not kept: the next step may do better.
    recalled.then(
      (context) => context ?? this.#turns.delete(turn),
      () => this.#turns.delete(turn),
    );
    for (const oldest of this.#turns.keys()) {
      if (this.#turns.size <= MOST_TURNS) break;
      this.#turns.delete(oldest);
    }
    return recalled;
  }

  async #recallNow(task: string): Promise<RecalledContext | undefined> {
    const { maxChars, onRecall } = this.#options;
    const context = await this.#trouble.read(() =>
      this.handle.memory.context(task === '' ? undefined : task, { maxChars }),
    );
    if (context === undefined || context.text === '') return undefined;
    const { text, ids, receipt } = context;
    const recalled = { text, ids, receipt: receipt as Receipt };
    onRecall?.(recalled);
    return recalled;
  }

  /** Saves a turn in the conversation; without `strict` the caller need not wait, and a failure is made up for later. */
  save(messages: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[]): Promise<void> {
    const said = messages.filter(({ text }) => text.trim() !== '');
    if (this.#options.save === false || said.length === 0) return Promise.resolve();
    let done = 0;
    return this.#trouble.write(async () => {
      // A second try continues where the first one failed.
      for (const { role, text } of said.slice(done)) {
        await this.handle.log.add(role, text);
        done++;
      }
    });
  }

  /** Resolves once all turns are saved; `waiting` counts those that memory refused so far. */
  settled(): Promise<{ readonly waiting: number }> {
    return this.#trouble.settled();
  }
}
