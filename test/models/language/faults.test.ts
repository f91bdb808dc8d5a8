/** A server that is busy, fails, is silent, breaks off or is not there, and a caller who stops waiting. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createServerModel } from '../../../src/models/language/index.ts';
import type { ChatEvent, ChatModel } from '../../../src/ports/language-model.ts';
import { type ScriptedModel, type ScriptedReply, scriptedModel } from '../../../src/testing/index.ts';

let server: ScriptedModel;

beforeEach(async () => {
  server = await scriptedModel();
});

afterEach(() => server.close());

const quick = { backoffMs: 1, retries: 2, timeoutMs: 5000 };
const request = { messages: [{ role: 'user', content: 'Hi' }] } as const;

/** What came before the error, and the error. */
async function failing(
  model: ChatModel,
  signal?: AbortSignal,
): Promise<{ events: ChatEvent[]; error: unknown }> {
  const events: ChatEvent[] = [];
  try {
    for await (const event of model.chat({ ...request, ...(signal === undefined ? {} : { signal }) })) {
      events.push(event);
    }
  } catch (error) {
    return { events, error };
  }
  throw new Error(`no error after ${JSON.stringify(events)}`);
}

const IDS = ['openai/gpt-5-mini', 'compatible/m', 'anthropic/claude-haiku-4-5', 'google/gemini-2.5-flash'];

describe.each(IDS)('%s', (id) => {
  it('waits as the server asks, and tries again', async () => {
    server.script({ status: 429, retryAfter: 0.05 }, { status: 500 }, 'Here.');
    const generated = await server.model(id, quick).generate({ prompt: 'Hi' });
    expect(generated.text).toBe('Here.');
    expect(server.requests).toHaveLength(3);
  });

  it('gives up after as many tries as it has', async () => {
    server.script({ status: 500 }, { status: 500 }, { status: 500, message: 'still broken' });
    const { events, error } = await failing(server.model(id, quick));
    expect(events).toEqual([]);
    expect(error).toMatchObject({
      code: 'UNAVAILABLE',
      retryable: true,
      details: { model: id, status: 500 },
    });
    expect(String(error)).toContain('still broken');
    expect(server.requests).toHaveLength(3);
  });

  it('says so when it stays too busy', async () => {
    server.script({ status: 429, message: 'slow down' });
    const { error } = await failing(server.model(id, { ...quick, retries: 0 }));
    expect(error).toMatchObject({ code: 'BUSY', details: { status: 429 } });
  });

  it('does not wait for a server that wants more patience than anyone has', async () => {
    server.script({ status: 429, retryAfter: 3600 });
    const { error } = await failing(server.model(id, quick));
    expect(error).toMatchObject({ code: 'BUSY' });
    expect(server.requests).toHaveLength(1);
  });

  it.each(['cutAfter', 'endAfter'])('never finishes an answer that broke off (%s)', async (how) => {
    server.script({ text: ['a', 'b', 'c'], [how]: 2 });
    const { events, error } = await failing(server.model(id, quick));
    expect(events.map(({ type }) => type)).not.toContain('finish');
    expect(events.every(({ type }) => type === 'text')).toBe(true);
    expect(error).toMatchObject({ code: 'UNAVAILABLE', retryable: true });
    expect(server.requests).toHaveLength(1);
  });

  it.each(['cutAfter', 'endAfter'])('never hands out half a tool call (%s)', async (how) => {
    const cut = { toolCalls: [{ name: 'pay', arguments: { euros: 100 } }], [how]: 2 };
    // Google sends a call in one piece, which is complete without its end.
    server.script(cut, cut, cut);
    const { events, error } = await failing(server.model(id, quick));
    expect(events).toEqual([]);
    expect(error).toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('begins again when it broke off before anything was handed out', async () => {
    server.script({ text: 'lost', cutAfter: 0 }, { text: 'lost', endAfter: 0 }, 'Here.');
    const generated = await server.model(id, quick).generate({ prompt: 'Hi' });
    expect(generated.text).toBe('Here.');
  });

  it('tells what a server reports in the middle, and begins again when that was all', async () => {
    server.script({ text: 'a b', failAfter: 1 }, { text: 'lost', failAfter: 0 }, 'Here.');
    const { events, error } = await failing(server.model(id, quick));
    expect(events).toEqual([{ type: 'text', text: 'a' }]);
    expect(error).toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('The script fails here.'),
    });
    expect((await server.model(id, quick).generate({ prompt: 'Hi' })).text).toBe('Here.');
  });

  it.each([
    [401, 'UNAUTHORIZED'],
    [403, 'UNAUTHORIZED'],
    [404, 'NOT_FOUND'],
    [413, 'TOO_LARGE'],
    [400, 'INVALID_INPUT'],
  ])('does not repeat what was refused with %d', async (status, code) => {
    server.script({ status, message: 'no, and your key is scripted' });
    const { error } = await failing(server.model(id, quick));
    expect(error).toMatchObject({ code, details: { model: id, status } });
    expect(String(error)).not.toContain('is scripted');
    expect(server.requests).toHaveLength(1);
  });

  it('stops in the middle when the caller wants it', async () => {
    server.script({ text: ['a', 'b'], hangAfter: 1 });
    const stop = new AbortController();
    const events: ChatEvent[] = [];
    const reading = (async () => {
      for await (const event of server.model(id, quick).chat({ ...request, signal: stop.signal })) {
        events.push(event);
        stop.abort();
      }
    })();
    await expect(reading).rejects.toMatchObject({ code: 'ABORTED' });
    expect(events).toEqual([{ type: 'text', text: 'a' }]);
  });
});

