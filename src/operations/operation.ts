/** What an operation is: one verb, defined once, from which SDK, CLI, REST and MCP are derived. */
import type { z } from 'zod';
import type { ConversationService } from '../conversation/index.ts';
import type { Quarantine } from '../guard/index.ts';
import type { Caller } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { validate } from '../kernel/validate.ts';
import type { KnowledgeService, NotesService } from '../knowledge/index.ts';
import type { Storage } from '../ports/storage.ts';
import type { RecordService } from '../records/index.ts';
import type { SectionsService } from '../sections/index.ts';
import type { SwarmService } from '../working/index.ts';

/** What operations work with; the client opens it. */
export interface Services {
  readonly clock: Clock;
  readonly storage: Storage;
  readonly records: RecordService;
  readonly sections: SectionsService;
  readonly conversations: ConversationService;
  readonly knowledge: KnowledgeService;
  readonly notes: NotesService;
  readonly quarantine: Quarantine;
  readonly swarms: SwarmService;
  readonly paths: { readonly agentsFolder: string };
}

/** For operations that take long: how to stop one, and how far it is. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
}

export interface Operation<Input extends z.ZodType = z.ZodType, Output = unknown> {
  /** `noun.verb`, the same on every surface. */
  readonly name: string;
  /** One line for lists and help. */
  readonly summary: string;
  /** What a model or a person needs to know to use it well. */
  readonly description: string;
  /** `read` changes nothing a user would notice; `destroy` cannot be taken back. */
  readonly effect: 'read' | 'write' | 'destroy';
  readonly input: Input;
  run(services: Services, input: z.input<Input>, caller: Caller, options?: CallOptions): Promise<Output>;
}

/**
 * The input is checked here, so that no surface can hand on what the schema does not allow; layers that fill in defaults
 * read it once more themselves.
 */
export function defineOperation<Input extends z.ZodType, Output>(
  operation: Operation<Input, Output>,
): Operation<Input, Output> {
  return {
    ...operation,
    run: async (services, input, caller, options) => {
      validate(operation.input, input, operation.name);
      return operation.run(services, input, caller, options);
    },
  };
}
