/** The context of a command: global flags, output, and the client, which is closed at the end. */
import { existsSync, realpathSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { LocatedWorkspace } from '../../administration/target.ts';
import type { Client, Engine } from '../../client/index.ts';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import { defined } from '../../kernel/defined.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import type { Output } from './output.ts';
import { oneLine } from './terminal/printable.ts';

export class Context {
  readonly output: Output;
  readonly clock: Clock;
  /** From --workspace; undefined means the one that is found. */
  readonly workspace: string | undefined;
  /** The second word, if one was typed: of a group of commands only that one has to be made whole. */
  verb: string | undefined;
  /** What was read from stdin before the command line was loaded; undefined means that nobody has read it. */
  stdin: Uint8Array | undefined;
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

  /** A service would otherwise serve whatever workspace happens to lie above the folder that it was started in. */
  async refuseFolderAbove(): Promise<void> {
    const { found, root } = await this.#locate();
    if (found !== 'config' || root === process.cwd()) return;
    throw new KeepsakeError(
      'INVALID_INPUT',
      `The nearest workspace is in a parent folder, ${root}. A server does not use it unless you name it.`,
      { hint: `Name it: --workspace ${root}, or KEEPSAKE_WORKSPACE=${root}.`, details: { root } },
    );
  }

  /** A folder with agents that is not a workspace: whoever moves here from Agent.md has one, and no command looks there. */
  async noteAgentsHere(): Promise<void> {
    const { root } = await this.#locate();
    const here = process.cwd();
    if (this.workspace !== undefined || isSamePlace(root, here)) return;
    const files = await readdir(join(here, 'agents')).catch(() => []);
    const file = files.find((name) => name.endsWith('.md') && !name.endsWith('.memory.md'));
    if (file === undefined) return;
    this.output.note(
      `note: agents/${oneLine(file)} of this folder is not used, because the workspace is ${root}; "keepsake init ." makes this folder one`,
    );
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

  /** Aborted when it is time to end, for commands that would continue forever. */
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

/** Also when one of the two is reached through a link. */
const isSamePlace = (a: string, b: string): boolean =>
  a === b || (existsSync(a) && realpathSync(a) === realpathSync(b));
