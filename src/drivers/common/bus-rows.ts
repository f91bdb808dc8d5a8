/** The rows of a run's messages, which both SQL engines store alike. */
import type { JsonValue } from '../../kernel/json.ts';
import type { BusMessage } from '../../ports/message-bus.ts';
import { storedJson } from './stored-json.ts';

export interface BusRow extends Omit<BusMessage, 'content'> {
  readonly content: string;
}

export function toBusMessage(row: BusRow): BusMessage {
  return { ...row, content: storedJson<JsonValue>(row.content) };
}

/** The id of the row that marks the end of a run. It has an empty role, and nobody wrote it. */
export const endMarker = (run: string): string => `${run}:end`;
