/** Several processes, and processes that end before their time. */
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import type { MemoryHit, MemoryRecord } from '../../src/index.ts';
import { json, runCli, startCli, temporaryWorkspace } from '../surfaces/cli/support/run-cli.ts';

let cwd: string;

beforeEach(() => {
  cwd = temporaryWorkspace();
});

describe('processes', () => {
  it('B-27 an acknowledged add survives kill -9, B-28 another process finds it', async () => {
    for (const word of ['alpha', 'beta', 'gamma']) {
      const child = startCli(['memory', 'add', '--quiet', `The word is ${word}.`], { cwd });
      const [acknowledgement] = await once(child.stdout!, 'data');
      child.kill('SIGKILL');
      await once(child, 'exit');
      const hits = await json<MemoryHit[]>(['memory', 'search', word], { cwd });
      expect(hits[0]?.id).toBe(String(acknowledgement).trim());
    }
    expect((await runCli(['doctor'], { cwd })).code).toBe(0);
  });

  it('write at once, also the very first time, and nothing is lost', async () => {
    const texts = Array.from({ length: 8 }, (_, i) => `memory number ${i}`);
    const runs = await Promise.all(texts.map((text) => runCli(['memory', 'add', text], { cwd })));
    expect(runs.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      runs.map(() => ({ code: 0, stderr: '' })),
    );
    const listed = await json<MemoryRecord[]>(['memory', 'list'], { cwd });
    expect(listed.map(({ content }) => content).sort()).toEqual(texts);
  });

  it('store the same text once', async () => {
    const runs = await Promise.all(
      [1, 2, 3].map(() => json<{ outcome: string }>(['memory', 'add', 'the same'], { cwd })),
    );
    expect(runs.map(({ outcome }) => outcome).sort()).toEqual(['added', 'duplicate', 'duplicate']);
  });

  it('are watched by another: every event of memory, as it happens, for one agent', async () => {
    const watch = startCli(['watch', '--json', '--agent', 'alice', '--type', 'memory'], { cwd });
    const lines = createInterface({ input: watch.stdout! })[Symbol.asyncIterator]();
    const first = lines.next();
    let heard: { done?: boolean } | undefined;
    void first.then((line) => {
      heard = line;
    });
    // What is added before the watch has begun is not told, so somebody goes on adding until it is.
    for (let i = 0; heard === undefined; i++) {
      await runCli(['memory', 'add', '--agent', 'bob', `for Bob ${i}`], { cwd });
      await runCli(['memory', 'add', '--agent', 'alice', `for Alice ${i}`], { cwd });
    }
    const event = JSON.parse(String((await first).value)) as { type: string; agent: string };
    expect(event).toMatchObject({ type: 'memory.wrote', agent: 'alice', via: 'cli' });
    watch.kill('SIGINT');
    expect((await once(watch, 'exit'))[0]).toBe(130);
  });

  it('carry memory from one workspace into another, and complete commands', async () => {
    await runCli(['memory', 'add', '--agent', 'alice', 'Prefers green tea.'], { cwd });
    expect((await runCli(['export', 'all.keepsake', '--quiet'], { cwd })).stdout).toBe(
      `${join(cwd, 'all.keepsake')}\n`,
    );
    const there = temporaryWorkspace();
    const file = join(cwd, 'all.keepsake');
    const { code, stdout } = await runCli(['import', file], { cwd: there });
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/Imported from an archive[\s\S]*memories {2}1 added/),
    ]);
    expect(
      await json<MemoryHit[]>(['memory', 'search', 'tea', '--agent', 'alice'], { cwd: there }),
    ).toHaveLength(1);
    const script = await runCli(['completion', 'bash'], { cwd });
    expect([script.code, script.stdout]).toEqual([
      0,
      expect.stringContaining('complete -o filenames -F _keepsake keepsake'),
    ]);
  });

  it('back up while others write', async () => {
    await runCli(['memory', 'add', 'first'], { cwd });
    const writers = [1, 2, 3].map((i) => runCli(['memory', 'add', `more ${i}`], { cwd }));
    const backup = await runCli(['backup', 'safe.db'], { cwd });
    expect(backup.code).toBe(0);
    expect((await Promise.all(writers)).map(({ code }) => code)).toEqual([0, 0, 0]);
    const copy = new Database(join(cwd, 'safe.db'), { readonly: true });
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
    copy.close();
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('close the database on %s and end with %i', async (signal, exit) => {
    const data = join(cwd, 'data');
    const child = startCli(['demo', '--as-writer', '--workspace', cwd], { cwd });
    await once(child.stdout!, 'data');
    expect(readdirSync(data)).toContain('keepsake.db-wal');
    child.kill(signal);
    const [code] = await once(child, 'exit');
    expect(code).toBe(exit);
    // The engine removes its journal only when it is closed properly.
    expect(readdirSync(data)).toEqual(['.gitignore', 'keepsake.db', 'keepsake.db.seen']);
    expect(await json(['memory', 'list'], { cwd })).toHaveLength(1);
  });
});