/** All at once, because each of them waits for the same second to pass. */
async function eachSilent(
  script: ScriptedReply,
  check: (id: string, server: ScriptedModel) => Promise<void>,
) {
  await Promise.all(
    IDS.map(async (id) => {
      await using silent = await scriptedModel([script]);
      await check(id, silent);
    }),
  );
}

it('gives up on a server that is silent, and does not wait that long again', async () => {
  await eachSilent({ hang: true }, async (id, silent) => {
    const { error } = await failing(silent.model(id, { ...quick, timeoutMs: 1000 }));
    expect(error).toMatchObject({ code: 'TIMEOUT', details: { model: id } });
    expect(silent.requests).toHaveLength(1);
  });
});

it('notices silence in the middle of an answer', async () => {
  await eachSilent({ text: ['a', 'b', 'c'], hangAfter: 2 }, async (id, silent) => {
    const { events, error } = await failing(silent.model(id, { ...quick, timeoutMs: 1000 }));
    expect(events, id).toEqual([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ]);
    expect(error).toMatchObject({ code: 'TIMEOUT' });
  });
});

it('asks nothing when the caller has stopped before, and waits no longer when it stops during a pause', async () => {
  const { error } = await failing(server.model(), AbortSignal.abort());
  expect(error).toMatchObject({ code: 'ABORTED' });
  expect(server.requests).toEqual([]);

  server.script({ status: 500 });
  const stop = new AbortController();
  const stopped = failing(server.model('compatible/m', { backoffMs: 60_000 }), stop.signal);
  while (server.requests.length === 0) await new Promise((soon) => setTimeout(soon, 5));
  stop.abort();
  expect((await stopped).error).toMatchObject({ code: 'ABORTED' });
});

it('lets go of the connection when the caller leaves the loop', async () => {
  let closed: Promise<unknown> | undefined;
  const endless = createServer((_, response) => {
    closed = new Promise((done) => response.on('close', done));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const chunk = { choices: [{ index: 0, delta: { content: 'a' }, finish_reason: null }] };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  });
  await new Promise<void>((listening) => endless.listen(0, '127.0.0.1', listening));
  const baseUrl = `http://127.0.0.1:${(endless.address() as AddressInfo).port}/v1`;
  const model = createServerModel({ id: 'compatible/m', format: 'compatible', model: 'm', baseUrl });
  for await (const event of model.chat(request)) {
    expect(event).toEqual({ type: 'text', text: 'a' });
    break;
  }
  await closed;
  endless.close();
});

it('a comment that keeps the connection open is a sign of life', async () => {
  const patient = createServer(async (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let i = 0; i < 14; i++) {
      response.write(': working\n\n');
      await new Promise((soon) => setTimeout(soon, 100));
    }
    const chunk = { choices: [{ index: 0, delta: { content: 'done' }, finish_reason: 'stop' }] };
    response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
  });
  await new Promise<void>((listening) => patient.listen(0, '127.0.0.1', listening));
  const baseUrl = `http://127.0.0.1:${(patient.address() as AddressInfo).port}/v1`;
  const model = createServerModel(
    { id: 'compatible/m', format: 'compatible', model: 'm', baseUrl },
    { timeoutMs: 1000, retries: 0 },
  );
  expect((await model.generate({ prompt: 'Hi' })).text).toBe('done');
  patient.close();
});

it('says where nobody answers, without the password of the address', async () => {
  const { url } = server;
  await server.close();
  const baseUrl = url.replace('//', '//ada:secret@');
  const model = createServerModel(
    { id: 'compatible/m', format: 'compatible', model: 'm', baseUrl: url, apiKey: 'sk-secret' },
    { retries: 1, backoffMs: 1 },
  );
  const { error } = await failing(model);
  expect(error).toMatchObject({ code: 'UNAVAILABLE', hint: expect.stringContaining(url) });
  const withPassword = createServerModel(
    { id: 'compatible/m', format: 'compatible', model: 'm', baseUrl },
    { retries: 0 },
  );
  const refused = (await failing(withPassword)).error;
  expect(JSON.stringify(refused) + String(refused)).not.toContain('secret');
});

it('follows no redirect: prompt and key are for one address only', async () => {
  const elsewhere = createServer((_, response) => {
    response.writeHead(307, { location: `${server.url}/chat/completions` }).end();
  });
  await new Promise<void>((listening) => elsewhere.listen(0, '127.0.0.1', listening));
  const baseUrl = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/v1`;
  const model = createServerModel(
    { id: 'compatible/m', format: 'compatible', model: 'm', baseUrl },
    { retries: 0 },
  );
  const { error } = await failing(model);
  expect(error).toMatchObject({ code: 'UNAVAILABLE', hint: expect.stringContaining('redirect') });
  expect(server.requests).toEqual([]);
  elsewhere.close();
});

it.each([
  ['a quota that is used up', 429, 'You exceeded your quota: insufficient_quota', 'UNAVAILABLE'],
  ['a prompt that is too long', 400, 'prompt is too long: 210000 tokens > 200000 maximum', 'TOO_LARGE'],
])('knows %s, and does not try again', async (_, status, message, code) => {
  server.script({ status, message });
  const { error } = await failing(server.model('anthropic/claude-haiku-4-5', quick));
  expect(error).toMatchObject({ code });
  expect(server.requests).toHaveLength(1);
});

it('an error holds nothing of the prompt', async () => {
  server.script({ status: 400 });
  const { error } = await failing(server.model('openai/gpt-5-mini', quick));
  const { inspect } = await import('node:util');
  expect(inspect(error, { depth: 10 })).not.toContain('"Hi"');
  expect(inspect(error, { depth: 10 })).not.toContain("'Hi'");
});
