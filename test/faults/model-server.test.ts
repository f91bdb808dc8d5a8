/** A model server that fails in every way: a clear error, nothing lost, nothing half kept, and the next send works. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../src/index.ts';
import type { ScriptedReply } from '../../src/testing/index.ts';
import { call, modelServer, said, scene } from '../agents/fixture.ts';
import { runAgent, startAgent } from '../e2e/support/agent-children.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

const HALF = { text: ['Half ', 'of ', 'an answer'] };
const PATIENCE = { retries: 1, backoffMs: 1, timeoutMs: 300 };

const FAULTS: readonly { name: string; replies: readonly ScriptedReply[]; code: string; message: RegExp }[] =
  [
    {
      name: 'drops the connection at once',
      replies: [
        { ...HALF, cutAfter: 0 },
        { ...HALF, cutAfter: 0 },
      ],
      code: 'UNAVAILABLE',
      message: /scripted\/model/,
    },
    {
      name: 'drops it in the middle of an answer',
      replies: [{ ...HALF, cutAfter: 2 }],
      code: 'UNAVAILABLE',
      message: /scripted\/model/,
    },
    {
      name: 'ends a stream as if it were complete',
      replies: [{ ...HALF, endAfter: 2 }],
      code: 'UNAVAILABLE',
      message: /did not send a complete answer/,
    },
    {
      name: 'reports an error inside a stream',
      replies: [{ ...HALF, failAfter: 2 }],
      code: 'UNAVAILABLE',
      message: /scripted\/model/,
    },
    {
      name: 'stalls before the answer',
      replies: [{ hang: true }],
      code: 'TIMEOUT',
      message: /was silent for 0\.3 seconds/,
    },
    {
      name: 'stalls in the middle of it',
      replies: [{ ...HALF, hangAfter: 2 }],
      code: 'TIMEOUT',
      message: /was silent for 0\.3 seconds/,
    },
    {
      name: 'answers 500 again and again',
      replies: [{ status: 500 }, { status: 500 }],
      code: 'UNAVAILABLE',
      message: /answered 500/,
    },
    {
      name: 'answers 429 again and again',
      replies: [{ status: 429 }, { status: 429 }],
      code: 'BUSY',
      message: /answered 429/,
    },
    { name: 'refuses the key', replies: [{ status: 401 }], code: 'UNAUTHORIZED', message: /refused the key/ },
    {
      name: 'says that it is too much',
      replies: [{ status: 413 }],
      code: 'TOO_LARGE',
      message: /answered 413/,
    },
  ];

for (const { name, replies, code, message } of FAULTS) {
  it(`a server that ${name}`, async () => {
    const { agent, server, client, folder, open } = await scene([
      ...replies,
      'Here I am again.',
      'And in another process.',
    ]);
    const alice = agent({ model: server.model('scripted/model', PATIENCE), memory: { enabled: true } });
    const session = await alice.session();
    await expect(session.send('A question that must not be lost.')).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
      hint: expect.any(String),
    });
    expect((await (await alice.shortMemory).turns()).map(({ content }) => content)).toEqual([
      'A question that must not be lost.',
    ]);
    expect((await session.send('Still there?')).text).toBe('Here I am again.');
    await session.end();
    const types = (await client.events.read({ limit: 100 })).map(({ type }) => type);
    expect(types.filter((type) => /session\.(completed|failed|aborted)/.test(type))).toEqual([
      'session.failed',
      'session.completed',
    ]);
    await client.close();

    const file = readFileSync(join(folder, 'agents', 'alice', 'MEMORY.md'), 'utf8');
    expect(file).toContain('A question that must not be lost.');
    expect(file).not.toContain('Half');
    await agent({ model: server.model() }, open()).run('And now?');
    expect(said(server.requests.at(-1))).toEqual([
      // A prompt without an answer and the next one are one turn.
      'user: A question that must not be lost.\n\nStill there?',
      'assistant: Here I am again.',
      'user: And now?',
    ]);
  });
}

it('a server that is overloaded for a moment is asked again, and nobody notices', async () => {
  const { agent, server } = await scene([
    { status: 429, retryAfter: 0 },
    { status: 503 },
    'Sorry for the wait.',
  ]);
  const texts: string[] = [];
  const alice = agent({ model: server.model('scripted/model', { retries: 3, backoffMs: 1 }) });
  expect(await alice.run('Hello?', { onText: (text) => texts.push(text) })).toBe('Sorry for the wait.');
  expect(texts.join('')).toBe('Sorry for the wait.');
  expect(await (await alice.shortMemory).turns()).toHaveLength(2);
});

it('a server that is not there', async () => {
  const { agent, server } = await scene();
  const alice = agent({ model: server.model('scripted/model', { retries: 1, backoffMs: 1 }) });
  await server.close();
  await expect(alice.run('Hello?')).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringContaining('ECONNREFUSED'),
    hint: expect.stringContaining(server.url),
  });
  expect((await (await alice.shortMemory).turns()).map(({ content }) => content)).toEqual(['Hello?']);
});

it('an Ollama that does not run: the hint says how to start it', async () => {
  const { agent, server } = await scene();
  const alice = agent({ model: server.model('ollama/qwen3', { retries: 0 }) });
  await server.close();
  await expect(alice.run('Hello?')).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    hint: 'Start Ollama with "ollama serve", and fetch the model with "ollama pull qwen3".',
  });
});

for (const fault of ['cutAfter', 'endAfter'] as const) {
  it(`a call of a tool of which only half came (${fault}) is not made`, async () => {
    let made = 0;
    const pay = defineTool({
      name: 'pay',
      description: 'Pays.',
      input: z.object({ amount: z.number().optional() }),
      run: () => `Paid ${++made} times.`,
    });
    const { agent, server } = await scene([
      { ...call('pay', { amount: 100_000 }), [fault]: 2 },
      'Nothing was paid.',
    ]);
    const session = await agent({ tools: [pay] }).session();
    await expect(session.send('Pay.')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(made).toBe(0);
    expect((await session.send('Did you pay?')).text).toBe('Nothing was paid.');
    expect(said(server.requests[1])).toEqual(['user: Pay.\n\nDid you pay?']);
  });
}

it('a failure after tools have run keeps what they did', async () => {
  const pay = defineTool({ name: 'pay', description: 'Pays.', input: z.object({}), run: () => 'Paid.' });
  const { agent, server } = await scene([call('pay'), { status: 400 }, 'It was paid.']);
  const session = await agent({ tools: [pay] }).session();
  await expect(session.send('Pay.')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  await session.send('Did you pay?');
  expect(said(server.requests[2])).toEqual([
    'user: Pay.',
    'assistant: pay({})',
    'tool: pay → Paid.',
    'user: Did you pay?',
  ]);
});

it('a light model that fails at the end of a session costs what it would have learned, and nothing else', async () => {
  const light = await modelServer([{ status: 500 }]);
  const { agent } = await scene(['One.', 'Two.', { ...HALF, cutAfter: 1 }, 'Three.']);
  const alice = agent({ memory: { enabled: true }, light: light.model('scripted/light', { retries: 0 }) });
  const session = await alice.session();
  await session.send('I like tea.');
  await session.send('And coffee.');
  await session.end();
  expect(light.requests).toHaveLength(1);
  expect(await alice.run('Hello?')).toBe('Three.');
});

it('a process that is killed while the model answers: the question is kept, and the next process goes on', async () => {
  const workspace = temporaryFolder();
  const server = await modelServer([{ ...HALF, hangAfter: 2 }, 'Here I am.']);
  const options = { workspace, url: server.url };
  const child = startAgent({ ...options, prompts: ['Tell me everything.'] }, ({ text }) => {
    if (text === 'of ') child.process.kill('SIGKILL');
  });
  await child.ended;
  const reports = await runAgent({ ...options, prompts: ['Are you there?'] });
  expect(reports.at(-1)).toEqual({ answer: 'Here I am.' });
  expect(said(server.requests[1])).toEqual(['user: Tell me everything.\n\nAre you there?']);
});

it('a process that is killed while a tool runs leaves no call without an answer to the next one', async () => {
  const workspace = temporaryFolder();
  const server = await modelServer([call('hang'), 'Here I am.']);
  const options = { workspace, url: server.url };
  const child = startAgent({ ...options, prompts: ['Take your time.'] }, ({ hanging }) => {
    if (hanging) child.process.kill('SIGKILL');
  });
  await child.ended;
  const reports = await runAgent({ ...options, prompts: ['Are you there?'] });
  expect(reports.at(-1)).toEqual({ answer: 'Here I am.' });
  expect(server.requests[1]!.messages.flatMap(({ role }) => (role === 'tool' ? [role] : []))).toEqual([]);
  expect(said(server.requests[1])).toEqual(['user: Take your time.\n\nAre you there?']);
});

it('a failing server is told by code, message and hint in another process as well', async () => {
  const workspace = temporaryFolder();
  const server = await modelServer([{ status: 503 }, 'Back.']);
  const reports = await runAgent({ workspace, url: server.url, prompts: ['One', 'Two'] });
  expect(reports[0]!.failure).toMatchObject({
    code: 'UNAVAILABLE',
    hint: expect.stringContaining('try again'),
  });
  expect(reports.at(-1)).toEqual({ answer: 'Back.' });
});
