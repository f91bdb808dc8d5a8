/** The names that events have; the compiler sees to it that none is missing. */
import type { EventType } from '../../../../kernel/events.ts';

const NAMED: Readonly<Record<EventType, true>> = {
  'memory.wrote': true,
  'memory.blocked': true,
  'memory.pruned': true,
  'memory.expired': true,
  'memory.forgotten': true,
  'memory.recalled': true,
  'memory.extracted': true,
  'session.sent': true,
  'session.completed': true,
  'session.failed': true,
  'session.aborted': true,
  'session.receipt': true,
  'conversation.compacted': true,
  'conversation.compaction.failed': true,
  'storage.restored': true,
  'swarm.run.started': true,
  'swarm.run.completed': true,
  'swarm.run.failed': true,
  'swarm.run.cancelled': true,
  'swarm.participant.joined': true,
  'swarm.participant.finished': true,
  'swarm.participant.failed': true,
  'swarm.state.changed': true,
  'swarm.message': true,
};

export const EVENT_TYPES = Object.keys(NAMED);
/** memory, session and so on. */
export const EVENT_GROUPS = [...new Set(EVENT_TYPES.map((type) => type.split('.')[0]!))];
