/** Which receipts are those of a session. */
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Client, createClient } from '../../src/index.ts';
import type { Caller } from '../../src/kernel/caller.ts';
import type { EventDraft } from '../../src/kernel/events.ts';
import { callVerb } from '../../src/kernel/verb.ts';
import { verbs } from '../../src/verbs.ts';
import { emptyReceipt } from '../fixtures/receipt.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

const OWNER: Caller = { viewer: { role: 'admin' }, via: 'sdk' };
const ALICE: Caller = { viewer: { agent: 'alice', role: 'worker' }, via: 'sdk' };

let client: Client;

beforeEach(() => {
  client = createClient({ workspace: temporaryFolder(), config: { models: { embedding: 'none' } } });
  onTestFinished(() => client.close());
});

const receipt = (agent: string, session: string, loop = 1): EventDraft => ({
  type: 'session.receipt',
  at: 1,
  via: 'sdk',
  agent,
  session,
  loop,
  receipt: emptyReceipt(),
});

async function store(...drafts: EventDraft[]): Promise<number> {
  const { storage } = await client.open();
  return (await storage.events.append(drafts)).at(-1)!.seq;
}

async function why(input: Record<string, unknown>, caller = OWNER): Promise<string> {
  const { session, receipts } = await callVerb(verbs.sessionWhy, await client.open(), input, caller);
  return `${session}: ${receipts.map(({ loop }) => loop).join(' ')}`;
}

describe('session.why', () => {
  it('shows the last session, one by its id, and the last of an agent', async () => {
    await store(
      receipt('alice', 's1'),
      receipt('bob', 's2'),
      receipt('alice', 's1', 2),
      receipt('bob', 's2', 2),
    );
    expect(await why({})).toBe('s2: 1 2');
    expect(await why({ session: 's1' })).toBe('s1: 1 2');
    expect(await why({ agent: 'alice' })).toBe('s1: 1 2');
    const seq = await store(receipt('bob', 's2', 3));
    expect(await why({ agent: 'bob', after: seq - 1 })).toBe('s2: 3');
  });

  it('finds it however much happened since, and all of it', async () => {
    const noise: EventDraft = { type: 'memory.forgotten', at: 1, via: 'sdk', id: 'mem_x' };
    await store(receipt('alice', 's0'), receipt('alice', 's1'), ...Array<EventDraft>(1500).fill(noise));
    await store(receipt('alice', 's1', 2), ...Array<EventDraft>(1500).fill(noise));
    expect(await why({})).toBe('s1: 1 2');
    const many = Array.from({ length: 1200 }, (_, i) => receipt('alice', 's2', i + 1));
    await store(...many);
    const { receipts } = await callVerb(verbs.sessionWhy, await client.open(), {}, OWNER);
    expect(receipts).toHaveLength(1200);
  });

  it('shows an agent its own only', async () => {
    await store(receipt('alice', 's1'), receipt('bob', 's2'));
    expect(await why({}, ALICE)).toBe('s1: 1');
    expect(await why({ agent: 'bob' }, ALICE)).toBe('s1: 1');
    await expect(why({ session: 's2' }, ALICE)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('says so when there is none', async () => {
    await expect(why({})).rejects.toMatchObject({
      code: 'NOT_FOUND',
      hint: expect.stringContaining('keepsake run'),
    });
  });
});
