/** A tool result that is larger than the window of the model costs neither the answer nor the agent. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool, type KeepsakeEvent } from '../../src/index.ts';
import type { ScriptedReply, ScriptedRequest } from '../../src/testing/index.ts';
import { call, said, scene, systemOf, textOf } from './fixture.ts';

const WINDOW = 8_000;
const SUMMARY =
  'The user had the register read: it lists ten thousand parcels, and parcel 5000 belongs to Ada Lovelace. '.repeat(
    2,
  );
const small = { config: { compression: { contextLength: WINDOW } } };

const REGISTER = Array.from({ length: 10_000 }, (_, i) => `row ${i};`)
  .join(' ')
  .slice(0, 60_000);
const register = defineTool({
  name: 'read_register',
  description: 'Reads the register.',
  input: z.object({}),
  run: () => REGISTER,
});

const isSummary = (request: ScriptedRequest): boolean => systemOf(request).includes('condense');
const sizeOf = ({ messages }: ScriptedRequest): number => messages.map(textOf).join('').length / 4;

/** A server that refuses what a model with this window would refuse. */
const strict =
  (answer: (request: ScriptedRequest) => ScriptedReply, window = WINDOW) =>
  (request: ScriptedRequest): ScriptedReply =>
    sizeOf(request) > window ? { status: 413 } : answer(request);

const isTool = ({ messages }: ScriptedRequest): boolean => messages.at(-1)?.role === 'tool';

describe('a result of 60 KB in a window of 8,000 tokens', () => {
  it('is shortened in the prompt, whole in the log, and the agent goes on, also after a restart', async () => {
    const { agent, client, open, server } = await scene(
      strict((request) => {
        if (isSummary(request)) return SUMMARY;
        return isTool(request) || !textOf(request.messages.at(-1)!).includes('register')
          ? 'I have read it.'
          : call('read_register');
      }),
      small,
    );
    const alice = agent({ tools: [register] });
    expect(await alice.run('Read the register.')).toBe('I have read it.');
    const shown = said(server.requests[1]).at(-1)!;
    expect(shown).toContain('row 0; row 1;');
    expect(shown.endsWith(REGISTER.slice(-200))).toBe(true);
    expect(shown).toMatch(/\d+ of 60000 characters are left out here\./);
    const logged = await alice.log.get();
    expect(logged.map(({ content }) => JSON.stringify(content)).join('')).toContain(REGISTER);
    for (const prompt of ['Once more, the register.', 'And the register again.', 'Thank you.']) {
      expect(await alice.run(prompt)).toBe('I have read it.');
    }
    await client.close();
    const again = agent({ tools: [register] }, open(small));
    expect(await again.run('Are you still there?')).toBe('I have read it.');
    expect(await again.run('Read the register.')).toBe('I have read it.');
  });

  it('can be read on with more_context, piece by piece', async () => {
    const pieces: string[] = [];
    const { agent } = await scene(
      strict((request) => {
        const last = textOf(request.messages.at(-1)!);
        if (!isTool(request)) return call('read_register');
        const next = /message "(msg_\w+)" and from (\d+) to read on/.exec(last);
        if (next !== null) return call('more_context', { message: next[1], from: Number(next[2]) });
        pieces.push(last);
        return 'Done.';
      }),
      small,
    );
    expect(await agent({ tools: [register] }).run('Read the register.')).toBe('Done.');
    expect(pieces).toHaveLength(1);
    const [, piece, next] = /Tool: ([\s\S]*)\n\(continues: from (\d+)\)$/.exec(pieces[0]!)!;
    expect(piece).toHaveLength(4_000);
    expect(REGISTER.slice(Number(next) - 4_000, Number(next))).toBe(piece);
  });

  it('without more_context the model is told to ask for less', async () => {
    const { agent, server } = await scene(
      strict((request) => (isTool(request) ? 'Done.' : call('read_register'))),
      small,
    );
    await agent({ tools: [register], packs: [] }).run('Read the register.');
    expect(said(server.requests[1]).at(-1)).toMatch(/left out here\. Ask for less at a time\.\)/);
  });
});

describe('a conversation that is too long for the summariser', () => {
  const story = 'The parcel number 77 belongs to Ada Lovelace. '.repeat(2_000);

  it('is summarised in pieces', async () => {
    const { agent, server } = await scene(
      strict((request) => (isSummary(request) ? SUMMARY : 'Go on.')),
      small,
    );
    const alice = agent();
    const memory = await alice.shortMemory;
    await memory.add('User', story);
    await memory.add('assistant', 'I see.');
    expect(await alice.run('Whose is parcel 77?')).toBe('Go on.');
    expect(server.requests.filter(isSummary).length).toBeGreaterThan(2);
    expect(systemOf(server.requests.at(-1))).toContain(SUMMARY.trim());
  });

  it('is cut smaller when the model reads less than was known', async () => {
    const { agent, server } = await scene(
      strict((request) => (isSummary(request) ? SUMMARY : 'Go on.'), 1_200),
      small,
    );
    const alice = agent();
    const memory = await alice.shortMemory;
    await memory.add('User', story);
    await memory.add('assistant', 'I see.');
    const events: KeepsakeEvent[] = [];
    await expect(
      alice.run('Whose is parcel 77?', { onEvent: (event) => events.push(event) }),
    ).rejects.toMatchObject({ code: 'TOO_LARGE' });
    expect(events.map(({ type }) => type)).toContain('conversation.compacted');
    expect(events.map(({ type }) => type)).not.toContain('conversation.compaction.failed');
    expect(server.requests.filter((request) => isSummary(request) && sizeOf(request) <= 1_200)).not.toEqual(
      [],
    );
  });

  it.each<[string, ScriptedReply]>([
    ['a model that refuses', { status: 400 }],
    ['an empty summary', ' '],
    ['a summary that is too short', 'ok'],
  ])('falls back to an extract after %s, with an event and a warning', async (_, reply) => {
    const { agent } = await scene((request) => (isSummary(request) ? reply : 'Go on.'), small);
    const alice = agent();
    const memory = await alice.shortMemory;
    await memory.add('User', story);
    await memory.add('assistant', 'I see.');
    const events: KeepsakeEvent[] = [];
    expect(await alice.run('Whose is it?', { onEvent: (event) => events.push(event) })).toBe('Go on.');
    expect(events.find(({ type }) => type === 'conversation.compaction.failed')).toMatchObject({
      agent: 'alice',
      model: 'scripted/model',
      fallback: 'extractive',
    });
    expect(await memory.returnHistoryAsString()).toContain('Extractive summary');
    await memory.add('User', story);
    await memory.add('assistant', 'I see.');
    const compression = await alice.compressIfNeeded();
    expect(compression).toMatchObject({ compressed: true, summarizedBy: 'extractive' });
    expect(compression!.warning).toContain('scripted/model could not summarise the conversation');
  });
});
