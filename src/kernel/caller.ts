/** Who calls a verb, through which surface, and for which agent it therefore acts. */
import { KeepsakeError } from './errors.ts';
import type { Via } from './events.ts';
import { checkAgentName } from './names.ts';
import type { Viewer } from './scope.ts';

/** What the program that opened an agent decided about its memory. */
export interface MemoryLimits {
  readonly maxEntries?: number;
  readonly readOnly?: boolean;
}

export interface Caller {
  readonly viewer: Viewer;
  readonly via: Via;
  readonly session?: string;
  /** The owner of the workspace, also while he acts as an agent. */
  readonly isOwner?: boolean;
  /** Id of the API key that the call was made with. */
  readonly key?: string;
  /** Win over the configuration, for the agent itself. */
  readonly limits?: MemoryLimits;
}

/** The agent that a call is about. It is part of the caller's identity, never of a verb's input. */
export function agentOf({ viewer }: Pick<Caller, 'viewer'>): string {
  if (viewer.agent !== undefined) return checkAgentName(viewer.agent);
  throw new KeepsakeError('INVALID_INPUT', 'Which agent is this about? None was named.', {
    hint: 'Name one with --agent, with client.agent({ name }), or over HTTP with the header Keepsake-Agent or ?agent=.',
  });
}

/** The same, for verbs that change something. */
export function writerOf(caller: Pick<Caller, 'viewer'>): string {
  if (caller.viewer.role !== 'reader') return agentOf(caller);
  throw new KeepsakeError('FORBIDDEN', 'A reader may not write.', {
    hint: 'Use a key with the role worker or lead.',
  });
}
