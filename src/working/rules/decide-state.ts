/** Decides what creating or editing a working state writes; every engine applies the plan in its own transaction. */
import type { JsonObject } from '../../kernel/json.ts';
import type { StateDraft, StateEdit, StateSnapshot } from '../../ports/state-store.ts';
import { type FeedEntry, feedEntry } from './change-feed.ts';
import { noState, otherVersion, stateExists, tooLarge } from './state-errors.ts';

export interface StatePlan {
  readonly state: StateSnapshot;
  /** The document of the state as JSON. */
  readonly text: string;
  readonly change: FeedEntry;
}

/** `found`: the state that the run has already, if any. */
export function decideCreate(found: StateSnapshot | null, draft: StateDraft): StatePlan {
  if (found !== null) throw stateExists(draft.run);
  const state = firstState(draft);
  return {
    state,
    text: JSON.stringify(draft.document),
    change: feedEntry(draft.document, state.version),
  };
}

export function firstState({ run, document, at, leaseUntil }: StateDraft): StateSnapshot {
  return { run, version: 1, document, updatedAt: at, leaseUntil };
}

export function decideEdit(found: StateSnapshot | null, edit: StateEdit): StatePlan {
  const { run, at, value } = edit;
  if (found === null) throw noState(run);
  requireVersion(edit, found.version);
  const document = editedDocument(edit, found.document);
  const text = JSON.stringify(document);
  requireSize(edit, Buffer.byteLength(text));
  const version = found.version + 1;
  // A lease is only ever prolonged.
  const leaseUntil = Math.max(found.leaseUntil, edit.leaseUntil);
  return {
    state: { run, version, document, updatedAt: at, leaseUntil },
    text,
    change: feedEntry(value, version),
  };
}

export function requireVersion({ run, ifVersion }: StateEdit, version: number): void {
  if (ifVersion !== undefined && ifVersion !== version) throw otherVersion(run, ifVersion, version);
}

export function requireSize({ run, maxBytes }: StateEdit, bytes: number): void {
  if (bytes > maxBytes) throw tooLarge(run, bytes, maxBytes);
}

/** The keys that the edit names are replaced, or removed where the result lacks them; all others stay. */
export function editedDocument(edit: StateEdit, before: JsonObject): JsonObject {
  const { keys } = edit;
  const part = edit.apply(before);
  if (keys === null) return part;
  const document = { ...before };
  for (const key of keys) {
    if (Object.hasOwn(part, key)) document[key] = part[key]!;
    else delete document[key];
  }
  return document;
}
