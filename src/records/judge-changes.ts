/** Passes the changes of a memory through the guard, and answers with what may be written of them. */

import type { Consent, Gate } from '../guard/index.ts';
import type { Caller } from '../kernel/caller.ts';
import { defined } from '../kernel/defined.ts';
import type { MemoryRecord, Origin } from '../kernel/record.ts';
import { mayChange } from '../kernel/scope.ts';
import { isLessTrusted, isStranger, requiredTrust } from '../kernel/trust.ts';
import type { z } from '../kernel/zod.ts';
import type { updateInput } from './inputs.ts';

type Changes = Omit<z.output<typeof updateInput>, 'id' | 'ifVersion' | 'origin'>;

interface Change {
  readonly gate: Gate;
  readonly caller: Caller;
  readonly origin: Origin;
  readonly consent?: Consent | undefined;
}

export async function judgeChanges(
  present: MemoryRecord,
  given: Changes,
  { gate, caller, origin, consent }: Change,
): Promise<Changes> {
  const changes = { ...given, content: given.content?.toWellFormed() };
  const moves =
    (changes.category ?? present.category) !== present.category ||
    (changes.scope ?? present.scope) !== present.scope;
  // A person pins whatever he likes; what came from outside does not pin itself.
  const pinned = changes.pinned === true && !present.pinned && isStranger(origin);
  const saysMore =
    changes.content !== undefined || changes.tags !== undefined || changes.metadata !== undefined || moves;
  const isRefused = !mayChange(caller.viewer, present) || isLessTrusted(origin, requiredTrust(present));
  // Whoever may not change the record is refused by the store, and must not raise an alarm here.
  if ((!saysMore && !pinned) || isRefused) return changes;
  const subject = { ...present, ...defined(changes), pinned, settled: !moves };
  const kept = await gate.pass(
    {
      verb: 'memory.update',
      agent: present.agent,
      input: { id: present.id, ...given, origin },
      subject,
      before: { ...present, pinned: false, settled: !moves },
    },
    caller,
    consent,
  );
  return {
    ...changes,
    ...(changes.content === undefined ? {} : { content: kept.content }),
    ...(changes.tags === undefined ? {} : { tags: [...kept.tags] }),
    ...(changes.metadata === undefined ? {} : { metadata: kept.metadata }),
  };
}
