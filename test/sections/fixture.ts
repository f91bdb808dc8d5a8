/** A workspace of its own for each test, clients on it, the sections file of an agent, and the service by itself. */
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { sqliteFileLock } from '../../src/drivers/sqlite/file-lock.ts';
import { type Client, type ClientOptions, createClient } from '../../src/index.ts';
import type { Caller } from '../../src/kernel/caller.ts';
import { KeepsakeError } from '../../src/kernel/errors.ts';
import { EventHub } from '../../src/kernel/events.ts';
import type { EventStore } from '../../src/ports/event-store.ts';
import type { FileLock } from '../../src/ports/file-lock.ts';
import type { Files } from '../../src/ports/files.ts';
import { SectionsService } from '../../src/sections/index.ts';
import { fakeClock } from '../../src/testing/index.ts';

export interface Workspace {
  readonly root: string;
  /** Path of the sections file of agent `name`. */
  file(name?: string): string;
  text(name?: string): string;
  client(options?: ClientOptions): Client;
}

export function makeWorkspace(): Workspace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'keepsake-sections-')));
  const clients: Client[] = [];
  onTestFinished(async () => {
    for (const client of clients) await client.close();
    rmSync(root, { recursive: true, force: true });
  });
  const file = (name = 'assistant') => join(root, 'agents', `${name}.memory.md`);
  return {
    root,
    file,
    text: (name) => readFileSync(file(name), 'utf8'),
    client: (options = {}) => {
      const client = createClient({ workspace: root, ...options });
      clients.push(client);
      return client;
    },
  };
}

/** For services whose guard lets everything through. */
const noEvents: EventStore = {
  append: () => Promise.reject(new Error('No event is due here.')),
  mirror: () => Promise.reject(new Error('Nothing is moved here.')),
  remove: () => Promise.reject(new Error('Nothing is removed here.')),
  read: async () => [],
  latest: async () => 0,
};

export interface ServiceOptions {
  readonly root: string;
  readonly lock: FileLock;
  readonly files?: Files;
  readonly readOnly?: boolean;
}

export function makeService(options: ServiceOptions): SectionsService {
  return new SectionsService({
    ...options,
    fileOf: (agent) => join(options.root, 'agents', `${agent}.memory.md`),
    events: noEvents,
    hub: new EventHub(),
    clock: fakeClock(0),
    guard: { inspect: () => ({ allowed: true, reasons: [] }) },
  });
}

export function makeLock(): FileLock {
  const lock = sqliteFileLock();
  onTestFinished(() => lock.close());
  return lock;
}

export function asAgent(agent = 'assistant'): Caller {
  return { viewer: { agent, role: 'worker' }, via: 'sdk' };
}

/** The error that a promise ends with; fails if it ends well. */
export async function errorOf(promise: Promise<unknown>): Promise<KeepsakeError> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (KeepsakeError.is(outcome)) return outcome;
  throw new Error('This should have failed with a KeepsakeError.', { cause: outcome });
}
