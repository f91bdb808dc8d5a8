/** Generated ids of users and threads: two that differ in anything are two people, on every way in and out. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { placeOfKey, threadKey, threadsOf } from '../../src/kernel/threads.ts';
import { checkUserId, MAX_ID_LENGTH } from '../../src/kernel/users.ts';
import { campaign } from '../fixtures/campaign.ts';
import { testServer } from '../surfaces/http/support/test-server.ts';
import { overHttp } from '../surfaces/mcp/support/connect.ts';

const seed = Number(process.env.KEEPSAKE_SEED ?? Date.now() % 2 ** 31);
console.log(`users: KEEPSAKE_SEED=${seed}`);

/** Characters that mean something to a path, a pattern, a header, SQL, our own keys, or to nobody. */
const piece = fc.oneof(
  fc.constantFrom(
    '/',
    '..',
    '\\',
    ':',
    '@',
    '|',
    '%',
    '_',
    '*',
    '?',
    '#',
    '&',
    '+',
    ' ',
    '\n',
    '\t',
    "'",
    '"',
    ';',
  ),
  fc.constantFrom(
    '@1:a',
    '%2F',
    'a',
    'A',
    'ä',
    'a\u0308',
    'ß',
    'SS',
    'İ',
    'i',
    'ı',
    'ﬁ',
    '日本',
    '👩‍👩‍👧',
    '\u200b',
    '\ufeff',
    '\u202e',
  ),
  fc
    .string({ unit: 'binary', minLength: 1, maxLength: 3 })
    .filter((text) => text.isWellFormed() && !text.includes('\0')),
);
const id = fc
  .oneof(
    fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join('')),
    fc
      .tuple(piece, fc.integer({ min: 200, max: MAX_ID_LENGTH }))
      .map(([text, length]) => [...text.repeat(length)].slice(0, length).join('')),
  )
  .filter((text) => text.isWellFormed() && text.length > 0);

it('the name of a conversation gives back its agent, user and thread, and is no prefix of another user', () => {
  const place = fc.record({ user: fc.option(id), thread: fc.option(id) });
  fc.assert(
    fc.property(place, place, (one, other) => {
      const key = threadKey({ agent: 'support', ...one });
      expect(placeOfKey('support', key)).toEqual({ agent: 'support', ...one });
      const isOwn = one.user === null && one.thread === null;
      if (!isOwn) expect(key.startsWith(threadsOf(other.user))).toBe(one.user === other.user);
    }),
    { seed, numRuns: campaign(2_000, 20_000) },
  );
});

it('any text of 1 to 256 characters is an id as it stands, and nothing else is', () => {
  fc.assert(
    fc.property(id, (text) => checkUserId(text) === text),
    { seed, numRuns: campaign(1_000, 10_000) },
  );
  expect(checkUserId('👩'.repeat(MAX_ID_LENGTH))).toHaveLength(2 * MAX_ID_LENGTH);
  for (const bad of ['', 'x'.repeat(257), '👩'.repeat(257), 'a\0b', '\ud800', 'a\udc00', 7, null, undefined])
    expect(() => checkUserId(bad)).toThrow(/cannot be the id of a user/);
});

it('users with generated ids see their own memory and threads, embedded, over HTTP and over MCP, and nobody else does', async () => {
  const server = await testServer();
  const ids = [...new Set(fc.sample(id, { seed, numRuns: campaign(60, 600) }))];
  const as = (user: string) => server.client.agent({ name: 'support', user });
  for (const [i, user] of ids.entries()) {
    await as(user).memory.add({ content: `canary ${i}` });
    await as(user).conversation(user).log.add('User', `canary ${i}`);
  }
  for (const [i, user] of ids.entries()) {
    const own = [{ user, content: `canary ${i}` }];
    expect(await as(user).memory.list()).toMatchObject(own);
    expect(await as(user).memory.search('canary', { limit: 100, minRelevance: 0 })).toMatchObject(own);
    expect(await as(user).log.list()).toMatchObject([{ user, thread: user, messages: 1 }]);
    expect(await as(user).conversation(user).log.search('canary')).toMatchObject([
      { content: `canary ${i}` },
    ]);
    const headers = { 'keepsake-agent': 'support', 'keepsake-user': encodeURIComponent(user) };
    const answer = await server.ask('GET /v1/memory', { key: server.ownerKey, headers });
    expect(await answer.json()).toMatchObject(own);
    const identity = { agent: 'support', user, role: 'worker' } as const;
    const mcp = await overHttp('second', { engine: await server.client.open(), identity });
    const { content } = await mcp.callTool({ name: 'recall', arguments: { query: 'canary', limit: 50 } });
    expect(new Set(content[0]!.text!.match(/canary \d+/g))).toEqual(new Set([`canary ${i}`]));
    await mcp.close();
  }
  const [first = ''] = ids;
  await server.client.erase({ user: first });
  expect(await as(first).memory.list()).toEqual([]);
  expect(await server.client.memory.list({ limit: 1000 })).toHaveLength(ids.length - 1);
});
