/** kill -9 while documents are indexed: the next run completes what the last one began, without doubles. */
import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { knowledgeWorkspace, paragraphs } from '../knowledge/support/fixture.ts';

const API = pathToFileURL(join(import.meta.dirname, '../../src/index.ts')).href;
/** Indexes a folder and says how far it is. */
const PROGRAM = `
  import { createClient } from ${JSON.stringify(API)};
  const [workspace, folder] = process.argv.slice(1);
  const client = createClient({ workspace, config: { models: { embedding: 'none' } } });
  const onProgress = ({ done }) => process.stdout.write(done + '\\n');
  await client.agent({ name: 'alice' }).knowledge.add(folder, { onProgress });
  await client.close();`;

/** Kills the process once it has done so many files. Says whether it had to. */
async function indexUntil(workspace: string, folder: string, files: number): Promise<boolean> {
  const words = ['--input-type=module', '--eval', PROGRAM, '--', workspace, folder];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.on('data', (part: Buffer) => {
    if (
      String(part)
        .split('\n')
        .some((line) => Number(line) >= files)
    )
      child.kill('SIGKILL');
  });
  return new Promise((done) => child.on('close', (_code, signal) => done(signal === 'SIGKILL')));
}

it('is finished by the next run, whatever was killed', async () => {
  const { folder, path, write, knowledge, chunks, writes } = knowledgeWorkspace({
    config: { models: { embedding: 'none' } },
  });
  const words = Array.from({ length: 30 }, (_, i) => `word${i}`);
  const texts = new Map<string, string>();
  const fill = (round: string) => {
    for (let i = 0; i < 60; i++) {
      const text = paragraphs(
        ...words.slice(0, 1 + ((i * 7 + round.length * 5) % 30)).map((word) => `${word}${round}${i}`),
      );
      texts.set(`docs/${i}.txt`, text);
      write(`docs/${i}.txt`, text);
    }
  };
  fill('a');
  expect(await indexUntil(folder, path('docs'), 10)).toBe(true);
  fill('bb');
  expect(await indexUntil(folder, path('docs'), 25)).toBe(true);
  fill('ccc');
  writeFileSync(path('docs/0.txt'), '');
  texts.delete('docs/0.txt');
  expect(await indexUntil(folder, path('docs'), 40)).toBe(true);

  await knowledge.refresh();
  const byFile = new Map<string, string[]>();
  for (const { metadata, content } of await chunks()) {
    const parts = byFile.get(String(metadata.path)) ?? [];
    parts[Number(metadata.chunk)] = content;
    byFile.set(String(metadata.path), parts);
  }
  expect([...byFile.keys()].sort()).toEqual([...texts.keys()].sort());
  for (const [file, parts] of byFile) {
    // Every chunk begins with words that the one before ends with; without them they are the file.
    const whole = parts.reduce((text, part) => {
      let shared = Math.min(100, part.length);
      while (!text.endsWith(part.slice(0, shared))) shared--;
      return text + part.slice(shared);
    }, '');
    expect(whole).toBe(texts.get(file));
  }
  expect((await chunks()).length).toBe([...byFile.values()].flat().length);
  const before = await writes();
  await knowledge.refresh();
  expect(await writes()).toBe(before);
});

it('stores every chunk once when two processes index the same folder at the same time', async () => {
  const { folder, path, write, knowledge, chunks } = knowledgeWorkspace({
    config: { models: { embedding: 'none' } },
  });
  for (let i = 0; i < 40; i++)
    write(`docs/${i}.txt`, paragraphs(...[1, 2, 3, 4, 5, 6, 7, 8].map((j) => `w${i}x${j}`)));
  const killed = await Promise.all(
    [1, 2].map(() => indexUntil(folder, path('docs'), Number.POSITIVE_INFINITY)),
  );
  expect(killed).toEqual([false, false]);
  expect(await chunks()).toHaveLength(80);
  expect(await knowledge.refresh()).toEqual({ files: 40, added: 0, updated: 0, removed: 0, skipped: [] });
});

it('ends with an error when the folder is deleted while it is indexed', async () => {
  const { path, write, knowledge } = knowledgeWorkspace({ config: { models: { embedding: 'none' } } });
  for (let i = 0; i < 60; i++) write(`docs/${i}.txt`, paragraphs(`w${i}`, `x${i}`));
  let isDeleted = false;
  const onProgress = ({ done }: { readonly done: number }): void => {
    if (done < 10 || isDeleted) return;
    isDeleted = true;
    rmSync(path('docs'), { recursive: true });
  };
  await expect(knowledge.add(path('docs'), { onProgress })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: `${path('docs')} was deleted while it was being indexed.`,
  });
});

it.each(['docs', '.'])(
  'ends soon and small when %s is deleted under a process',
  { timeout: 120_000 },
  async (gone) => {
    const { folder, path, write } = knowledgeWorkspace({ config: { models: { embedding: 'none' } } });
    for (let i = 0; i < 400; i++) write(`docs/${i}.txt`, paragraphs(`w${i}`, `x${i}`, `y${i}`, `z${i}`));
    const words = ['--input-type=module', '--eval', PROGRAM, '--', folder, path('docs')];
    const child = spawn(process.execPath, words, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
    let most = 0;
    let deletedAt = 0;
    child.stdout.on('data', (part: Buffer) => {
      const done = Number(String(part).trim().split('\n').at(-1));
      if (done < 20 || deletedAt !== 0) return;
      deletedAt = Date.now();
      rmSync(join(folder, gone), { recursive: true, force: true, maxRetries: 5 });
    });
    const watch = setInterval(() => {
      try {
        const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
        most = Math.max(most, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024);
      } catch {}
    }, 100);
    const code = await new Promise<number | null>((done) => child.on('close', done));
    clearInterval(watch);
    expect(deletedAt).toBeGreaterThan(0);
    expect(code).not.toBe(0);
    expect(most).toBeLessThan(600);
    expect(Date.now() - deletedAt).toBeLessThan(60_000);
  },
);
