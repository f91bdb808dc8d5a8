/** The interface of the store of a run: this workspace, or a server. */
import type { Clock } from '../../kernel/clock.ts';
import type { Via } from '../../kernel/events.ts';
import type { Role } from '../../kernel/scope.ts';
import type { BusDraft, BusMessage, BusQuery } from '../../ports/message-bus.ts';
import type { RunEnd, RunParticipant, RunRecord, RunUsage } from '../../ports/run-store.ts';
import type { SharedState } from '../shared-state.ts';

/** Stands in the feed of changes where no agent made one; no agent can have this name. */
export const PROGRAM = '@program';

/** A participant with its hands on the state. Without one, it is the program itself. */
export interface Actor {
  readonly agent: string;
  readonly role: Role;
  readonly session?: string | undefined;
  readonly via?: Via | undefined;
  /** A person has read what is written and answers for it. */
  readonly isReleased?: boolean;
}

export type BusWatch = Omit<BusQuery, 'limit'> & { readonly signal?: AbortSignal | undefined };

export interface RunServices {
  readonly clock: Clock;
  get(id: string): Promise<RunRecord | null>;
  stateOf(run: string, actor?: Actor): SharedState;
  messages(query: BusQuery): Promise<readonly BusMessage[]>;
  watchMessages(query: BusWatch): AsyncIterable<BusMessage>;
  publish(draft: BusDraft): Promise<void>;
  /** That a participant is done with a prompt, for observers; with the code of what went wrong. */
  note(run: string, agent: string, failure?: string): void;
  /** A sign of life, and what was spent until then. False when the run has ended. */
  touch(run: Pick<RunRecord, 'id' | 'leaseMs'>, usage?: RunUsage): Promise<boolean>;
  /** The first end counts. After it the working memory is gone, and so is what only the run kept. */
  end(run: Pick<RunRecord, 'id' | 'swarm' | 'participants'>, end: RunEnd): Promise<boolean>;
}

export function leadOf(participants: readonly RunParticipant[]): string | undefined {
  return participants.find(({ role }) => role === 'lead')?.name;
}
