/** The events that a record store appends to the stream with its writes. */
import { defined } from '../../kernel/defined.ts';
import type { EventDraft } from '../../kernel/events.ts';
import type { Change, MemoryRecord } from '../../kernel/record.ts';
import type { WriteContext } from '../../ports/record-store.ts';

type Named = Pick<MemoryRecord, 'id' | 'agent' | 'category'>;

function envelope(agent: string, { at, via, session }: WriteContext) {
  return { at, via, agent, ...defined({ session }) };
}

export function wroteEvent(
  { id, agent, category, source, scope }: Named & Pick<MemoryRecord, 'source' | 'scope'>,
  version: number,
  change: Change,
  context: WriteContext,
): EventDraft {
  return { ...envelope(agent, context), type: 'memory.wrote', id, category, source, scope, version, change };
}

export function prunedEvent(
  { id, agent, category }: Named,
  limit: number,
  context: WriteContext,
): EventDraft {
  return { ...envelope(agent, context), type: 'memory.pruned', id, category, limit };
}

export function forgottenEvent(id: string, agent: string, context: WriteContext): EventDraft {
  return { ...envelope(agent, context), type: 'memory.forgotten', id };
}
