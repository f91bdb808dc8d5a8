/** Imported chats, reviewed with a model: within the stated budget, resumable, and never twice. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ChatModel, ForeignReport, ImportOptions, LearnPlan } from '../../src/index.ts';
import type { GenerateRequest } from '../../src/ports/language-model.ts';
import { testWorkspace } from '../fixtures/workspace.ts';

const AT = Date.parse('2025-03-01T10:00:00Z');
const chat = (i: number, turns = 4) => ({
  ...{ uuid: `c-${i}`, name: `Chat ${i}`, created_at: new Date(AT + i * 1000).toISOString() },
  chat_messages: Array.from({ length: turns }, (_, turn) => ({
    uuid: `m-${turn}`,
    sender: turn % 2 === 0 ? 'human' : 'assistant',
    text: turn === 0 ? `I live in Ulm and my plumber is called quokka${i}.` : `Turn ${turn} of chat ${i}.`,
    created_at: new Date(AT + i * 1000 + turn).toISOString(),
  })),
});

interface Scripted extends ChatModel {
  readonly asked: GenerateRequest[];
}

/** Learns the plumber of each chat, and that everybody lives in Ulm. */
function model(more: { before?: (call: number) => void | Promise<void>; usage?: number } = {}): Scripted {
  const asked: GenerateRequest[] = [];
  return {
    ...{ id: 'openai/gpt-5-mini', asked },
    // biome-ignore lint/correctness/useYield: only answers of a review are asked for
    async *chat() {
      throw new Error('not asked for');
    },
    async generate(request) {
      asked.push(request);
      await more.before?.(asked.length);
      const [name] = /quokka\d+/.exec(request.prompt.slice(request.prompt.indexOf('<transcript>'))) ?? [];
      const contents = [`My plumber is called ${name}.`, 'The user lives in Ulm.'];
      const operations = contents.map((content) => ({
        ...{ op: 'add', category: 'fact', content, confidence: 0.9, from: 'user' },
      }));
      const { usage = 900 } = more;
      return { text: JSON.stringify({ operations }), usage: { inputTokens: usage, outputTokens: 50 } };
    },
  };
}

function setting(chats: readonly object[]) {
  const workspace = testWorkspace();
  const path = join(workspace.folder, 'conversations.json');
  writeFileSync(path, JSON.stringify(chats));
  const client = workspace.open();
  const take = (learn: ImportOptions['learn'], more: ImportOptions = {}) =>
    client.import(path, { agent: 'sam', user: 'dana', learn, ...more }) as Promise<ForeignReport>;
  const memories = async () =>
    (await client.agent({ name: 'sam', user: 'dana' }).memory.list({ limit: 100 })).map(
      ({ content }) => content,
    );
  return { client, take, memories, path };
}

