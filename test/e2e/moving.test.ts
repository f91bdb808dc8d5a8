/** Moving as a user does it: to Postgres and back, to another embedding model, and a kill -9 in the middle of each. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { applyEdits, modify } from 'jsonc-parser';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DoctorReport } from '../../src/administration/doctor.ts';
import { createClient, type MigrateReport, type ReEmbedReport } from '../../src/index.ts';
import { scriptedEmbeddings } from '../../src/testing/index.ts';
import { type Schemas, schemasForTests } from '../drivers/postgres/schemas.ts';
import {
  json,
  runCli,
  runOnTerminal,
  startCli,
  temporaryWorkspace,
} from '../surfaces/cli/support/run-cli.ts';

let schemas: Schemas;
beforeAll(async () => {
  schemas = await schemasForTests();
});
afterAll(() => schemas.stop());

async function fill(workspace: string, count: number): Promise<void> {
  const client = createClient({ workspace });
  const { memory, shortMemory } = client.agent({ name: 'alice' });
  await memory.search('opens the model');
  await Promise.all(
    Array.from({ length: count }, (_, i) =>
      memory.add({ content: `Fact ${i}: item ${i * 7} is on shelf ${i % 13}.` }),
    ),
  );
  const changed = await memory.add({ content: 'The kitten sleeps on the sofa.', tags: ['pets'] });
  await memory.update(changed.id, { content: 'The kitten sleeps in the garden.' });
  await memory.forget((await memory.add({ content: 'Nobody may know this.' })).id);
  const conversation = await shortMemory;
  await conversation.add('User', 'We ship on Friday.');
  await conversation.compact({ summary: 'Shipping is on Friday.' });
  await conversation.add('User', 'And Bob helps.');
  await client.close();
}

/** All lines of an export but the first and the last, which say when it was made, and the configuration. */
async function exported(cwd: string, name: string): Promise<unknown[]> {
  await json(['export', name], { cwd });
  const lines = gunzipSync(readFileSync(join(cwd, name)))
    .toString()
    .trim()
    .split('\n')
    .slice(1, -1);
  return lines
    .map((line) => JSON.parse(line) as { path?: string })
    .filter(({ path }) => path !== 'keepsake.jsonc');
}

function setStorage(cwd: string, storage: unknown): void {
  const file = join(cwd, 'keepsake.jsonc');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, applyEdits(text, modify(text, ['storage'], storage, {})));
}

/** A program that ends by itself will never get there. */
async function until(child: ChildProcess, isReached: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isReached())) {
    if (child.exitCode !== null) throw new Error(`It ended too soon, with ${child.exitCode}.`);
    await sleep(2);
  }
}

async function killed(child: ChildProcess): Promise<void> {
  const gone = once(child, 'close');
  child.kill('SIGKILL');
  await gone;
  expect(child.signalCode).toBe('SIGKILL');
}

it('SQLite to Postgres and back: an export before and one after are the same', async () => {
  const cwd = temporaryWorkspace();
  await fill(cwd, 20);
  const before = await exported(cwd, 'before.keepsake');
  const database = readFileSync(join(cwd, 'data/keepsake.db'));
  const url = schemas.take();

  const planned = await runCli(['migrate', '--to', url, '--dry-run'], { cwd });
  expect(planned.stdout).toContain('Would carry from');
  const { stdout, stderr, code } = await runCli(['migrate', '--to', url], { cwd });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('The same on both sides:');
  expect(stdout).toMatch(/memories +22 {2}sha256 [0-9a-f]{16}/);
  expect(stdout).toContain('"driver": "postgres"');
  expect(readFileSync(join(cwd, 'data/keepsake.db')).equals(database)).toBe(true);

  const again = await json<MigrateReport>(['migrate', '--to', url], { cwd });
  expect(again.outcome).toBe('same');
  setStorage(cwd, again.storage);
  expect(await exported(cwd, 'postgres.keepsake')).toEqual(before);

  const back = await json<MigrateReport>(['migrate', '--to', 'sqlite:data/back.db'], { cwd });
  setStorage(cwd, back.storage);
  expect(await exported(cwd, 'after.keepsake')).toEqual(before);
  const found = await json<{ content: string }[]>(['memory', 'search', 'pet', '--agent', 'alice'], { cwd });
  expect(found[0]?.content).toContain('kitten');
});

