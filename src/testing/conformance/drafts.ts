/** Ready-made input for the suites; a test names only the fields that it is about. */
import type { EventDraft } from '../../kernel/events.ts';
import type { Viewer } from '../../kernel/scope.ts';
import type { MessageDraft } from '../../ports/log-store.ts';
import type {
  ListQuery,
  RecordDraft,
  RecordPatch,
  RecordStore,
  TextQuery,
  WriteContext,
} from '../../ports/record-store.ts';

/** 2026-01-01 in UTC. */
export const START = 1_767_225_600_000;
/** A cap that no test reaches by accident. */
export const NO_CAP = 1_000_000;

export const ADMIN: Viewer = { role: 'admin' };
export const ALICE: Viewer = { agent: 'alice', role: 'worker' };
export const BOB: Viewer = { agent: 'bob', role: 'worker' };

let drafts = 0;

/** An id that sorts after those made before it, as real ones do. */
export function nextId(prefix = 'mem'): string {
  drafts += 1;
  return `${prefix}_${String(drafts).padStart(26, '0')}`;
}

export function recordDraft(fields: Partial<RecordDraft> = {}): RecordDraft {
  return {
    id: nextId(),
    agent: 'alice',
    user: null,
    scope: 'agent',
    source: 'manual',
    category: 'fact',
    confidence: 1,
    content: `text number ${drafts}`,
    tags: [],
    metadata: {},
    origin: 'user',
    pinned: false,
    thread: null,
    validFrom: null,
    expiresAt: null,
    ...fields,
  };
}

export function context(viewer: Viewer = ALICE, at: number = START): WriteContext {
  return { at, viewer, via: 'sdk' };
}

/** Adds as the owner of the draft, without a cap. */
export async function addRecord(records: RecordStore, fields: Partial<RecordDraft> = {}, at: number = START) {
  const draft = recordDraft(fields);
  const { record } = await records.add(
    draft,
    { maxFacts: NO_CAP },
    context({ agent: draft.agent, role: 'worker', ...(draft.user === null ? {} : { user: draft.user }) }, at),
  );
  return record;
}

export function updateRecord(
  records: RecordStore,
  id: string,
  patch: RecordPatch,
  at: number = START,
  viewer: Viewer = ALICE,
) {
  return records.update(id, patch, { maxFacts: NO_CAP }, context(viewer, at));
}

export async function listed(records: RecordStore, query: Partial<ListQuery> = {}): Promise<string[]> {
  const found = await records.list({ viewer: ADMIN, now: START, filter: {}, limit: 1_000, ...query });
  return found.map((record) => record.id);
}

export async function found(
  records: RecordStore,
  terms: readonly string[],
  query: Partial<TextQuery> = {},
): Promise<string[]> {
  const candidates = await records.searchText({
    viewer: ADMIN,
    now: START,
    filter: {},
    limit: 1_000,
    terms,
    ...query,
  });
  return candidates.map(({ record }) => record.id);
}

export function messageDraft(fields: Partial<MessageDraft> = {}): MessageDraft {
  return {
    id: nextId('msg'),
    agent: 'alice',
    thread: 'alice',
    run: null,
    role: 'user',
    content: `message number ${drafts}`,
    metadata: {},
    at: START,
    text: `message number ${drafts}`,
    ...fields,
  };
}

export function eventDraft(agent = 'alice', at: number = START): EventDraft {
  return { type: 'memory.forgotten', id: nextId(), agent, at, via: 'sdk' };
}
