/** The types with which the inspector calls the server: the server's own answers fit them. */
import { expect, expectTypeOf, it } from 'vitest';
import type { Receipt } from '../../../src/context/index.ts';
import type { Archives, ConversationService } from '../../../src/conversation/index.ts';
import type { Quarantine } from '../../../src/guard/index.ts';
import type { RecordStore } from '../../../src/ports/record-store.ts';
import type { RecordService } from '../../../src/records/index.ts';
import type { SectionsService } from '../../../src/sections/index.ts';
import type {
  Answer,
  Input,
  Receipt as ReceiptOfPage,
  Route,
} from '../../../src/surfaces/inspector/page/api.ts';
import type { SharedState, SwarmService } from '../../../src/working/index.ts';
import { testServer } from './support/test-server.ts';

type Method = (...given: never[]) => Promise<unknown>;
type Returned<Service, Name extends keyof Service> = Service[Name] extends Method
  ? Awaited<ReturnType<Service[Name]>>
  : never;
type Taken<Service, Name extends keyof Service> = Service[Name] extends Method
  ? Parameters<Service[Name]>[0]
  : never;
type Body<R extends Route> = Input<R> extends { body: infer Sent } ? Sent : never;

/** `npm run typecheck` fails where one of these does not hold. */
it('fit what the services return', () => {
  expectTypeOf<Returned<RecordStore, 'agents'>>().toExtend<Answer<'GET /v1/agents'>>();
  expectTypeOf<Returned<RecordService, 'list'>>().toExtend<Answer<'GET /v1/memory'>>();
  expectTypeOf<Returned<RecordService, 'search'>>().toExtend<Answer<'GET /v1/memory/search'>>();
  expectTypeOf<Returned<RecordService, 'get'>>().toExtend<Answer<'GET /v1/memory/:id'>>();
  expectTypeOf<Returned<RecordService, 'update'>>().toExtend<Answer<'PATCH /v1/memory/:id'>>();
  expectTypeOf<Returned<RecordService, 'forget'>>().toExtend<Answer<'DELETE /v1/memory/:id'>>();
  expectTypeOf<Returned<RecordService, 'history'>>().toExtend<Answer<'GET /v1/memory/:id/history'>>();
  expectTypeOf<Returned<RecordService, 'undo'>>().toExtend<Answer<'POST /v1/memory/undo'>>();
  expectTypeOf<Returned<SectionsService, 'list'>>().toExtend<Answer<'GET /v1/sections'>>();
  expectTypeOf<Returned<SectionsService, 'get'>>().toExtend<Answer<'GET /v1/sections/:section'>>();
  expectTypeOf<Returned<SectionsService, 'save'>>().toExtend<Answer<'PUT /v1/sections/:section'>>();
  expectTypeOf<Returned<SectionsService, 'remove'>>().toExtend<Answer<'DELETE /v1/sections/:section'>>();
  expectTypeOf<Returned<ConversationService, 'messages'>>().toExtend<Answer<'POST /v1/log/get'>>();
  expectTypeOf<Returned<ConversationService, 'search'>>().toExtend<Answer<'POST /v1/log/search'>>();
  expectTypeOf<Returned<ConversationService, 'diff'>>().toExtend<Answer<'POST /v1/archive/diff'>>();
  expectTypeOf<Returned<Archives, 'list'>>().toExtend<Answer<'POST /v1/archive/list'>>();
  expectTypeOf<Returned<Archives, 'restore'>>().toExtend<Answer<'POST /v1/archive/restore'>>();
  expectTypeOf<Returned<SwarmService, 'list'>>().toExtend<Answer<'POST /v1/swarm/list'>>();
  expectTypeOf<Returned<SwarmService, 'get'>>().toExtend<Answer<'POST /v1/swarm/get'>>();
  expectTypeOf<Returned<SwarmService, 'messages'>>().toExtend<Answer<'POST /v1/swarm/messages'>>();
  expectTypeOf<Returned<SharedState, 'look'>>().toExtend<Answer<'POST /v1/state/get'>>();
  expectTypeOf<Returned<SharedState, 'changes'>>().toExtend<Answer<'POST /v1/state/changes'>>();
  expectTypeOf<Returned<Quarantine, 'list'>>().toExtend<Answer<'POST /v1/guard/list'>>();
  expectTypeOf<Returned<Quarantine, 'release'>>().toExtend<Answer<'POST /v1/guard/release'>>();
  expectTypeOf<Returned<Quarantine, 'remove'>>().toExtend<Answer<'POST /v1/guard/remove'>>();
  expectTypeOf<Receipt>().toExtend<ReceiptOfPage>();
});

it('send what the services take', () => {
  expectTypeOf<Body<'PATCH /v1/memory/:id'>>().toExtend<Omit<Taken<RecordService, 'update'>, 'id'>>();
  expectTypeOf<Body<'POST /v1/memory/undo'>>().toExtend<Taken<RecordService, 'undo'>>();
  expectTypeOf<Body<'PUT /v1/sections/:section'>>().toExtend<
    Omit<Taken<SectionsService, 'save'>, 'section'>
  >();
  expectTypeOf<Body<'POST /v1/log/get'>>().toExtend<Taken<ConversationService, 'messages'>>();
  expectTypeOf<Body<'POST /v1/log/search'>>().toExtend<Taken<ConversationService, 'search'>>();
  expectTypeOf<Body<'POST /v1/swarm/list'>>().toExtend<Taken<SwarmService, 'list'>>();
  expectTypeOf<Body<'POST /v1/swarm/messages'>>().toExtend<Taken<SwarmService, 'messages'>>();
  expectTypeOf<Body<'POST /v1/guard/list'>>().toExtend<Taken<Quarantine, 'list'>>();
});

it('fit what the server answers where no layer declares it', async () => {
  const { ask, ownerKey: key, client } = await testServer();
  const alice = client.agent({ name: 'alice' });
  await alice.memory.add({ content: 'Tea is at five.', category: 'fact' });
  const talk = await alice.shortMemory;
  await talk.add('User', 'When is tea?');
  const read = async <R extends Route>(route: R, body: object) =>
    (await (await ask(route, { key, body })).json()) as Answer<R>;

  const outline = await read('POST /v1/memory/outline', { every: 10 });
  expect(outline).toMatchObject({ total: 1, anchors: [] } satisfies typeof outline);
  const { days, ...stats } = await read('POST /v1/memory/stats', { days: 1 });
  expect(days).toEqual([
    {
      ...{ day: expect.any(String), added: 1, live: 1, recalls: 0, hits: 0 },
      ...{ prompts: 0, tokens: 0, memoryTokens: 0, blocked: 0 },
    } satisfies (typeof days)[number],
  ]);
  expect(stats).toEqual({
    ...{ states: { live: 1, expired: 0, forgotten: 0 }, pinned: 0 },
    ...{ agents: { alice: 1 }, sources: { manual: 1 }, categories: { fact: 1 } },
  } satisfies typeof stats);
  const [conversation] = await read('POST /v1/log/list', {});
  expect(conversation).toEqual({
    ...{
      agent: 'alice',
      user: null,
      thread: null,
      messages: 1,
      lastAt: expect.any(Number),
      compactedUpTo: 0,
    },
    archivedAt: null,
    ...{ history: 10, persistent: true },
  } satisfies typeof conversation);
});
