/** A conversation whose process dies at every single step of every change: it is as before or as after, and goes on. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Conversation, ConversationOptions } from '../../src/conversation/index.ts';
import { nodeFiles } from '../../src/documents/index.ts';
import { campaign } from '../fixtures/campaign.ts';
import { CrashPoint } from './support/conversation-crash.ts';
import { type OnDisk, openWorld, type World } from './support/conversation-world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** Crosses a page of the file, so that a torn write is possible. */
const LONG = 'A long answer with many words in it. '.repeat(200);

interface Change {
  readonly name: string;
  readonly options?: Partial<ConversationOptions>;
  readonly run: (conversation: Conversation) => Promise<unknown>;
}

async function newest(conversation: Conversation, text: string): Promise<string> {
  return (await conversation.turns()).findLast(({ content }) => content === text)!.id;
}

const CHANGES: readonly Change[] = [
  { name: 'open', run: (conversation) => conversation.ready() },
  { name: 'add', run: (conversation) => conversation.add('User', 'one more') },
  { name: 'add, long', run: (conversation) => conversation.add('assistant', LONG) },
  {
    name: 'add, three at once',
    run: (conversation) =>
      Promise.all(['first', 'second', LONG].map((text) => conversation.add('User', text))),
  },
  {
    name: 'add, not logged',
    options: { historyLimit: 0 },
    run: (conversation) => conversation.add('assistant', LONG),
  },
  {
    name: 'compact',
    run: (conversation) => conversation.compact({ summary: 'They talked about tea and agreed on green.' }),
  },
  {
    name: 'compact, keeping two',
    run: (conversation) => conversation.compact({ summary: 'They talked about tea.', keepLast: 2 }),
  },
  {
    name: 'compact, not logged',
    options: { historyLimit: 0 },
    run: (conversation) => conversation.compact({ summary: 'They talked about tea.' }),
  },
  {
    name: 'delete',
    run: async (conversation) => conversation.delete(await newest(conversation, 'Which one?')),
  },
  {
    name: 'update',
    run: async (conversation) => conversation.update(await newest(conversation, 'Which one?'), 'Which tea?'),
  },
  { name: 'clear', run: (conversation) => conversation.clear() },
  {
    name: 'restore',
    run: async ({ archives }) => archives.restore((await archives.list())[0]!.name),
  },
  {
    name: 'restore, not logged',
    options: { historyLimit: 0 },
    run: async ({ archives }) => archives.restore((await archives.list())[0]!.name),
  },
];

let agents = 0;

/** An agent with a past: an archive, a summary and three messages after it, everything acknowledged. */
async function prepare(change: Change): Promise<string> {
  const agent = `agent-${++agents}`;
  const before = world.open(agent, change.options);
  await Promise.all([
    before.add('User', 'I would like some tea.'),
    before.add('assistant', 'There is green and black tea.'),
    before.compact({ summary: 'The user would like some tea.' }),
    before.add('User', 'Which one?'),
    before.add('assistant', 'Green tea is fresh.'),
    before.add('User', 'Then green.'),
  ]);
  await before.close();
  return agent;
}

async function crashAt(
  change: Change,
  agent: string,
  plan?: { at: number; torn: boolean },
): Promise<{ point: CrashPoint; acknowledged: boolean }> {
  const point = new CrashPoint(nodeFiles, world.log, plan);
  const doors = { files: point.files, log: point.log };
  const acknowledged = await Promise.resolve()
    .then(() => change.run(world.open(agent, change.options, doors)))
    .then(
      () => true,
      () => false,
    );
  return { point, acknowledged };
}

/** What the change does when nothing happens, and in which steps. */
async function calmly(change: Change): Promise<{ old: OnDisk; changed: OnDisk; steps: readonly string[] }> {
  const agent = await prepare(change);
  const old = await world.onDisk(agent);
  const { point } = await crashAt(change, agent);
  expect(point.steps.length).toBeGreaterThan(5);
  return { old, changed: await reopened(change, agent), steps: point.steps };
}

/** Opens it as the next process would, closes it, and looks. */
async function reopened(change: Change, agent: string): Promise<OnDisk> {
  const conversation = world.open(agent, change.options);
  await conversation.close();
  expect(await world.journal(agent)).toBeNull();
  return world.onDisk(agent);
}

async function goesOn(change: Change, agent: string, state: OnDisk): Promise<void> {
  const conversation = world.open(agent, change.options);
  await conversation.add('User', 'And now?');
  await conversation.close();
  const now = await world.onDisk(agent);
  expect(now.active).toEqual([...state.active, 'User: And now?']);
  expect(now.archives).toEqual(state.archives);
}

describe.each(CHANGES)('$name', (change) => {
  it('a crash at every step leaves the old or the new state', async () => {
    const { old, changed, steps } = await calmly(change);
    const seen = new Set<string>();
    for (const [i, step] of steps.entries()) {
      for (const torn of step === 'file.write' ? [false, true] : [false]) {
        const agent = await prepare(change);
        const { acknowledged } = await crashAt(change, agent, { at: i + 1, torn });
        const state = await reopened(change, agent);
        const where = `step ${i + 1} of ${steps.length}: ${step}${torn ? ', torn' : ''}`;
        expect([old, changed], where).toContainEqual(state);
        if (acknowledged) expect(state, where).toEqual(changed);
        seen.add(JSON.stringify(state));
        await goesOn(change, agent, state);
      }
    }
    // Both states were met, so the crashes were real and so was the recovery. Opening alone changes nothing.
    expect(seen.size).toBe(change.name === 'open' ? 1 : 2);
  });
});

/** Of many pairs of crashes one in four is taken; after another first crash it is the next step of the recovery. */
const ONE_IN = campaign(4, 1);

/** The recovery is a program like any other: it can be interrupted as well. */
it.each([
  { name: 'add, long', oneIn: 1 },
  { name: 'compact', oneIn: ONE_IN },
  { name: 'delete', oneIn: ONE_IN },
])('$name: a second crash at one step in $oneIn of the recovery from a crash', async ({ name, oneIn }) => {
  const change = CHANGES.find((candidate) => candidate.name === name)!;
  const opening = { ...CHANGES[0]!, ...change, run: CHANGES[0]!.run };
  const { old, changed, steps } = await calmly(change);
  let crashes = 0;
  let first = 0;
  // The steps that change something are those after which a recovery has something to do.
  for (const [i, step] of steps.entries()) {
    if (!/write|append|edit|rename|link|sync/.test(step)) continue;
    for (let at = 1 + (first++ % oneIn); ; at += oneIn) {
      const agent = await prepare(change);
      await crashAt(change, agent, { at: i + 1, torn: true });
      const { point } = await crashAt(opening, agent, { at, torn: true });
      const state = await reopened(change, agent);
      expect([old, changed], `${step}, then step ${at} of the recovery`).toContainEqual(state);
      if (!point.died) break;
      crashes++;
    }
  }
  expect(crashes).toBeGreaterThan(50);
});
