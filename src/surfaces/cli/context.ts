/** What every command works with: the global flags, the output, and the client that it opens and that is closed for it. */
import { existsSync } from 'node:fs';
import type { LocatedWorkspace } from '../../administration/target.ts';
import type { Client, Engine } from '../../client/index.ts';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import { defined } from '../../kernel/defined.ts';
import type { Output } from './output.ts';

export class Context {
  readonly output: Output;
  readonly clock: Clock;
  /** From --workspace; undefined means the one that is found. */
  readonly workspace: string | undefined;
  /** The second word, if one was typed: of a group of commands only that one has to be made whole. */
  verb: string | undefined;
  /** Set by a command that reports a problem without failing itself. */
  exitCode = 0;
  readonly #closing = new AbortController();
  readonly #endings: (() => Promise<void>)[] = [];
  #client: Client | undefined;
  #located: Promise<LocatedWorkspace> | undefined;

  constructor(output: Output, workspace: string | undefined, clock: Clock = systemClock) {
    this.output = output;
    this.workspace = workspace;
    this.clock = clock;
  }

  /** Opens the workspace; nothing of the engine is loaded before. */
  async open(): Promise<Engine> {
    const { workspace } = this;
    await this.#warn();
    const { createClient } = await import('../../client/index.ts');
    this.#client ??= createClient({ via: 'cli', ...defined({ workspace }) });
    return this.#client.open();
  }

  /** Where the workspace would be as long as nobody made it; undefined when it is there. Reading must not make it. */
  async missingWorkspace(): Promise<string | undefined> {
    const { root, config, paths } = await this.#locate();
    const isElsewhere = Object.values(config.storage).some(
      (each) => 'driver' in each && each.driver !== 'sqlite',
    );
    return isElsewhere || existsSync(root) || existsSync(paths.database) ? undefined : root;
  }

  #locate(): Promise<LocatedWorkspace> {
    this.#located ??= import('../../administration/target.ts').then(({ locate, refuseMissing }) => {
      // One that was typed must be there; an empty name is refused with other words.
      if (this.workspace) refuseMissing(this.workspace);
      return locate(this);
    });
    return this.#located;
  }

  /** Settings without effect, such as a misspelt variable of the environment. */
  async #warn(): Promise<void> {
    if (this.#client !== undefined) return;
    for (const warning of (await this.#locate()).warnings) this.output.note(`warning: ${warning}`);
  }

  /** Aborted when it is time to end, for commands that would go on for ever. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** What has to end before the workspace is closed, for example a server that still answers. */
  beforeClosing(end: () => Promise<void>): void {
    this.#endings.push(end);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#endings.map((end) => end()));
    await this.#client?.close();
  }
}