it('kill -9 in the middle of a migration: run again, it is complete', async () => {
  const cwd = temporaryWorkspace();
  await fill(cwd, 2_000);
  const url = schemas.take();
  const schema = new URL(url).searchParams.get('schema')!;
  const connection = new pg.Client(url);
  await connection.connect();
  try {
    const count = async (): Promise<number> => {
      const result = await connection.query(`SELECT count(*) FROM ${schema}.records`).catch(() => undefined);
      return Number(result?.rows[0].count ?? 0);
    };
    const child = startCli(['migrate', '--to', url], { cwd });
    await until(child, async () => (await count()) > 0);
    await killed(child);
    const carried = await count();
    expect(carried).toBeGreaterThan(0);
    expect(carried).toBeLessThan(2_002);
    const report = await json<Exclude<MigrateReport, { outcome: 'planned' }>>(['migrate', '--to', url], {
      cwd,
    });
    expect(report).toMatchObject({
      outcome: 'moved',
      carried: { records: { present: carried, added: 2_002 - carried } },
      verified: { records: { count: 2_002 }, vectors: { count: 2_001 } },
    });
  } finally {
    await connection.end();
  }
});

it('the way back into an older file: refused, offered, and kept under another name', async () => {
  const cwd = temporaryWorkspace();
  await fill(cwd, 3);
  const url = schemas.take();
  const { storage } = await json<MigrateReport>(['migrate', '--to', url], { cwd });
  setStorage(cwd, storage);
  await json(['memory', 'add', 'Written in Postgres.', '--agent', 'alice'], { cwd });
  const before = await exported(cwd, 'before.keepsake');
  const refused = await runCli(['migrate', '--to', 'sqlite:data/keepsake.db'], { cwd });
  expect(refused.code).toBe(65);
  expect(refused.stderr.replaceAll(/\s+/g, ' ')).toContain('Add --set-aside');
  expect(existsSync(join(cwd, 'data/migration.json'))).toBe(false);

  const asked = await runOnTerminal(['migrate', '--to', 'sqlite:data/keepsake.db'], { cwd, answer: 'n\n' });
  expect(asked.screen).toContain('Keep them under another name');
  expect(asked.code).toBe(130);
  const back = await json<MigrateReport & { asideAs: string }>(
    ['migrate', '--to', 'sqlite:data/keepsake.db', '--set-aside'],
    { cwd },
  );
  expect(back.asideAs).toMatch(/keepsake\.db\.aside-\d{14}$/);
  setStorage(cwd, back.storage);
  expect(await exported(cwd, 'after.keepsake')).toEqual(before);
  // The older one is whole.
  const aside = `sqlite:${back.asideAs}`;
  const old = await json<MigrateReport>(['migrate', '--from', aside, '--to', 'sqlite:old.db'], { cwd });
  expect(old).toMatchObject({ verified: { records: { count: 5 } } });
});

