/** Erases an agent or a user in every layer, and proves it with a signed receipt. What was interrupted goes on where it stopped. */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../kernel/clock.ts';
import { defined } from '../../kernel/defined.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import type { IdFactory } from '../../kernel/ids.ts';
import { archiveKey, learnedKey, placeOfKey, threadsOf } from '../../kernel/threads.ts';
import type { Erased, Erasing, SweptThread, Traces } from '../../ports/erasing.ts';
import type { LogMessage } from '../../ports/log-store.ts';
import type { Storage } from '../../ports/storage.ts';
import type { WorkspacePaths } from '../../workspace/index.ts';
import { backupsOf, ownFiles, removeFiles, usersInFiles } from './files.ts';
import {
  type EraseReceipt,
  eraseReceipt,
  hashOf,
  isGenuine,
  type LayerCount,
  signReceipt,
} from './receipt.ts';

export interface EraseServices {
  readonly storage: Storage;
  readonly paths: WorkspacePaths;
  readonly clock: Clock;
  readonly ids: IdFactory;
}

/** Forgotten together, and messages that are removed together. */
const PAGE = 500;

export type EraseLayers = Traces & { readonly items: number; readonly files: number };

function requireErasing({ erasing }: Storage): Erasing {
  if (erasing !== undefined) return erasing;
  throw new KeepsakeError('UNSUPPORTED', 'The engine of this workspace cannot erase an agent or a user.', {
    hint: 'Use "sqlite" or "postgres" as the engine.',
  });
}

/** What there is of an agent or a user now, by layer. */
export async function whatIsLeft({ storage, paths }: EraseServices, whose: Erased): Promise<EraseLayers> {
  const items = await storage.items.read({ ...whose, namespace: [], limit: 100_000 });
  const files = await ownFiles(whose, paths);
  return { ...(await requireErasing(storage).count(whose)), items: items.length, files: files.length };
}

/** What was erased so far and what remains to be swept: outlives a crash in between, and is removed at the end. */
interface Progress {
  readonly startedAt: number;
  /** Only until the erasure is finished: once messages and memories are gone, nothing else names the user to go on with. */
  readonly user?: string;
  readonly threads: SweptThread[];
  readonly records: string[];
  readonly messages: string[];
  readonly counts: Record<Counted, number>;
  /** What the removal that was begun was about to remove; zeros while none is under way. */
  readonly pending: Record<Counted, number>;
}

const COUNTED = ['events', 'quarantined', 'marks', 'items', 'files'] as const;
type Counted = (typeof COUNTED)[number];
const noCounts = (): Record<Counted, number> => ({ events: 0, quarantined: 0, marks: 0, items: 0, files: 0 });

const PENDING = '.pending.json';
const notesFolder = ({ dataFolder }: WorkspacePaths): string => join(dataFolder, 'erasures');

class ErasingNote {
  readonly #file: string;
  readonly #user: string | undefined;

  constructor(paths: WorkspacePaths, subject: string, { user }: Erased) {
    this.#file = join(notesFolder(paths), `${subject}${PENDING}`);
    this.#user = user;
  }

