/** Many processes on one workspace: no write is lost, none is done twice, and no lock of SQLite's reaches the user. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createClient, KeepsakeError } from '../../src/index.ts';
import { type Child, startChild } from './support/children.ts';
import { damageOf } from './support/intact.ts';
import type { AddManyMessage, AddManyOptions } from './support/tasks/add-many.ts';
import type { UpdateOneMessage } from './support/tasks/update-one.ts';
import { databaseOf, inFolder, withDatabase } from './support/workspace.ts';

const PROCESSES = 12;

/** Lets all children go at the same moment and returns what each said, once all have ended well. */
async function race<Message extends { readonly type: string }>(
  children: readonly Child<Message>[],
): Promise<readonly (readonly Message[])[]> {
  await Promise.all(children.map((child) => child.until(({ type }) => type === 'ready')));
  for (const child of children) child.send('go');
  const exits = await Promise.all(children.map((child) => child.exit));
  expect(exits.map(({ code, errors }) => ({ code, errors }))).toEqual(
    exits.map(() => ({ code: 0, errors: '' })),
  );
  return children.map(({ messages }) => messages);
}

const adding = (options: AddManyOptions): Child<AddManyMessage> => startChild('add-many', options);

function failuresIn(said: readonly (readonly AddManyMessage[])[]): string[] {
  return said
    .flat()
    .flatMap((message) => (message.type === 'failed' ? [`${message.code}: ${message.message}`] : []));
}

function damageIn(workspace: string): string[] {
  return withDatabase(databaseOf(workspace), damageOf);
}

it('keeps 12 × 100 writes of processes that create the workspace together', () =>
  inFolder(async (workspace) => {
    const textOf = (process: number, index: number): string => `process ${process} says ${index}`;
    const said = await race(
      Array.from({ length: PROCESSES }, (_, process) =>
        adding({
          workspace,
          agent: `agent-${process % 3}`,
          texts: Array.from({ length: 100 }, (_, index) => textOf(process, index)),
          lanes: 4,
          maxEntries: 10_000,
        }),
      ),
    );
    expect(failuresIn(said)).toEqual([]);
    const rows = withDatabase(databaseOf(workspace), (database) =>
      database.prepare('SELECT id, content FROM records ORDER BY rid').all(),
    ) as { id: string; content: string }[];
    console.log(`processes: ${said.flat().length - PROCESSES} acknowledged, ${rows.length} verified`);
    expect(rows.length).toBe(PROCESSES * 100);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    // What one process asked for in order is stored in order.
    for (let process = 0; process < PROCESSES; process++) {
      const own = rows.filter(({ content }) => content.startsWith(`process ${process} `));
      expect(own.map(({ content }) => content)).toEqual(
        Array.from({ length: 100 }, (_, i) => textOf(process, i)),
      );
      const answered = said[process]!.flatMap((message) => (message.type === 'added' ? [message] : []));
      expect(answered.map(({ index, id }) => [index, id])).toEqual(own.map(({ id }, index) => [index, id]));
    }
    expect(damageIn(workspace)).toEqual([]);
  }));

it('loses no update when 12 processes change one record', () =>
  inFolder(async (workspace) => {
    const times = 20;
    await using client = createClient({ workspace });
    const { memory } = client.agent({ name: 'shared' });
    const { id } = await memory.add({ content: 'a counter', metadata: { count: 0 } });
    const said = await race(
      Array.from({ length: PROCESSES }, () =>
        startChild<'update-one', UpdateOneMessage>('update-one', { workspace, agent: 'shared', id, times }),
      ),
    );
    const versions = said.flat().flatMap(({ type, version }) => (type === 'updated' ? [version!] : []));
    const conflicts = said.flat().filter(({ type }) => type === 'conflict').length;
    console.log(`processes: ${versions.length} updates acknowledged after ${conflicts} conflicts`);
    const history = await memory.history(id);
    expect(history.map(({ metadata }) => metadata.count)).toEqual(
      Array.from({ length: PROCESSES * times + 1 }, (_, i) => i),
    );
    expect(versions.sort((a, b) => a - b)).toEqual(
      Array.from({ length: PROCESSES * times }, (_, i) => i + 2),
    );
    expect(damageIn(workspace)).toEqual([]);
  }));

it('stores a text once when 8 processes add it with the same key', () =>
  inFolder(async (workspace) => {
    const texts = Array.from({ length: 25 }, (_, i) => `order ${i}`);
    const keys = texts.map((_, i) => `key-${i}`);
    const said = await race(
      Array.from({ length: 8 }, () =>
        adding({ workspace, agent: 'clerk', texts, keys, lanes: 5, maxEntries: 1_000 }),
      ),
    );
    expect(failuresIn(said)).toEqual([]);
    const answers = said.flat().flatMap((message) => (message.type === 'added' ? [message] : []));
    for (const index of texts.keys()) {
      const same = answers.filter((answer) => answer.index === index);
      expect(same.length).toBe(8);
      expect(new Set(same.map(({ id }) => id)).size).toBe(1);
      expect(same.filter(({ outcome }) => outcome === 'added').length).toBe(1);
    }
    const rows = withDatabase(databaseOf(workspace), (database) =>
      database.prepare('SELECT count(*) FROM records').pluck().get(),
    );
    console.log(`processes: ${answers.length} keyed adds acknowledged, ${rows} rows`);
    expect(rows).toBe(texts.length);
    expect(damageIn(workspace)).toEqual([]);
  }));

