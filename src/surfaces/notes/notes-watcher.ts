/** Watches the notes of all agents and updates memory when one changes. */
import { type FSWatcher, watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Engine } from '../../client/index.ts';
import type { Caller } from '../../kernel/caller.ts';
import { checkAgentName } from '../../kernel/names.ts';
import { callVerb } from '../../kernel/verb.ts';
import { verbs } from '../../verbs.ts';

export type NotesReport = Awaited<ReturnType<typeof verbs.notesIndex.run>>;

export interface WatchNotes {
  readonly engine: Engine;
  /** Only this agent; else all of them. */
  readonly agent?: string | undefined;
  readonly signal: AbortSignal;
  /** Called when an agent's notes were indexed because they changed, and once for each agent at the start. */
  readonly onIndexed: (agent: string, report: NotesReport) => void;
  readonly onProblem: (agent: string, error: unknown) => void;
  readonly pollMs?: number;
}

/** Agent → how its folder of notes looks from outside. */
type Looks = ReadonlyMap<string, string>;

/**
 * Messages of the operating system come at once but not always: folders that are new, network drives and containers
 * lose some. So they only say when to look; what changed is found by looking, which also happens by itself this often.
 */
const POLL_MS = 2_000;
/** A program that saves a file does so in several steps. */
const SETTLE_MS = 60;

function isAgent(name: string): boolean {
  try {
    return checkAgentName(name) === name;
  } catch {
    return false;
  }
}

/** Every file with what changes when its content does. Nothing is read. */
async function lookAt(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const lines = entries
    .filter((entry) => entry.isFile())
    .map(async (entry) => {
      const path = join(entry.parentPath, entry.name);
      const { mtimeMs = 0, ctimeMs = 0, size = 0, ino = 0 } = (await stat(path).catch(() => undefined)) ?? {};
      return `${path} ${mtimeMs} ${ctimeMs} ${size} ${ino}`;
    });
  return (await Promise.all(lines)).sort().join('\n');
}

async function lookAround({ engine, agent }: WatchNotes): Promise<Looks> {
  const { agentsFolder, notesFolder } = engine.paths;
  const folders = await readdir(agentsFolder, { withFileTypes: true }).catch(() => []);
  const names = folders.filter((each) => each.isDirectory() && isAgent(each.name)).map(({ name }) => name);
  const wanted = agent === undefined ? names : names.filter((name) => name === agent);
  return new Map(
    await Promise.all(wanted.map(async (name) => [name, await lookAt(notesFolder(name))] as const)),
  );
}

/** Ends when the signal says so. */
export async function watchNotes(options: WatchNotes): Promise<void> {
  const { signal, pollMs = POLL_MS } = options;
  const bell = new Bell(options.engine.paths.agentsFolder);
  const known = new Map<string, string>();
  try {
    while (!signal.aborted) {
      bell.hang();
      const looks = await lookAround(options);
      for (const [agent, look] of looks) {
        if (known.get(agent) === look || signal.aborted) continue;
        if (await indexNotes(agent, options)) known.set(agent, look);
      }
      for (const agent of known.keys()) {
        // Of an agent whose folder is gone, the notes are gone as well.
        if (!looks.has(agent) && (await indexNotes(agent, options))) known.delete(agent);
      }
      await bell.wait(pollMs, signal);
    }
  } finally {
    bell.remove();
  }
}

/** What failed is tried again in the next round. */
async function indexNotes(
  agent: string,
  { engine, signal, onIndexed, onProblem }: WatchNotes,
): Promise<boolean> {
  const caller: Caller = { viewer: { agent, role: 'worker' }, via: 'cli' };
  try {
    onIndexed(agent, await callVerb(verbs.notesIndex, engine, {}, caller, { signal }));
    return true;
  } catch (error) {
    if (!signal.aborted) onProblem(agent, error);
    return false;
  }
}

/** Rings when something moves below a folder; where that cannot be heard, nobody rings and polling does it alone. */
class Bell {
  readonly #folder: string;
  #watcher: FSWatcher | undefined;
  #hasRung = false;
  #wake: () => void = () => {};

  constructor(folder: string) {
    this.#folder = folder;
  }

  hang(): void {
    if (this.#watcher !== undefined) return;
    try {
      this.#watcher = watch(this.#folder, { recursive: true }, () => {
        this.#hasRung = true;
        this.#wake();
      });
      this.#watcher.on('error', () => this.remove());
    } catch {
      // Not there yet, or too many files are watched already.
    }
  }

  async wait(most: number, signal: AbortSignal): Promise<void> {
    if (!this.#hasRung) {
      const over = new AbortController();
      const rung = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      const ended = AbortSignal.any([signal, over.signal]);
      await Promise.race([rung, pause(most, undefined, { signal: ended }).catch(() => {})]);
      over.abort();
    }
    if (this.#hasRung) await pause(SETTLE_MS, undefined, { signal }).catch(() => {});
    this.#hasRung = false;
  }

  remove(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }
}
