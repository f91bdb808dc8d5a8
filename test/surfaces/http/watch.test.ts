/** What an operator sees of a server: log, readiness, metrics and audit trail, also while a backend is away. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DAY } from '../../../src/kernel/clock.ts';
import { KeepsakeError } from '../../../src/kernel/errors.ts';
import { ServerLog } from '../../../src/surfaces/http/watch/index.ts';
import { fakeClock } from '../../../src/testing/index.ts';
import { errorCode, testServer } from './support/test-server.ts';

const SECRET_TEXT = 'The canary sings at dawn.';

describe('the log', () => {
  it('has a line for every request: route, status, key, agent and duration, without contents or secrets', async () => {
    const { ask, makeKey, logged } = await testServer();
    const { id, key } = await makeKey('worker', 'alice');
    await ask('POST /v1/memory', { key, body: { content: SECRET_TEXT }, headers: { 'x-request-id': 'r-1' } });
    expect(logged().at(-1)).toEqual({
      ...{ time: expect.stringMatching(/^\d{4}-.*Z$/), level: 'info', event: 'request', requestId: 'r-1' },
      ...{
        method: 'POST',
        route: '/v1/memory',
        status: 201,
        ms: expect.any(Number),
        key: id,
        agent: 'alice',
      },
    });
    await ask(`GET /v1/memory/search?q=${encodeURIComponent(SECRET_TEXT)}`, { key });
    const all = JSON.stringify(logged());
    expect(all).not.toContain('canary');
    expect(all).not.toContain(key);
  });

  it('says why requests were refused, and who made them where that is known', async () => {
    const { ask, makeKey, logged } = await testServer(undefined, 1);
    const { id, key } = await makeKey('reader', 'alice');
    await ask('POST /v1/memory', { body: { content: 'x' } });
    expect(logged().at(-1)).toMatchObject({ level: 'warn', status: 401, code: 'UNAUTHORIZED' });
    await ask('POST /v1/memory', { key, body: { content: 'x' } });
    expect(logged().at(-1)).toMatchObject({ level: 'warn', status: 403, code: 'FORBIDDEN', key: id });
    await ask('GET /v1/memory', { key });
    await ask('GET /v1/memory', { key });
    expect(logged().at(-1)).toMatchObject({ level: 'warn', status: 429, code: 'RATE_LIMITED', key: id });
  });

  it('keeps machines that look every second out of the way', async () => {
    const { ask, logged } = await testServer();
    await ask('GET /healthz');
    await ask('GET /readyz');
    expect(logged().map(({ level }) => level)).toEqual(['debug', 'debug']);
  });

  it('as text is one line per entry, whatever a field holds, and leaves out what is below its level', () => {
    const lines: string[] = [];
    const log = new ServerLog({
      ...{ format: 'text', level: 'warn', clock: fakeClock('2026-01-02T03:04:05.000Z') },
      write: (line) => lines.push(line),
    });
    log.add('info', 'request', { status: 200 });
    log.add('warn', 'request', { status: 403, agent: 'a\nb level=error', key: undefined });
    expect(lines).toEqual(['2026-01-02T03:04:05.000Z warn  request status=403 agent="a\\nb level=error"\n']);
  });
});

describe('a backend that is away', () => {
  async function lost() {
    const server = await testServer();
    const { storage } = await server.client.open();
    const { get } = storage.records;
    const fail = async () => {
      throw new KeepsakeError('UNAVAILABLE', 'Postgres at db.internal:5432 does not answer.');
    };
    Object.assign(storage.records, { get: fail });
    return { ...server, back: () => Object.assign(storage.records, { get }) };
  }

  it('makes the server not ready, and says which one it is without its address', async () => {
    const { ask } = await lost();
    const response = await ask('GET /readyz');
    expect(response.status).toBe(503);
    const text = await response.text();
    expect(JSON.parse(text)).toEqual({
      ready: false,
      backends: [
        {
          ...{ name: 'sqlite', holds: 'memory, log, state, events', up: false, required: true },
          since: expect.stringMatching(/Z$/),
        },
      ],
    });
    expect(text).not.toContain('db.internal');
    expect((await ask('GET /healthz')).status).toBe(200);
  });

  it('is in the log once when it is lost and once when it is back, and in the metrics, which go on', async () => {
    const { ask, ownerKey, logged, back, clock } = await lost();
    await ask('GET /readyz');
    expect(logged().filter(({ event }) => event === 'backend.lost')).toMatchObject([
      { level: 'error', backend: 'sqlite', problem: expect.stringContaining('does not answer') },
    ]);
    const metrics = await (await ask('GET /metrics', { key: ownerKey })).text();
    expect(metrics).toContain('keepsake_backend_up{backend="sqlite",holds="memory, log, state, events"} 0');
    expect(metrics).toContain('keepsake_http_requests_total{method="GET",route="/readyz",status="503"} 1');
    expect(metrics).not.toContain('keepsake_records');
    back();
    clock.advance(1_000);
    expect((await ask('GET /readyz')).status).toBe(200);
    expect(logged().filter(({ event }) => event === 'backend.back')).toHaveLength(1);
    expect(await (await ask('GET /metrics', { key: ownerKey })).text()).toContain('keepsake_records 0');
  });
});

it('is not ready any more once a newer Keepsake has upgraded the database', async () => {
  const { ask, ownerKey, client, logged } = await testServer();
  const { storage } = await client.open();
  const body = { content: 'Tea is fine.' };
  const ask2 = () => ask('POST /v1/memory', { key: ownerKey, body, headers: { 'keepsake-agent': 'alice' } });
  expect((await ask('GET /readyz')).status).toBe(200);
  const details = { found: 12, known: 11 };
  const refuse = async () => {
    throw new KeepsakeError('TOO_NEW', 'The database was upgraded by a newer Keepsake.', { details });
  };
  Object.assign(storage.records, { add: refuse });
  for (const _ of [1, 2]) expect(await errorCode(await ask2())).toBe('TOO_NEW');
  const response = await ask('GET /readyz');
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ backends: [{ up: true }, { holds: 'schema', up: false }] });
  expect(logged().filter(({ event }) => event === 'backend.lost')).toHaveLength(1);
});

describe('the audit trail', () => {
  it('names the key of every change, and of every look at the memory of another agent', async () => {
    const { ask, makeKey, ownerKey, audit, folder } = await testServer();
    const { id, key } = await makeKey('worker', 'alice');
    await ask('POST /v1/memory', { key, body: { content: SECRET_TEXT } });
    await ask('GET /v1/memory', { key });
    await ask('GET /v1/memory', { key: ownerKey, headers: { 'keepsake-agent': 'alice' } });
    await ask('GET /v1/memory', { key: ownerKey });
    await audit.settled();
    const [file, ...others] = readdirSync(join(folder, 'data/audit'));
    expect(others).toEqual([]);
    const path = join(folder, 'data/audit', file!);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const text = readFileSync(path, 'utf8');
    expect(text).not.toContain('canary');
    const rows = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(rows.map(({ key: by, verb, agent, status }) => [by, verb, agent, status])).toEqual([
      [id, 'memory.add', 'alice', 201],
      ['server', 'memory.list', 'alice', 200],
      ['server', 'memory.list', undefined, 200],
    ]);
  });

  it('marks a call that only asked what it would change', async () => {
    const { ask, ownerKey, audit, folder } = await testServer();
    for (const dryRun of [true, false])
      await ask('POST /v1/erase/run', { key: ownerKey, body: { user: 'dana', dryRun } });
    await audit.settled();
    const [file] = readdirSync(join(folder, 'data/audit'));
    const lines = readFileSync(join(folder, 'data/audit', file!), 'utf8')
      .trim()
      .split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { dryRun?: boolean }).dryRun)).toEqual([true, undefined]);
  });

  it('has keys that are made and revoked, events that are read, and tools that MCP calls', async () => {
    const { ask, makeKey, ownerKey, audit, folder } = await testServer();
    const { id, key } = await makeKey('worker', 'alice');
    await ask('POST /v1/keys', { key: ownerKey, body: { name: 'ci', role: 'reader', agent: 'bob' } });
    await ask(`DELETE /v1/keys/${id}0`, { key: ownerKey });
    await ask('GET /v1/events/read', { key: ownerKey });
    await ask('GET /v1/events/read', { key });
    const tool = (name: string, given: object, by: string) =>
      ask('POST /mcp', {
        key: by,
        headers: { accept: 'application/json, text/event-stream' },
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } },
      }).then((response) => response.text());
    await tool('remember', { content: SECRET_TEXT }, key);
    await tool('recall', { query: 'tea' }, key);
    await tool('recall', { query: 'tea' }, ownerKey);
    await tool('forget', { id: 'mem_00000000000000000000000000' }, key);
    await audit.settled();
    const [file] = readdirSync(join(folder, 'data/audit'));
    const text = readFileSync(join(folder, 'data/audit', file!), 'utf8');
    expect(text).not.toContain('canary');
    const rows = text.trim().split('\n');
    expect(
      rows.map((line) => {
        const { key: by, verb, status } = JSON.parse(line) as Record<string, unknown>;
        return [by, verb, status];
      }),
    ).toEqual([
      ['server', 'keys.create', 201],
      ['server', 'keys.revoke', 404],
      ['server', 'events.read', 200],
      [id, 'memory.add', 200],
      ['server', 'memory.recall', 200],
      [id, 'memory.forget', 404],
    ]);
  });

  it('goes back as far as it is told to', async () => {
    const { ask, makeKey, audit, folder, clock } = await testServer();
    const { key } = await makeKey('worker', 'alice');
    await ask('POST /v1/memory', { key, body: { content: 'First.' } });
    await audit.settled();
    const [first] = readdirSync(join(folder, 'data/audit'));
    writeFileSync(join(folder, 'data/audit', 'notes.txt'), 'mine');
    clock.advance(31 * DAY);
    await ask('POST /v1/memory', { key, body: { content: 'Second.' } });
    await audit.settled();
    expect(existsSync(join(folder, 'data/audit', first!))).toBe(false);
    expect(readdirSync(join(folder, 'data/audit'))).toHaveLength(2);
  });
});
