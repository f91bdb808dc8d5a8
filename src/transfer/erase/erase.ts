/** Erases an agent or a user in every layer, with a signed receipt. An interrupted run continues where it stopped. */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../kernel/clock.ts';
import { defined } from '../../kernel/defined.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import type { IdFactory } from '../../kernel/ids.ts';
import { archiveKey, learnedKey, placeOfKey, threadsOf } from '../../kernel/threads.ts';
import type { Erased, Erasing, Traces } from '../../ports/erasing.ts';
import type { LogMessage } from '../../ports/log-store.ts';
import type { Storage } from '../../ports/storage.ts';
import type { WorkspacePaths } from '../../workspace/index.ts';
import { backupsOf, ownFiles, removeFiles, usersInFiles } from './files.ts';
import { COUNTED, ErasingNote, interruptedUsers, noCounts, notesFolder, type Progress } from './progress.ts';
import {
  type EraseReceipt,
  eraseReceipt,
  hashOf,
  isGenuine,
  type LayerCount,
  signReceipt,
} from './receipt.ts';
import { refuseRunning, removeRun, runsNaming } from './runs.ts';

export interface EraseServices {
  readonly storage: Storage;
  readonly paths: WorkspacePaths;
  readonly clock: Clock;
  readonly ids: IdFactory;
}

/** Forgotten together, and messages that are removed together. */
const PAGE = 500;

export type EraseLayers = Traces & {
  readonly items: number;
  readonly files: number;
  readonly runs: number;
};

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
  const runs = await runsNaming(storage, whose);
  const traces = await requireErasing(storage).count(whose);
  return { ...traces, items: items.length, files: files.length, runs: runs.length };
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
  // While the messages of the subject still tell which runs they belong to.
  await removeRuns(services, whose, progress, note);
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
        runs: counted(progress.runs),
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

async function removeRuns(
  { storage, clock }: EraseServices,
  whose: Erased,
  progress: Progress,
  note: ErasingNote,
): Promise<void> {
  const found = await runsNaming(storage, whose);
  await refuseRunning(storage, found, clock.now());
  if (found.length === 0) return;
  progress.runs.push(...found.map(({ id }) => id));
  await note.write(progress);
  for (const { id } of found) await removeRun(storage, id);
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
