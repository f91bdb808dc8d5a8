/** Conversations on a real database and real files, without a client around them, and a plain view of what is on disk. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseTranscript } from '../../../src/conversation/formats/memory-md.ts';
import { Conversation, type ConversationOptions } from '../../../src/conversation/index.ts';
import { contentText, type MessageContent } from '../../../src/conversation/messages/message.ts';
import { sqliteFileLock } from '../../../src/drivers/sqlite/file-lock.ts';
import { openSqlite } from '../../../src/drivers/sqlite/index.ts';
import { createIds } from '../../../src/kernel/ids.ts';
import type { Files } from '../../../src/ports/files.ts';
import type { LogStore } from '../../../src/ports/log-store.ts';
import { type FakeClock, fakeClock } from '../../../src/testing/index.ts';

/** What a person would find: `Role: text` of every block and of every row of the log; the agent itself is "Agent". */
export interface OnDisk {
  readonly active: readonly string[];
  readonly archives: readonly (readonly string[])[];
  /** With its deleted messages, whose text is gone. */
  readonly log: readonly string[];
  /** The part of the log that a conversation without MEMORY.md would begin with. */
  readonly view: readonly string[];
}

export interface Doors {
  readonly files?: Files;
  readonly log?: LogStore;
}

export interface World {
  readonly root: string;
  readonly clock: FakeClock;
  readonly log: LogStore;
  open(agent: string, options?: Partial<ConversationOptions>, doors?: Doors): Conversation;
  folder(agent: string): string;
  onDisk(agent: string): Promise<OnDisk>;
  journal(agent: string): Promise<unknown>;
  close(): Promise<void>;
}

export async function openWorld(): Promise<World> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'keepsake-conversations-')));
  const storage = await openSqlite({ file: join(root, 'data', 'keepsake.db') });
  const lock = sqliteFileLock();
  const clock = fakeClock('2026-03-01T12:00:00Z');
  const ids = createIds(clock);
  const folder = (agent: string) => join(root, 'agents', agent);
  return {
    root,
    clock,
    log: storage.log,
    folder,
    open: (agent, options = {}, { files, log = storage.log } = {}) =>
      new Conversation(
        { agent, historyLimit: 10, persistentMemory: true, ...options },
        {
          log,
          lock,
          clock,
          ids,
          root,
          memoryFile: join(folder(agent), 'MEMORY.md'),
          archiveFolder: join(folder(agent), 'archive'),
          exportFolder: join(folder(agent), 'exports'),
          newConversationId: () => crypto.randomUUID(),
          emit: async () => {},
          ...(files === undefined ? {} : { files }),
        },
      ),
    onDisk: (agent) => onDisk(storage.log, agent, folder(agent)),
    journal: (agent) => storage.log.journal(`MEMORY.md:agents/${agent}/MEMORY.md`),
    close: async () => {
      await storage.close();
      await lock.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

async function onDisk(log: LogStore, agent: string, folder: string): Promise<OnDisk> {
  const rows = await log.read({ agent, thread: agent, includeDeleted: true, limit: 10_000 });
  const boundary = await log.boundary(agent, agent);
  const lineOf = (row: (typeof rows)[number]) =>
    row.deletedAt === null ? line(row.role, contentText(row.content as MessageContent), agent) : '(deleted)';
  return {
    active: blocksIn(join(folder, 'MEMORY.md'), agent),
    archives: archivesIn(folder).map((name) => blocksIn(join(folder, 'archive', name), agent)),
    log: rows.map(lineOf),
    view: rows.filter(({ seq }) => seq > boundary).map(lineOf),
  };
}

export function archivesIn(folder: string): string[] {
  const archive = join(folder, 'archive');
  if (!existsSync(archive)) return [];
  return readdirSync(archive).filter((name) => name.startsWith('history_'));
}

export function blocksIn(file: string, agent: string): string[] {
  if (!existsSync(file)) return [];
  return parseTranscript(readFileSync(file, 'utf8')).blocks.map(({ role, text }) => line(role, text, agent));
}

const line = (role: string, text: string, agent: string): string =>
  `${role === agent ? 'Agent' : role}: ${text}`;
