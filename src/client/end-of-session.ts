/** What is left of a session when it ends: what it taught, for agents whose memory is enabled. */
import type { Transcript } from '../agents/index.ts';
import type { Config } from '../config/index.ts';
import type { Caller } from '../kernel/caller.ts';
import type { Models } from '../ports/model-meter.ts';
import type { Engine } from './engine.ts';

export interface EndOfSession {
  readonly engine: Engine;
  readonly models: Models;
  readonly memory: Config['memory'];
  /** Undefined in a raw session, which nobody learns from. */
  readonly caller: Caller | undefined;
  readonly session: string;
  readonly transcript: Transcript;
  readonly outcome: 'completed' | 'failed' | 'aborted';
}

/** Never throws: the user has his answer already. */
export async function endOfSession({ memory, caller, outcome }: EndOfSession): Promise<void> {
  if (!memory.enabled || caller === undefined || outcome !== 'completed') return;
}