describe('client.import({ learn })', () => {
  it('states what it will take, learns with the date and the trust of the import, and asks once for each chat', async () => {
    const { client, take, memories } = setting([chat(2), chat(1), chat(3, 2)]);
    const [plans, order]: [LearnPlan[], string[]] = [[], []];
    const scripted = model({ before: () => void order.push('call') });
    const onPlan = (plan: LearnPlan) => {
      plans.push(plan);
      order.push('plan');
    };
    const report = await take({ model: scripted, onPlan });
    expect(order).toEqual(['plan', 'call', 'call']);
    expect(plans).toMatchObject([{ model: 'openai/gpt-5-mini', calls: 2, short: 1, later: 0, reviewed: 0 }]);
    const [{ inputTokens, outputTokens, cost }] = plans as [LearnPlan];
    expect(cost).toBeCloseTo((inputTokens * 0.25 + outputTokens * 2) / 1_000_000);
    expect(report.learned).toMatchObject({
      reviewed: 2,
      memories: 4,
      failed: 0,
      left: 0,
      inputTokens: 1_800,
    });
    // Oldest first, so that what is newer can replace what is older; and the model knows when it was.
    const reviewed = scripted.asked.map(
      ({ prompt }) => /quokka\d/.exec(prompt.split('<transcript>')[1]!)?.[0],
    );
    expect(reviewed).toEqual(['quokka1', 'quokka2']);
    expect(scripted.asked[0]!.prompt).toContain('took place on 2025-03-01');
    expect((await memories()).sort()).toEqual([
      'My plumber is called quokka1.',
      'My plumber is called quokka2.',
      'The user lives in Ulm.',
    ]);
    const [fact] = await client.agent({ name: 'sam', user: 'dana' }).memory.search('quokka1');
    expect(fact).toMatchObject({
      origin: 'import',
      source: 'extracted',
      user: 'dana',
      validFrom: AT + 1_003,
    });
    // Nothing of it is learned again, and nothing is asked.
    expect((await take({ model: scripted })).learned).toMatchObject({
      plan: { calls: 0, reviewed: 2 },
      memories: 0,
    });
    expect(scripted.asked).toHaveLength(2);
  });

  it('says what it would cost without asking anybody, and stores nothing', async () => {
    const { take, memories } = setting([chat(1), chat(2)]);
    const scripted = model();
    const report = await take({ model: scripted }, { dryRun: true });
    expect(report.learned).toMatchObject({ plan: { calls: 2 }, reviewed: 0, left: 2 });
    expect(scripted.asked).toEqual([]);
    expect(await memories()).toEqual([]);
  });

  it('goes on where maxCalls ended, until every chat was reviewed', async () => {
    const { take, memories } = setting(Array.from({ length: 5 }, (_, i) => chat(i)));
    const scripted = model();
    const left: number[] = [];
    for (let run = 0; run < 3; run++) left.push((await take({ model: scripted, maxCalls: 2 })).learned!.left);
    expect(left).toEqual([3, 1, 0]);
    expect(scripted.asked).toHaveLength(5);
    expect(await memories()).toHaveLength(6);
  });

  it('stops before a call that the stated budget does not cover', async () => {
    const { take } = setting(Array.from({ length: 6 }, (_, i) => chat(i)));
    // Three times what was estimated for each.
    const scripted = model({ usage: 8_000 });
    const { learned } = await take({ model: scripted });
    expect(learned!.stopped).toBe('the stated budget is used up');
    const { plan, inputTokens, outputTokens } = learned!;
    expect(inputTokens + outputTokens).toBeLessThan((plan.inputTokens + plan.outputTokens) * 1.25 + 8_000);
    expect(learned!.left).toBe(6 - learned!.reviewed);
    expect(learned!.left).toBeGreaterThan(0);
  });

  it('stops when it is told to, and the next import continues with the chat that was interrupted', async () => {
    const { take, memories } = setting(Array.from({ length: 4 }, (_, i) => chat(i)));
    const stop = new AbortController();
    const first = model({ before: (call) => (call === 3 ? stop.abort() : undefined) });
    await expect(take({ model: first }, { signal: stop.signal })).rejects.toMatchObject({ code: 'ABORTED' });
    expect(await memories()).toHaveLength(3);
    const second = model();
    expect((await take({ model: second })).learned).toMatchObject({
      plan: { calls: 2, reviewed: 2 },
      reviewed: 2,
    });
    expect(await memories()).toHaveLength(5);
  });

  it('leaves a chat whose review fails for the next time, and gives up when the model is out of order', async () => {
    const { take, memories } = setting(Array.from({ length: 5 }, (_, i) => chat(i)));
    const once = model({ before: (call) => (call === 2 ? Promise.reject(new Error('busy')) : undefined) });
    expect((await take({ model: once, maxCalls: 3 })).learned).toMatchObject({
      reviewed: 2,
      failed: 1,
      left: 3,
    });
    const broken = model({ before: () => Promise.reject(new Error('away')) });
    expect((await take({ model: broken })).learned).toMatchObject({
      ...{ reviewed: 0, failed: 3, left: 3, stopped: expect.stringContaining('3 times in a row') },
    });
    expect((await take({ model: model() })).learned).toMatchObject({ reviewed: 3, left: 0 });
    expect(await memories()).toHaveLength(6);
  });

  it('spends nothing when whoever is told the budget refuses it, and keeps the chats', async () => {
    const { client, take } = setting([chat(1)]);
    const scripted = model();
    const onPlan = () => Promise.reject(new Error('too expensive'));
    await expect(take({ model: scripted, onPlan })).rejects.toThrow('too expensive');
    expect(scripted.asked).toEqual([]);
    expect(await client.agent({ name: 'sam', user: 'dana' }).log.list()).toHaveLength(1);
  });

  it('needs a model and chats', async () => {
    const { client, take, path } = setting([chat(1)]);
    await expect(take(true)).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    writeFileSync(path, JSON.stringify([{ id: '1', memory: 'Likes tea' }]));
    await expect(client.import(path, { learn: true })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('what marks a chat as reviewed is erased with its user', async () => {
    const { client, take } = setting([chat(1)]);
    await take({ model: model() });
    await client.erase({ user: 'dana' });
    const { storage } = await client.open();
    expect(await storage.log.journal('learned thread sam @4:danaclaude/c-1')).toBe(null);
  });
});