it('never has more facts than maxEntries while 6 processes add to one agent', () =>
  inFolder(async (workspace) => {
    const maxEntries = 25;
    const children = Array.from({ length: 6 }, (_, process) =>
      adding({
        workspace,
        agent: 'crowded',
        texts: Array.from({ length: 60 }, (_, index) => `process ${process} fact ${index}`),
        lanes: 4,
        maxEntries,
      }),
    );
    await using client = createClient({ workspace, config: { memory: { maxEntries } } });
    const { memory } = client.agent({ name: 'crowded' });
    await client.open();
    const counts: number[] = [];
    let running = true;
    const watch = async (): Promise<void> => {
      while (running) {
        // A list is of the moment in which it was asked for: what was pruned while it waited was live then.
        const listed = await memory.list({ limit: 1_000 });
        counts.push(listed.filter(({ expiresAt }) => expiresAt === null).length);
        await sleep(2);
      }
    };
    const watching = watch();
    const said = await race(children);
    running = false;
    await watching;
    console.log(
      `processes: looked ${counts.length} times, at most ${Math.max(...counts)} of ${maxEntries} facts`,
    );
    expect(failuresIn(said)).toEqual([]);
    expect(counts.filter((count) => count > 0).length).toBeGreaterThan(0);
    expect(Math.max(...counts)).toBe(maxEntries);
    expect((await memory.list({ limit: 1_000, state: 'any' })).length).toBe(360);
    expect(damageIn(workspace)).toEqual([]);
  }));

it('says BUSY when another process keeps the lock, stays awake meanwhile, and writes once the lock is free', () =>
  inFolder(async (workspace) => {
    const busyTimeoutMs = 2_000;
    await using client = createClient({ workspace, config: { storage: { sqlite: { busyTimeoutMs } } } });
    const { memory } = client.agent({ name: 'patient' });
    await memory.add({ content: 'before' });
    const holder = startChild<'hold-lock', { type: string }>('hold-lock', { file: databaseOf(workspace) });
    await holder.until(({ type }) => type === 'held');

    const gaps: number[] = [];
    let last = performance.now();
    const timer = setInterval(() => {
      gaps.push(performance.now() - last);
      last = performance.now();
    }, 5);
    const results = await Promise.allSettled(
      ['one', 'two', 'three'].map((content) => memory.add({ content })),
    );
    clearInterval(timer);
    // Readers need no lock.
    expect((await memory.list()).map(({ content }) => content)).toEqual(['before']);
    for (const result of results) {
      const reason = result.status === 'rejected' ? result.reason : undefined;
      if (!KeepsakeError.is(reason)) throw new Error(`Expected a refusal, got ${JSON.stringify(result)}`);
      expect(reason.code).toBe('BUSY');
      expect(reason.hint).toContain('storage.sqlite.busyTimeoutMs');
      expect(reason.retryable).toBe(true);
    }
    console.log(
      `processes: ${gaps.length} ticks while waiting, longest pause ${Math.max(...gaps).toFixed()} ms`,
    );
    expect(gaps.length).toBeGreaterThan(5);
    expect(Math.max(...gaps)).toBeLessThan(busyTimeoutMs / 2);

    // A writer that waits when the holder dies gets its turn.
    const waiting = memory.add({ content: 'during' });
    holder.process.kill('SIGKILL');
    await holder.exit;
    await waiting;
    await memory.add({ content: 'after' });
    expect((await memory.list()).map(({ content }) => content)).toEqual(['after', 'during', 'before']);
    expect(damageIn(workspace)).toEqual([]);
  }));

it('forgets and adds when both had to wait for the same lock', () =>
  inFolder(async (workspace) => {
    await using client = createClient({ workspace });
    const { memory } = client.agent({ name: 'patient' });
    const { id } = await memory.add({ content: 'a secret' });
    const holder = startChild<'hold-lock', { type: string }>('hold-lock', { file: databaseOf(workspace) });
    await holder.until(({ type }) => type === 'held');
    // The first is waiting when the second arrives, so that each has a transaction of its own, one right after the other.
    const forgetting = memory.forget(id);
    await sleep(100);
    const adding = memory.add({ content: 'right behind it' });
    await sleep(100);
    holder.process.kill('SIGKILL');
    await holder.exit;
    expect(await forgetting).toMatchObject({ id, characters: 'a secret'.length, journalErased: true });
    expect(await adding).toMatchObject({ outcome: 'added' });
    expect(damageIn(workspace)).toEqual([]);
  }));
