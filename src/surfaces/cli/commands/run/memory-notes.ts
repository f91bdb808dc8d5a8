/** Says on stderr what a session does with memory. */
import type { Client } from '../../../../client/index.ts';
import type { KeepsakeEvent } from '../../../../kernel/events.ts';
import type { Output } from '../../output.ts';
import { oneLine } from '../../terminal/printable.ts';
import { counted } from '../../terminal/sizes.ts';
import type { Session } from './open-agent.ts';

const CHANGES: Readonly<Record<string, string>> = { added: 'remembered', updated: 'changed' };

export function memoryNote(event: KeepsakeEvent): string | undefined {
  switch (event.type) {
    case 'memory.recalled':
      if (event.entryCount === 0) return undefined;
      return `recalled ${counted(event.entryCount, 'memory', 'memories')} (${counted(event.charsInjected, 'character')})`;
    case 'memory.wrote':
      return `${CHANGES[event.change] ?? event.change}: a ${oneLine(event.category) || 'memory'} (${event.id})`;
    case 'memory.forgotten':
      return `forgotten: ${event.id}`;
    case 'memory.blocked':
      return `refused by the guard: ${event.reasons.map(oneLine).join(', ')}`;
    case 'memory.extracted':
      if (event.status === 'failed')
        return `warning: the session could not be reviewed (${oneLine(event.reason ?? 'unknown')}); it is tried again later`;
      if (event.opsProposed === 0) return undefined;
      return `learned ${event.opsApplied} of ${event.opsProposed} proposals${event.dryRun ? ' (dry run)' : ''}`;
    case 'conversation.compacted':
      return `the conversation was compacted: ${counted(event.replaced, 'message')} became a summary`;
    case 'conversation.compaction.failed':
      return event.fallback === null
        ? `warning: the conversation could not be compacted (${event.code})`
        : `warning: the conversation could not be summarised by ${event.model} (${event.code}); sentences were taken from it instead`;
    default:
      return undefined;
  }
}

/** Until the function that it returns is called. */
export function noteMemory(client: Client, session: Session, note: Output['note']): () => void {
  return client.events.subscribe((event) => {
    // A conversation is shared by all sessions of its agent.
    const isShared = event.session === undefined || event.type.startsWith('conversation.');
    const isOurs = event.session === session.id || (isShared && event.agent === session.agent);
    const text = isOurs ? memoryNote(event) : undefined;
    if (text !== undefined) note(`· ${text}`);
  });
}