it('Ctrl-C says how to go on; the unfinished target takes no writes until it is finished or abandoned', async () => {
  const cwd = temporaryWorkspace();
  await fill(cwd, 2_000);
  const url = schemas.take();
  const schema = new URL(url).searchParams.get('schema')!;
  const connection = new pg.Client(url);
  await connection.connect();
  const env = { TARGET: url };
  try {
    const interrupt = async () => {
      const child = startCli(['migrate', '--to-env', 'TARGET'], { cwd, env });
      let said = '';
      child.stderr!.on('data', (part) => (said += String(part)));
      await until(child, async () => {
        const found = await connection
          .query(`SELECT 1 FROM ${schema}.records LIMIT 1`)
          .catch(() => undefined);
        return (found?.rowCount ?? 0) > 0;
      });
      const gone = once(child, 'close');
      child.kill('SIGINT');
      const [code] = await gone;
      expect(code).toBe(130);
      return said.replaceAll(/\s+/g, ' ');
    };
    expect(await interrupt()).toContain('Run the same "keepsake migrate" again to finish it');
    // Here the source is configured, and there the target.
    const here = await json<DoctorReport>(['doctor'], { cwd });
    expect(here.findings).toContainEqual(
      expect.objectContaining({ check: 'migration.finished', severity: 'notice' }),
    );
    const other = temporaryWorkspace();
    const there = { cwd: other, env: { KEEPSAKE_STORAGE_DRIVER: 'postgres', KEEPSAKE_STORAGE_URL: url } };
    const refused = await runCli(['memory', 'add', 'Too early.', '--agent', 'alice'], there);
    expect(refused.code).toBe(65);
    expect(refused.stderr).toContain('was not finished');
    const examined = await runCli(['doctor', '--json'], there);
    expect(JSON.parse(examined.stdout)).toMatchObject({ ok: false, code: 'CONFLICT' });

    const given = await json<{ asideAs: string }>(['migrate', '--to-env', 'TARGET', '--abandon'], {
      cwd,
      env,
    });
    expect(given.asideAs).toContain(`${schema}_aside_`);
    await json(['memory', 'add', 'It is empty.', '--agent', 'alice'], there);
    await connection.query(`DROP SCHEMA ${schema} CASCADE`);

    await interrupt();
    const { screen } = await runOnTerminal(['migrate', '--to-env', 'TARGET'], { cwd, env });
    expect(screen).toMatch(/(Carrying|Comparing) .* entries, [\d,.]+\/s, \d+ s left/);
    await json(['memory', 'add', 'Now it works.', '--agent', 'alice'], there);
    expect((await json<DoctorReport>(['doctor'], { cwd })).findings.map(({ check }) => check)).not.toContain(
      'migration.finished',
    );
    await connection.query(`DROP SCHEMA IF EXISTS ${/schema "(\w+)"/.exec(given.asideAs)![1]} CASCADE`);
  } finally {
    await connection.end();
  }
});

it('a password stays out of the list of processes', async () => {
  const cwd = temporaryWorkspace();
  await fill(cwd, 1);
  const url = schemas.take().replace('//keepsake@', '//keepsake:secret@');
  const warned = await runCli(['migrate', '--to', url, '--dry-run'], { cwd });
  expect(warned.stderr.replaceAll(/\s+/g, ' ')).toContain('Use --to-env or --to-file');
  writeFileSync(join(cwd, 'target'), `${url}\n`);
  const { stderr, stdout, code } = await runCli(['migrate', '--to-file', 'target'], { cwd });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).not.toContain('secret');
  const unset = await runCli(['migrate', '--to-env', 'NOT_SET'], { cwd });
  expect(unset.stderr).toContain('$NOT_SET is empty or not set');
});

it('kill -9 in the middle of re-embedding: search goes on, and the next call goes on where it stopped', async () => {
  const cwd = temporaryWorkspace();
  await fill(cwd, 2_000);
  const server = await scriptedEmbeddings({ dimensions: 32 });
  const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'none' };
  const search = async (query: string) => {
    const hits = await json<{ content: string }[]>(['memory', 'search', query, '--agent', 'alice'], {
      cwd,
      env,
    });
    return hits[0]?.content;
  };
  try {
    const child = startCli(['re-embed', '--model', 'openai/test@32'], { cwd, env });
    await until(child, () => server.requests.length >= 5);
    // It stands still in the middle, and is killed there.
    server.script(...Array<'hang'>(8).fill('hang'));
    const asked = server.requests.length;
    expect(await search('a pet')).toContain('kitten');
    await killed(child);
    expect(await search('a pet')).toContain('kitten');
    expect((await runCli(['models', 'embed'], { cwd, env })).stderr).toContain('run "keepsake re-embed"');
    // The old model answered all of that.
    expect(server.requests.length - asked).toBeLessThan(3);
  } finally {
    await server.close();
  }
  const second = await scriptedEmbeddings({ dimensions: 32 });
  env.OPENAI_BASE_URL = second.url;
  try {
    const report = await json<ReEmbedReport>(['re-embed'], { cwd, env });
    expect(report).toMatchObject({ model: 'openai/test@32', switched: true, missing: 0 });
    expect(report.kept).toBeGreaterThan(0);
    expect(report.kept + report.made).toBe(2_001);
    expect(await search('kitten garden')).toContain('kitten');
    expect((await runCli(['re-embed'], { cwd, env })).stdout).toContain('already');
  } finally {
    await second.close();
  }
});
