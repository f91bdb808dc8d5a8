/** The types with which the inspector calls the server: the server's own answers fit them. */
import { expect, expectTypeOf, it } from 'vitest';
import type { Receipt } from '../../../src/context/index.ts';
import type { ArchiveSummary, ConversationMessage } from '../../../src/conversation/index.ts';
import type { DeletedEntry, ReleasedWrite } from '../../../src/guard/index.ts';
import type { ForgottenMemory, MemoryHit, UpdatedMemory } from '../../../src/records/index.ts';
import type {
  RemovedSection,
  SavedSection,
  SectionSummary,
  SectionText,
} from '../../../src/sections/index.ts';
import type { Answer, Receipt as ReceiptOfPage, Route } from '../../../src/surfaces/inspector/page/api.ts';
import type { StateLook } from '../../../src/working/index.ts';
import { testServer } from './support/test-server.ts';

/** `npm run typecheck` fails where one of these does not hold; what the page takes from `kernel` and `ports` needs no comparison. */
it('fit what the layers declare', () => {
  expectTypeOf<readonly MemoryHit[]>().toExtend<Answer<'GET /v1/memory/search'>>();
  expectTypeOf<UpdatedMemory>().toExtend<Answer<'PATCH /v1/memory/:id'>>();
  expectTypeOf<UpdatedMemory>().toExtend<Answer<'POST /v1/memory/undo'>>();
  expectTypeOf<ForgottenMemory>().toExtend<Answer<'DELETE /v1/memory/:id'>>();
  expectTypeOf<readonly SectionSummary[]>().toExtend<Answer<'GET /v1/sections'>>();
  expectTypeOf<SectionText>().toExtend<Answer<'GET /v1/sections/:section'>>();
  expectTypeOf<SavedSection>().toExtend<Answer<'PUT /v1/sections/:section'>>();
  expectTypeOf<RemovedSection>().toExtend<Answer<'DELETE /v1/sections/:section'>>();
  expectTypeOf<readonly ConversationMessage[]>().toExtend<Answer<'POST /v1/log/get'>>();
  expectTypeOf<readonly ConversationMessage[]>().toExtend<Answer<'POST /v1/log/search'>>();
  expectTypeOf<readonly ArchiveSummary[]>().toExtend<Answer<'POST /v1/archive/list'>>();
  expectTypeOf<StateLook>().toExtend<Answer<'POST /v1/state/get'>>();
  expectTypeOf<ReleasedWrite>().toExtend<Answer<'POST /v1/guard/release'>>();
  expectTypeOf<DeletedEntry>().toExtend<Answer<'POST /v1/guard/remove'>>();
  expectTypeOf<Receipt>().toExtend<ReceiptOfPage>();
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
    ...{ agent: 'alice', messages: 1, lastAt: expect.any(Number), compactedUpTo: 0 },
    ...{ history: 10, persistent: true },
  } satisfies typeof conversation);
});
