/** The pack `swarm`: memory as agents of a swarm see it, with lessons that a lead passes on. */
import { operations } from '../../../operations/index.ts';
import { type Learning, swarmTools } from '../../../operations/tool-packs.ts';
import { mcpTool } from '../tool.ts';
import { fullId } from './full-id.ts';
import { found, foundMemories, nothingKnown, whole, wholeMemory, wholeText, written } from './memories.ts';
import { definitions, type Pack } from './shared.ts';

export const swarmPack: Pack = (engine, caller) => {
  const define = definitions(swarmTools(engine.records, caller));
  const full = (named: string) => fullId(named, engine, caller);
  return [
    mcpTool({
      ...define<{ query: string; limit: number }>('memory-search'),
      title: 'Search memories',
      effect: 'read',
      output: foundMemories,
      run: async (input) =>
        found(await operations.memorySearch.run(engine, input, caller), nothingKnown(caller)),
    }),
    mcpTool({
      ...define<{ id: string }>('memory-get'),
      title: 'Show a memory',
      effect: 'read',
      output: wholeMemory,
      run: async (input) => {
        const record = await operations.memoryGet.run(engine, { id: await full(input.id) }, caller);
        return { structured: whole(record), text: wholeText(record) };
      },
    }),
    mcpTool({
      ...define<{ id: string }>('memory-delete'),
      title: 'Erase a memory',
      effect: 'destroy',
      output: written,
      run: async (input) => {
        const { id } = await operations.memoryForget.run(engine, { id: await full(input.id) }, caller);
        return { structured: { id, outcome: 'forgotten' }, text: `Erased ${id}.` };
      },
    }),
    mcpTool({
      ...define<Learning>('inject-learning'),
      title: 'Pass a lesson on',
      effect: 'write-once',
      output: written,
      run: async (input) => {
        const { id, outcome } = await operations.swarmTeach.run(engine, input, caller);
        return { structured: { id, outcome }, text: `Passed on as ${id}.` };
      },
    }),
  ];
};
