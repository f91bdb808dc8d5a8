/** Redis over TLS with an authority of its own, and users with passwords, on real servers. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { openRedis } from '../../../src/drivers/redis/index.ts';
import { makeFolder } from '../../fixtures/temporary-folder.ts';
import { redisServer } from './server.ts';

/** Of Debian's packages openssl and redis-tools. */
const OPENSSL = 'openssl';
const CLI = 'redis-cli';

let folder: string;
const file = (name: string): string => join(folder, name);
const openssl = (...args: string[]): void => void execFileSync(OPENSSL, args, { cwd: folder, stdio: 'pipe' });

/** An authority, and a certificate of it for this machine. */
beforeAll(() => {
  const made = makeFolder();
  folder = made.folder;
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...key,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-days',
    '2',
    '-subj',
    '/CN=Test CA',
  );
  openssl('req', ...key, '-keyout', 'redis.key', '-out', 'redis.csr', '-subj', '/CN=redis');
  writeFileSync(file('names'), 'subjectAltName=IP:127.0.0.1');
  const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names'];
  openssl('x509', '-req', '-in', 'redis.csr', '-out', 'redis.pem', '-days', '2', ...signed);
  return made.remove;
});

async function tlsServer() {
  const server = await redisServer(
    [
      ...['--tls-cert-file', file('redis.pem'), '--tls-key-file', file('redis.key')],
      ...['--tls-ca-cert-file', file('ca.pem'), '--tls-auth-clients', 'no'],
    ],
    { tls: true },
  );
  onTestFinished(() => server.stop());
  return server;
}

async function opened(url: string) {
  const storage = await openRedis({ url });
  onTestFinished(() => storage.close());
  return storage.state;
}

const draft = (run: string) => {
  const at = Date.now();
  return { run, document: { a: 1 }, by: 'x', at, leaseUntil: at + 60_000 };
};

it('speaks TLS with a server whose authority is named, after a restart too, and beside a server without', async () => {
  const server = await tlsServer();
  const address = `rediss://127.0.0.1:${server.port}`;
  const state = await opened(`${address}?ca=${file('ca.pem')}`);
  await state.create(draft('run_1'));
  expect(await state.read('run_1')).toMatchObject({ document: { a: 1 } });

  const plain = await redisServer();
  onTestFinished(() => plain.stop());
  const other = await opened(plain.url);
  await other.create(draft('run_2'));

  await server.kill();
  await server.start();
  await expect.poll(() => state.read('run_2').catch(() => 'gone'), { timeout: 5_000 }).toBe(null);
  await state.create(draft('run_3'));
  expect(await other.read('run_3')).toBe(null);
});

it('trusts nobody whose authority it does not know', async () => {
  const server = await tlsServer();
  const state = await opened(`rediss://127.0.0.1:${server.port}`);
  await expect(state.read('run_1')).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringMatching(/127\.0\.0\.1.*(certificate|CERT)/i),
    hint: expect.stringContaining('?ca='),
  });
  await expect(openRedis({ url: 'rediss://127.0.0.1:1?ca=/nowhere.pem' })).rejects.toMatchObject({
    code: 'INVALID_CONFIG',
    message: expect.stringContaining('/nowhere.pem'),
  });
});

it('knows users by name and password, with any characters in it, over TLS', async () => {
  const server = await tlsServer();
  const cli = (...args: string[]): string =>
    execFileSync(CLI, ['-p', String(server.port), '--tls', '--cacert', file('ca.pem'), ...args], {
      encoding: 'utf8',
    });
  cli('ACL', 'SETUSER', 'keeper', 'on', '>s:e/c@ret#', '~keepsake:*', '+@all', '-@admin', '-@dangerous');
  cli('ACL', 'SETUSER', 'reader', 'on', '>r', '~keepsake:*', '+@read', '+@connection');
  cli('ACL', 'SETUSER', 'default', 'off');
  const as = (login: string) => opened(`rediss://${login}@127.0.0.1:${server.port}?ca=${file('ca.pem')}`);
  const keeper = await as(`keeper:${encodeURIComponent('s:e/c@ret#')}`);
  await keeper.create(draft('run_1'));
  expect(await keeper.read('run_1')).toMatchObject({ document: { a: 1 } });
  for (const login of ['keeper:wrong', 'nobody:x', 'reader:r']) {
    const state = await as(login);
    await expect(state.create(draft('run_2'))).rejects.toMatchObject({ code: 'PERMISSION' });
  }
});
