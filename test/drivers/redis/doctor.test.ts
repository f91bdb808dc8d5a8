/** What `doctor` says about Redis: out of reach, locked, forgetful, in order; and about the main store all the same. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parseConfig } from '../../../src/config/load.ts';
import { examineStorage } from '../../../src/config/registry.ts';
import { START } from '../../../src/testing/conformance/drafts.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { redisServer } from './server.ts';

/** Of Debian's package redis-tools. */
const CLI = 'redis-cli';

async function started(...settings: string[]) {
  const server = await redisServer(settings);
  onTestFinished(() => server.stop());
  return server;
}

async function findings(url: string) {
  const { storage } = parseConfig({ storage: { state: { driver: 'redis', url } } });
  const database = join(temporaryFolder(), 'keepsake.db');
  const all = await examineStorage({ database, storage }, { fix: false, now: START });
  expect(all.map(({ check }) => check)).toContain('sqlite.version');
  return all.filter(({ check }) => check.startsWith('redis.'));
}

const brief = (all: Awaited<ReturnType<typeof findings>>): string[] =>
  all.map(({ check, severity }) => `${check} ${severity}`);

it('is content with a server that keeps what it is given', async () => {
  const { url } = await started('--appendonly', 'yes');
  const found = await findings(url);
  expect(brief(found)).toEqual(['redis.server ok', 'redis.memory ok', 'redis.durability ok']);
  expect(found[0]?.message).toMatch(/^Redis at 127\.0\.0\.1:\d+ answers: version \d+\.\d+/);
});

it('notices one that throws keys away, and one that forgets when it ends', async () => {
  const { url } = await started('--maxmemory', '50mb', '--maxmemory-policy', 'allkeys-lru');
  const found = await findings(url);
  expect(brief(found)).toEqual(['redis.server ok', 'redis.memory notice', 'redis.durability notice']);
  expect(found.map(({ hint }) => hint)).toEqual([
    undefined,
    expect.stringContaining('noeviction'),
    expect.stringContaining('appendonly yes'),
  ]);
});

it('finds one that is out of reach or has another password, with what to do', async () => {
  const server = await started('--requirepass', 'secret');
  expect(await findings(server.url)).toMatchObject([
    { check: 'redis.server', severity: 'problem', hint: expect.stringContaining('a user and a password') },
  ]);
  await server.kill();
  expect(await findings(server.url)).toMatchObject([
    {
      check: 'redis.server',
      severity: 'problem',
      message: expect.stringContaining(`Redis at 127.0.0.1:${server.port} does not answer`),
      hint: expect.stringContaining('Check that it runs'),
    },
  ]);
});

it('works for a user that the guide proposes', async () => {
  const server = await started();
  const rights = ['on', '>secret', '~keepsake:*', '+@all', '-@admin', '-@dangerous'];
  execFileSync(CLI, ['-p', String(server.port), 'ACL', 'SETUSER', 'keeper', ...rights]);
  const found = await findings(server.url.replace('//', '//keeper:secret@'));
  expect(brief(found)).toEqual(['redis.server ok']);
  expect(found[0]?.message).toContain('may not ask for its settings');
});
