/** Paths of files in memory: relative to the workspace, or absolute if they are outside; and files that are not documents. */
import { realpath } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Caller } from '../kernel/caller.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import { isGlob } from './files/ignore-rules.ts';

export interface PlacesOptions {
  /** Root of the workspace. */
  readonly root: string;
  /** Files and folders that Keepsake keeps memory in: they are no external documents. */
  readonly own: readonly string[];
}

export class Places {
  readonly #options: PlacesOptions;
  #root: Promise<string> | undefined;

  constructor(options: PlacesOptions) {
    this.#options = options;
  }

  /** The name under which a file is kept and cited; stays valid when the workspace moves with it. */
  async nameOf(path: string): Promise<string> {
    const way = relative(await this.#realRoot(), path);
    if (way === '') return '.';
    return isInside(way) ? way.split(sep).join('/') : path;
  }

  async pathOf(name: string): Promise<string> {
    return resolve(await this.#realRoot(), name);
  }

  /** A path in the workspace in terms of its real root, as all paths here are. */
  async real(path: string): Promise<string> {
    return join(await this.#realRoot(), relative(this.#options.root, path));
  }

  /** The real path of what a caller names. */
  find(path: string, { via }: Caller): Promise<string> {
    const isHere = via === 'sdk' || via === 'cli' || via === 'system';
    return isHere ? this.#findHere(path) : this.#findInside(path);
  }

  async #findHere(path: string): Promise<string> {
    return realpath(resolve(path)).catch((cause: NodeJS.ErrnoException) => {
      throw new KeepsakeError('NOT_FOUND', `There is no file or folder ${resolve(path)} (${cause.code}).`, {
        hint: 'Correct the path.',
        cause,
      });
    });
  }

  /**
   * For whoever is not at this machine: he must neither read its disk through our memory, nor learn from the
   * answer which paths exist outside of the workspace. So the disk is not asked about those, and a link that leads out
   * looks like a file that does not exist.
   */
  async #findInside(path: string): Promise<string> {
    const root = await this.#realRoot();
    const place = resolve(root, path);
    const hint = 'From here only files in the workspace can be added; paths are relative to it.';
    const inside = [root, resolve(this.#options.root)].find((each) => isBelow(place, each));
    if (inside === undefined)
      throw new KeepsakeError('FORBIDDEN', `${path} lies outside of the workspace.`, { hint });
    const real = await realpath(join(root, relative(inside, place))).catch(() => undefined);
    if (real !== undefined && isBelow(real, root)) return real;
    throw new KeepsakeError('NOT_FOUND', `There is no file or folder ${path} in the workspace.`, { hint });
  }

  /** The same of a pattern such as "docs/*.md", whose folder must exist. */
  async findPattern(pattern: string, caller: Caller): Promise<string> {
    const segments = pattern.split('/');
    const first = segments.findIndex(isGlob);
    const folder = segments.slice(0, first).join('/');
    const found = await this.find(folder === '' && pattern.startsWith('/') ? '/' : folder || '.', caller);
    return `${found === '/' ? '' : found.split(sep).join('/')}/${segments.slice(first).join('/')}`;
  }

  /** Why a file is not an external document; undefined when it may be one. */
  async refusal(path: string): Promise<string | undefined> {
    if (basename(path).toLowerCase() === 'memory.md') {
      return 'It is the log of an agent, which Keepsake reads itself; it is not an external document.';
    }
    const own = await Promise.all(this.#options.own.map((each) => this.real(each)));
    return own.some((each) => isBelow(path, each))
      ? 'Keepsake stores memory in it; it is not an external document.'
      : undefined;
  }

  #realRoot(): Promise<string> {
    this.#root ??= realpath(this.#options.root);
    return this.#root;
  }
}

function isInside(way: string): boolean {
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Whether a path is another one, or lies below it. */
export function isBelow(path: string, folder: string): boolean {
  return isInside(relative(folder, path));
}
