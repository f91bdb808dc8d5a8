/** The events that a record store appends to the stream with its writes. */
import { defined } from '../../kernel/defined.ts';
import type { EventDraft } from '../../kernel/events.ts';
import type { Change, MemoryRecord } from '../../kernel/record.ts';
import type { WriteContext } from '../../ports/record-store.ts';

type Owner = Pick<MemoryRecord, 'agent' | 'user'>;
type Named = Owner & Pick<MemoryRecord, 'id' | 'category'>;

function envelope({ agent, user }: Owner, { at, via, session }: WriteContext) {
  return { at, via, agent, ...defined({ user: user ?? undefined, session }) };
}

export function wroteEvent(
  { id, category, source, scope, ...owner }: Named & Pick<MemoryRecord, 'source' | 'scope'>,
  version: number,
  change: Change,
  context: WriteContext,
): EventDraft {
  return { ...envelope(owner, context), type: 'memory.wrote', id, category, source, scope, version, change };
}

export function prunedEvent(
  { id, category, ...owner }: Named,
  limit: number,
  context: WriteContext,
): EventDraft {
  return { ...envelope(owner, context), type: 'memory.pruned', id, category, limit };
}

export function forgottenEvent(id: string, owner: Owner, context: WriteContext): EventDraft {
  return { ...envelope(owner, context), type: 'memory.forgotten', id };
}
