/** The pack `facts`: remember, recall and forget, as agents have them, and a way to look at and correct what is there. */
import { z } from 'zod';
import { operations } from '../../../operations/index.ts';
import { factTools } from '../../../operations/tool-packs.ts';
import { mcpTool } from '../tool.ts';
import { fullId } from './full-id.ts';
import { found, foundMemories, nothingKnown, whole, wholeMemory, wholeText, written } from './memories.ts';
import { definitions, type Pack } from './shared.ts';

interface RememberInput {
  readonly content: string;
  readonly category: string;
  readonly confidence?: number;
  readonly replaces?: string;
  /** Only for projects. */
  readonly everywhere?: boolean;
}

interface RecallInput {
  readonly query: string;
  readonly limit: number;
  readonly category?: string;
}

/** One person's projects share what the person says of all of them. */
const everywhere = z
  .boolean()
  .default(false)
  .describe('True for what holds in every project, such as how the user likes to work.');

const id = z.string().describe('Id of the memory.');

export const factsPack: Pack = (engine, caller, { isProject }) => {
  const define = definitions(factTools(engine.records, caller));
  const remember = define<RememberInput>('remember');
  const input = remember.input as unknown as z.ZodObject;
  const full = (named: string) => fullId(named, engine, caller);
  return [
    mcpTool({
      ...remember,
      input: (isProject ? input.extend({ everywhere }) : input) as unknown as z.ZodType<RememberInput>,
      title: 'Remember',
      effect: 'write-once',
      output: written,
      renamed: { supersedes: 'replaces' },
      run: async ({ replaces, everywhere: isShared = false, ...rest }) => {
        const memory = {
          ...rest,
          origin: 'agent' as const,
          scope: isShared ? ('swarm' as const) : ('agent' as const),
          ...(replaces === undefined ? {} : { supersedes: await full(replaces) }),
        };
        const { id: stored, outcome } = await operations.memoryAdd.run(engine, memory, caller);
        const text = outcome === 'added' ? `Remembered as ${stored}.` : `Already known as ${stored}.`;
        return { structured: { id: stored, outcome }, text };
      },
    }),
    mcpTool({
      ...define<RecallInput>('recall'),
      title: 'Recall',
      effect: 'read',
      output: foundMemories,
      run: async (input) =>
        found(await operations.memorySearch.run(engine, input, caller), nothingKnown(caller)),
    }),
    mcpTool({
      ...define<{ id: string }>('forget'),
      title: 'Forget',
      effect: 'destroy',
      output: written,
      run: async (input) => {
        const { id: erased } = await operations.memoryForget.run(
          engine,
          { id: await full(input.id) },
          caller,
        );
        return { structured: { id: erased, outcome: 'forgotten' }, text: `Forgot ${erased}.` };
      },
    }),
    mcpTool({
      name: 'get_memory',
      title: 'Show a memory',
      description: 'Shows one memory in full, with where it came from; also when it has expired.',
      effect: 'read',
      input: z.object({ id }),
      output: wholeMemory,
      run: async (input) => {
        const record = await operations.memoryGet.run(engine, { id: await full(input.id) }, caller);
        return { structured: whole(record), text: wholeText(record) };
      },
    }),
    mcpTool({
      name: 'list_memories',
      title: 'List memories',
      description: 'Lists memories, newest first, a page at a time.',
      effect: 'read',
      input: z.object({
        limit: z.int().min(1).max(100).default(20),
        category: z.string().optional(),
        after: z.string().optional().describe('Last id of the page before.'),
      }),
      output: foundMemories,
      run: async (input) =>
        found(await operations.memoryList.run(engine, given(input), caller), 'There are no memories.'),
    }),
    mcpTool({
      name: 'update_memory',
      title: 'Correct a memory',
      description: 'Corrects fields of a memory; the version before stays in its history.',
      effect: 'write-once',
      input: z.object({
        id,
        content: z.string().optional(),
        category: z.string().optional(),
        confidence: z.number().min(0).max(1).optional(),
        pinned: z.boolean().optional().describe('Always part of what you know.'),
      }),
      output: z.object({ ...written.shape, version: z.number() }),
      run: async (input) => {
        const {
          id: changed,
          outcome,
          version,
        } = await operations.memoryUpdate.run(engine, { ...given(input), id: await full(input.id) }, caller);
        const text = outcome === 'updated' ? `Updated ${changed}.` : `${changed} says that already.`;
        return { structured: { id: changed, outcome, version }, text };
      },
    }),
  ];
};

type Given<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Without the keys that have no value. */
function given<T extends object>(input: T): Given<T> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as Given<T>;
}
