/** The rows of working states and of their changes, which both SQL engines store alike. */
import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import type { StateChange, StateOperation, StateSnapshot } from '../../ports/state-store.ts';
import { storedJson } from './stored-json.ts';

export interface StateRow {
  readonly version: number;
  readonly document: string;
  readonly updated_at: number;
  readonly lease_until: number;
}

export interface ChangeRow {
  readonly run: string;
  readonly version: number;
  readonly at: number;
  readonly author: string;
  readonly op: StateOperation;
  readonly path: string;
  readonly value: string | null;
}

export function toState(run: string, row: StateRow | undefined): StateSnapshot | null {
  if (row === undefined) return null;
  const { version, document, updated_at: updatedAt, lease_until: leaseUntil } = row;
  return { run, version, document: storedJson<JsonObject>(document), updatedAt, leaseUntil };
}

export function toChange({ author: by, value, ...row }: ChangeRow): StateChange {
  return { ...row, by, ...(value === null ? {} : { value: storedJson<JsonValue>(value) }) };
}
