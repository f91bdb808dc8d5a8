/** Erasing a user on Postgres: nothing that names them stays, and others keep theirs. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPostgres } from '../../../src/drivers/postgres/index.ts';
import { threadKey } from '../../../src/kernel/threads.ts';
import { addRecord, context, messageDraft } from '../../../src/testing/conformance/drafts.ts';
import { type Schemas, schemasForTests } from './schemas.ts';

let schemas: Schemas;

beforeAll(async () => {
  schemas = await schemasForTests();
});
afterAll(() => schemas.stop());

it('sweeps events, counters, keys and the owners of what was forgotten', async () => {
  const url = schemas.take();
  const storage = await openPostgres({ url });
  try {
    const { records, log, erasing } = storage;
    const { id } = await addRecord(records, { user: 'dana' });
    await addRecord(records, { user: 'Dana' });
    const thread = threadKey({ agent: 'alice', user: 'dana', thread: 'chat' });
    const [message] = await log.append([messageDraft({ thread })]);
    expect(await erasing!.users({ prefix: 'd', limit: 10 })).toEqual(['dana']);
    expect(await erasing!.count({ user: 'dana' })).toMatchObject({
      records: 1,
      messages: 1,
      events: 1,
      marks: 1,
    });
    await records.forgetMany([id], context({ role: 'admin' }));
    await log.retract([message!.id]);
    await erasing!.sweep({ user: 'dana' }, [{ agent: 'alice', thread, journals: [] }]);
    const nothing = { records: 0, messages: 0, events: 0, quarantined: 0, marks: 0 };
    expect(await erasing!.count({ user: 'dana' })).toEqual(nothing);
    expect(await erasing!.count({ user: 'Dana' })).toMatchObject({ records: 1, marks: 1 });
  } finally {
    await storage.close();
    await schemas.giveBack(url);
  }
});
