/** The services that a run of an agent needs, and its memory settings. */
import type { Clock } from '../kernel/clock.ts';
import type { EventHub } from '../kernel/events.ts';
import type { FileLock } from '../ports/file-lock.ts';
import type { Guard } from '../ports/guard.ts';
import type { Storage } from '../ports/storage.ts';
import type { RecordService } from '../records/index.ts';
import type { SectionsService } from '../sections/index.ts';

export interface RunServices {
  readonly clock: Clock;
  readonly storage: Pick<Storage, 'events' | 'records' | 'log'>;
  readonly hub: EventHub;
  readonly records: RecordService;
  readonly sections: SectionsService;
  readonly guard: Guard;
  readonly lock: FileLock;
  readonly paths: { readonly dataFolder: string };
  /** Sessions and reviews that have not ended; whoever closes the workspace ends them first. */
  readonly sessions: Set<{ end(): Promise<void> }>;
}

/** How the long-term facts of an agent are switched. */
export interface MemoryPolicy {
  readonly enabled: boolean;
  readonly readOnly: boolean;
  readonly dryRun: boolean;
  readonly maxCharsInjected: number;
  readonly maxCharsProfile: number;
  readonly confidenceThreshold: number;
  readonly minMessagesToExtract: number;
}

/** `task`: what became of it is remembered. `automatic`: the same, of a task that repeats by itself. */
export type SessionKind = 'chat' | 'task' | 'automatic';
