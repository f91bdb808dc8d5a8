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
  /** The conversation that the call is about; without it, the one that an agent has with its user, or its only one. */
  readonly thread?: string;
  readonly via: Via;
  readonly session?: string;
  /** The owner of the workspace, also while he acts as an agent. */
  readonly isOwner?: boolean;
  /** Id of the API key that the call was made with. */
  readonly key?: string;
  /** Set by whatever reads the files that a person added; a caller cannot ask for it. */
  readonly ownDocument?: true;
  /** Win over the configuration, for the agent itself. */
  readonly limits?: MemoryLimits;
}

/** The agent that a call is about. It is part of the caller's identity, never of a verb's input. */
export function agentOf({ viewer }: Pick<Caller, 'viewer'>): string {
  if (viewer.user !== undefined) {
    throw new KeepsakeError('UNSUPPORTED', 'This belongs to an agent, not to one of its users.', {
      hint: 'Leave out the user; memories and conversations are kept for each user.',
    });
  }
  return namedAgent(viewer);
}

function namedAgent(viewer: Viewer): string {
  if (viewer.agent !== undefined) return checkAgentName(viewer.agent);
  throw new KeepsakeError('INVALID_INPUT', 'This call needs an agent.', {
    hint: 'Name one with --agent, with client.agent({ name }), or over HTTP with the header Keepsake-Agent or ?agent=.',
  });
}

/** The same, for verbs that change something. */
export function writerOf(caller: Pick<Caller, 'viewer'>): string {
  refuseReader(caller);
  return agentOf(caller);
}

function refuseReader({ viewer }: Pick<Caller, 'viewer'>): void {
  if (viewer.role !== 'reader') return;
  throw new KeepsakeError('FORBIDDEN', 'A reader may not write.', {
    hint: 'Use a key with the role worker or lead.',
  });
}

/** The agent whose conversations a call is about: each user has one of their own with it. */
export function speakerOf({ viewer }: Pick<Caller, 'viewer'>): string {
  return namedAgent(viewer);
}

/** The same, for verbs that change something. */
export function writingSpeaker(caller: Pick<Caller, 'viewer'>): string {
  refuseReader(caller);
  return speakerOf(caller);
}

/** Stands for no agent in a request over HTTP: the call is about a person with every agent. No agent has this name. */
export const EVERY_AGENT = '*';

/** Stands for no agent, in records about a person that hold with every agent. */
export const NO_AGENT = '';

/** Whose record a caller adds: an agent's, a user's, or that of both. */
export function ownerOf(caller: Pick<Caller, 'viewer'>): { agent: string; user: string | null } {
  const { agent, user } = caller.viewer;
  if (agent === undefined && user !== undefined) return { agent: NO_AGENT, user };
  return { agent: namedAgent(caller.viewer), user: user ?? null };
}

/** The same, for verbs that change something. */
export function writingOwner(caller: Pick<Caller, 'viewer'>): ReturnType<typeof ownerOf> {
  refuseReader(caller);
  return ownerOf(caller);
}
