/** When a session is reviewed although nobody ends it, and what happens when the review fails. */
import { afterEach, expect, it, vi } from 'vitest';
import type { EventOf } from '../../src/index.ts';
import { scene } from './fixture.ts';

const memory = { enabled: true, minMessagesToExtract: 2 } as const;
const MINUTE = 60_000;

const TEA = {
  json: {
    operations: [
      { op: 'add', category: 'fact', content: 'Ann drinks oolong tea.', confidence: 0.9, from: 'user' },
    ],
    summary: {},
  },
};

/** Only timers, which go on by themselves as well: the server and the store need theirs. */
function fakeTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
}
afterEach(() => {
  vi.useRealTimers();
});

/** What the callback of the document's own snippet hears. */
function listener() {
  const heard: EventOf<'memory.extracted'>[] = [];
  const first = Promise.withResolvers<void>();
  const onMemoryExtracted = (event: EventOf<'memory.extracted'>) => {
    heard.push(event);
    first.resolve();
  };
  return { heard, onMemoryExtracted, first: first.promise };
}

it('B-39 a session that nobody ends is reviewed once, when the program has nothing left to do', async () => {
  const { agent, client } = await scene(['Noted.', TEA]);
  const { heard, onMemoryExtracted, first } = listener();
  const session = await agent({ memory }).session();
  await session.send('I am Ann, and I drink oolong tea.', { onMemoryExtracted });
  expect(heard).toEqual([]);
  // As Node does when no work is left; what listeners begin keeps the process alive.
  process.emit('beforeExit', 0);
  await first;
  process.emit('beforeExit', 0);
  await client.close();
  expect(heard).toMatchObject([{ status: 'completed', opsProposed: 1, opsApplied: 1 }]);
  expect(process.listeners('beforeExit').map(({ name }) => name)).not.toContain('endAll');
});

it('B-39 a session too short to be reviewed says so, once', async () => {
  const { agent, client } = await scene(['Hello.']);
  const { heard, onMemoryExtracted } = listener();
  const session = await agent({ memory: { enabled: true } }).session();
  await session.send('Hello', { onMemoryExtracted });
  await client.close();
  expect(heard).toMatchObject([{ status: 'skipped', reason: 'too few messages', opsProposed: 0 }]);
});

it('B-39 in a program that goes on, a session is reviewed after ten minutes of silence, and can go on', async () => {
  const { agent, client, server } = await scene(['Noted.', TEA]);
  const { heard, onMemoryExtracted, first } = listener();
  const session = await agent({ memory }).session();
  fakeTimers();
  await session.send('I am Ann, and I drink oolong tea.', { onMemoryExtracted });
  await vi.advanceTimersByTimeAsync(9 * MINUTE);
  expect(server.requests).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(MINUTE);
  await first;
  expect(heard).toMatchObject([{ status: 'completed', opsApplied: 1 }]);
  server.script('Still here.', { json: { operations: [], summary: {} } });
  expect((await session.send('Are you there?', { onMemoryExtracted })).text).toBe('Still here.');
  await session.end();
  // Only what came since calls for another review.
  expect(heard).toHaveLength(2);
  await client.close();
  expect(server.requests).toHaveLength(4);
});

it('B-15 B-39 a review that failed says so and is made again in the same process', async () => {
  const { agent, client, server } = await scene(['Noted.', 'Sorry, I cannot do that.']);
  const { heard, onMemoryExtracted } = listener();
  const alice = agent({ memory });
  const session = await alice.session();
  await session.send('I am Ann, and I drink oolong tea.', { onMemoryExtracted });
  fakeTimers();
  await session.end();
  expect(heard).toMatchObject([{ status: 'failed', reason: 'unreadable answer', opsApplied: 0 }]);
  server.script(TEA);
  const again = Promise.withResolvers<unknown>();
  client.events.subscribe((event) => {
    if (event.type === 'memory.extracted') again.resolve(event);
  });
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(await again.promise).toMatchObject({ session: session.id, status: 'completed', opsApplied: 1 });
  expect((await alice.memory.list()).map(({ content }) => content)).toEqual(['Ann drinks oolong tea.']);
  await vi.advanceTimersByTimeAsync(60 * MINUTE);
  await client.close();
  expect(server.requests).toHaveLength(3);
});

it('a review is not tried more than three times, and a client that is closed does not try again', async () => {
  const { agent, client, server } = await scene((request) =>
    request.messages.length > 1 ? 'Noted.' : { status: 400, message: 'no' },
  );
  const failures: unknown[] = [];
  let waiting = Promise.withResolvers<void>();
  client.events.subscribe((event) => {
    if (event.type !== 'memory.extracted') return;
    failures.push(event.status);
    waiting.resolve();
    waiting = Promise.withResolvers();
  });
  const session = await agent({ memory }).session();
  fakeTimers();
  await session.send('I am Ann, and I drink oolong tea.');
  await session.end();
  for (const pause of [MINUTE, 30 * MINUTE]) {
    const next = waiting.promise;
    // The note is written before the next pause begins.
    await vi.advanceTimersByTimeAsync(pause + 1_000);
    await next;
  }
  await vi.advanceTimersByTimeAsync(24 * 60 * MINUTE);
  await client.close();
  expect(failures).toEqual(['failed', 'failed', 'failed']);
  expect(server.requests).toHaveLength(4);
});
