/** Combines waiting changes of one state and writes them in one step. */
import type { JsonObject } from '../../kernel/json.ts';
import type { StateEdit } from '../../ports/state-store.ts';
import { feedValue } from '../../working/rules/change-feed.ts';
import { editedDocument, requireSize, requireVersion } from '../../working/rules/decide-state.ts';
import { type Field, fieldOf, type Meta, toDocument } from './fields.ts';

export interface Present {
  readonly meta: Meta;
  readonly fields: ReadonlyMap<string, Field>;
}

export interface Prepared {
  /** What became of each: its place among those that are written, or why it is not. */
  readonly outcomes: readonly ({ readonly place: number } | { readonly error: unknown })[];
  readonly written: number;
  readonly args: readonly string[];
}

/** An edit that depends on the whole document, or on its version, goes alone. */
export const goesAlone = ({ keys, ifVersion }: StateEdit): boolean =>
  keys === null || ifVersion !== undefined;

/** The keys that the edits read or write; undefined for all. */
export function keysOfAll(edits: readonly StateEdit[]): readonly string[] | undefined {
  if (edits.some(({ keys }) => keys === null)) return undefined;
  return [...new Set(edits.flatMap(({ keys }) => keys ?? []))];
}

/** The arguments of the script that makes all of them, in their order. */
export function prepare(edits: readonly StateEdit[], { meta, fields }: Present): Prepared {
  const before = toDocument(fields);
  const start = Number(meta.b);
  const version = Number(meta.v);
  let document = before;
  let size = start;
  const written: StateEdit[] = [];
  const outcomes = edits.map((edit) => {
    try {
      requireVersion(edit, version);
      const next = editedDocument(edit, document);
      const bytes = size + growthOf(document, next);
      requireSize(edit, bytes);
      [document, size] = [next, bytes];
      return { place: written.push(edit) - 1 };
    } catch (error) {
      return { error };
    }
  });
  return {
    outcomes,
    written: written.length,
    args: toArguments(written, before, document, { meta, fields }),
  };
}

/** As an edit does not change values in place, those that are the same object need no comparison. */
function changedKeys(before: JsonObject, after: JsonObject): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter(
    (key) => Object.hasOwn(before, key) !== Object.hasOwn(after, key) || before[key] !== after[key],
  );
}

function growthOf(before: JsonObject, after: JsonObject): number {
  const size = (document: JsonObject, key: string): number =>
    Object.hasOwn(document, key) ? entrySize(key, JSON.stringify(document[key])) : 0;
  return changedKeys(before, after).reduce((sum, key) => sum + size(after, key) - size(before, key), 0);
}

/** With its key, colon and comma. */
const entrySize = (key: string, text: string): number =>
  Buffer.byteLength(JSON.stringify(key)) + Buffer.byteLength(text) + 2;

function toArguments(
  edits: readonly StateEdit[],
  before: JsonObject,
  after: JsonObject,
  { meta, fields }: Present,
): string[] {
  const last = edits.at(-1);
  if (last === undefined) return [];
  // Without named keys, every other change matters.
  const wanted = last.keys === null ? meta.v : last.ifVersion;
  const expected = (keysOfAll(edits) ?? []).flatMap((key) => [fieldOf(key), fields.get(key)?.version ?? '']);
  const changes = changedKeys(before, after).flatMap((key) => {
    const text = Object.hasOwn(after, key) ? JSON.stringify(after[key]) : '';
    return text === fields.get(key)?.text ? [] : [fieldOf(key), text];
  });
  const leaseUntil = Math.max(...edits.map((edit) => edit.leaseUntil));
  return [
    ...[wanted ?? '', Math.min(...edits.map(({ maxBytes }) => maxBytes)), growthOf(before, after)],
    ...[last.at, leaseUntil, leaseUntil - last.at, expected.length / 2, changes.length / 2],
    ...[...expected, ...changes],
    ...edits.flatMap(({ at, by, op, path, value }) => [...[at, by, op, path, feedValue(value) ?? '']]),
  ].map(String);
}