  async read(now: number): Promise<Progress> {
    const counts = { counts: noCounts(), pending: noCounts() };
    const fresh = { startedAt: now, threads: [], records: [], messages: [], ...counts };
    const text = await readFile(this.#file, 'utf8').catch(() => undefined);
    const before = text === undefined ? {} : (JSON.parse(text) as Progress);
    return { ...fresh, ...before, ...defined({ user: this.#user }) };
  }

  /** Before what it is about is erased: afterwards nobody could tell. */
  async write(progress: Progress): Promise<void> {
    await mkdir(join(this.#file, '..'), { recursive: true, mode: 0o700 });
    await writeFile(`${this.#file}.new`, JSON.stringify(progress), { mode: 0o600 });
    await rename(`${this.#file}.new`, this.#file);
  }

  remove(): Promise<void> {
    return rm(this.#file, { force: true });
  }
}

const subjectOf = ({ agent, user }: Erased): EraseReceipt['subject'] =>
  user === undefined
    ? { kind: 'agent', sha256: hashOf(`agent ${agent}`) }
    : { kind: 'user', sha256: hashOf(`user ${user}`) };

export async function eraseSubject(services: EraseServices, whose: Erased): Promise<EraseReceipt> {
  const { storage, paths, clock, ids } = services;
  const erasing = requireErasing(storage);
  const subject = subjectOf(whose);
  const note = new ErasingNote(paths, subject.sha256.slice(0, 32), whose);
  const progress = await note.read(clock.now());
  await forgetAll(services, whose, progress, note);
  await retractAll(services, whose, progress, note);
  await removeRest(services, whose, progress, note);
  const { counts } = progress;
  const left = await whatIsLeft(services, whose);
  if (Object.values(left).some((number) => number > 0)) {
    await note.write(progress);
    throw new KeepsakeError('CONFLICT', 'New data about the subject was written while it was being erased.', {
      hint: 'Stop the program that writes it, and run the same command again: it continues where it stopped.',
      details: { left: { ...left } },
    });
  }
  const only = (erased: number): LayerCount => ({ erased, sha256: null });
  const receipt = signReceipt(
    {
      ...{ version: 1, id: ids('ers'), subject, startedAt: progress.startedAt, finishedAt: clock.now() },
      layers: {
        records: counted(progress.records),
        messages: counted(progress.messages),
        items: only(counts.items),
        events: only(counts.events),
        quarantine: only(counts.quarantined),
        files: only(counts.files),
        marks: only(counts.marks),
      },
      backups: await backupsOf(paths, clock.now()),
      remains: [...erasing.remains()],
    },
    paths.dataFolder,
  );
  await keepReceipt(receipt, paths);
  await note.remove();
  return receipt;
}

/** Files, items and whatever else is removed without a list: counted before, so that an interruption loses no count. */
async function removeRest(
  services: EraseServices,
  whose: Erased,
  progress: Progress,
  note: ErasingNote,
): Promise<void> {
  const { storage, paths } = services;
  const { counts, pending } = progress;
  const before = await whatIsLeft(services, whose);
  for (const layer of COUNTED) pending[layer] = Math.max(pending[layer], before[layer]);
  await note.write(progress);
  const files = await ownFiles(whose, paths);
  await removeFiles(whose, files, paths);
  const items = await storage.items.erase(whose);
  const swept = await requireErasing(storage).sweep(whose, progress.threads);
  const removed = { ...swept, items, files: files.length };
  for (const layer of COUNTED) counts[layer] += Math.max(pending[layer], removed[layer]);
  Object.assign(pending, noCounts());
  await note.write(progress);
}

/** Whoever was interrupted before the answer arrived finds it here; it names the subject by its hash only. */
async function keepReceipt(receipt: EraseReceipt, paths: WorkspacePaths): Promise<void> {
  const file = join(notesFolder(paths), `${receipt.id}.json`);
  await mkdir(notesFolder(paths), { recursive: true, mode: 0o700 });
  await writeFile(`${file}.new`, `${JSON.stringify(receipt, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

function counted(all: readonly string[]): LayerCount {
  const distinct = [...new Set(all)].sort();
  return { erased: distinct.length, sha256: hashOf(distinct.join('\n')) };
}

async function forgetAll(
  { storage, clock }: EraseServices,
  whose: Erased,
  progress: Progress,
  note: ErasingNote,
): Promise<void> {
  const viewer = { role: 'admin' } as const;
  for (;;) {
    const now = clock.now();
    const query = { viewer, now, filter: defined(whose), states: ['live', 'expired'] as const, limit: PAGE };
    const page = (await storage.records.list(query)).map(({ id }) => id);
    if (page.length === 0) return;
    progress.records.push(...page);
    await note.write(progress);
    await storage.records.forgetMany(page, { at: now, viewer, via: 'system' });
  }
}

async function retractAll(
  { storage: { log } }: EraseServices,
  whose: Erased,
  progress: Progress,
  note: ErasingNote,
): Promise<void> {
  const of = whose.user === undefined ? { agent: whose.agent } : { prefix: threadsOf(whose.user) };
  const seen = new Set(progress.threads.map(({ agent, thread }) => `${agent}\n${thread}`));
  for (;;) {
    const page: readonly LogMessage[] = await log.read({ ...of, includeDeleted: true, limit: PAGE });
    if (page.length === 0) return;
    for (const { agent, thread } of page) {
      const isNew = !seen.has(`${agent}\n${thread}`);
      seen.add(`${agent}\n${thread}`);
      const journals = [archiveKey(agent, thread), learnedKey(agent, thread)];
      if (isNew) progress.threads.push({ agent, thread, journals });
    }
    progress.messages.push(...page.map(({ id }) => id));
    await note.write(progress);
    await log.retract(page.map(({ id }) => id));
  }
}

export interface VerifiedErasure {
  /** Whether this workspace signed the receipt, and nobody changed it. */
  readonly genuine: boolean;
  /** What there is of the subject now; null when it was not named, so that nobody can look. */
  readonly left: EraseLayers | null;
  /** Genuine, about the subject that was named, and nothing of it is there. */
  readonly verified: boolean;
}

export async function verifyErasure(
  services: EraseServices,
  given: unknown,
  whose?: Erased,
): Promise<VerifiedErasure> {
  const parsed = eraseReceipt.safeParse(given);
  if (!parsed.success) {
    throw new KeepsakeError('INVALID_INPUT', 'This is not the receipt of an erasure.', {
      hint: 'Pass the JSON that "keepsake erase" printed.',
    });
  }
  const genuine = isGenuine(parsed.data, services.paths.dataFolder);
  if (whose === undefined) return { genuine, left: null, verified: false };
  const left = await whatIsLeft(services, whose);
  const isSame = subjectOf(whose).sha256 === parsed.data.subject.sha256;
  return {
    genuine,
    left,
    verified: genuine && isSame && Object.values(left).every((number) => number === 0),
  };
}

/** Users whose ids begin with a prefix and who have memories or conversations, or whose erasure was interrupted. */
export async function usersWith(
  { storage, paths }: EraseServices,
  prefix: string,
): Promise<readonly string[]> {
  const erasing = requireErasing(storage);
  const users = new Set((await interruptedUsers(paths)).filter((user) => user.startsWith(prefix)));
  for (let after: string | undefined; ; ) {
    const page = await erasing.users({ prefix, limit: PAGE, ...(after === undefined ? {} : { after }) });
    for (const user of page) users.add(user);
    if (page.length < PAGE) break;
    after = page.at(-1);
  }
  for (const user of await usersInFiles(paths)) if (user.startsWith(prefix)) users.add(user);
  for (const { agent, thread } of await storage.log.threads()) {
    const user = placeOfKey(agent, thread)?.user;
    if (user?.startsWith(prefix) === true) users.add(user);
  }
  return [...users];
}

async function interruptedUsers(paths: WorkspacePaths): Promise<string[]> {
  const folder = notesFolder(paths);
  const names = await readdir(folder).catch(() => []);
  const notes = names.filter((name) => name.endsWith(PENDING));
  const texts = await Promise.all(notes.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.flatMap((text) => (JSON.parse(text) as Progress).user ?? []);
}
