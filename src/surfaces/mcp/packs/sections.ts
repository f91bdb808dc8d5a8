/** The pack `sections`: notes by topic that the agent curates itself. */
import { z } from 'zod';
import { operations } from '../../../operations/index.ts';
import { sectionTools } from '../../../operations/tool-packs.ts';
import { mcpTool } from '../tool.ts';
import { definitions, type Pack } from './shared.ts';

interface SectionInput {
  readonly section: string;
}

interface WriteInput extends SectionInput {
  readonly content: string;
}

const saved = z.object({
  section: z.string(),
  outcome: z.string(),
  lines: z.number(),
  hint: z.string().optional(),
});

export const sectionsPack: Pack = (engine, caller) => {
  const define = definitions(sectionTools(engine.sections, caller));
  return [
    mcpTool({
      ...define<WriteInput>('memory_save'),
      title: 'Save a section',
      effect: 'destroy',
      output: saved,
      run: async (input) => {
        const { hash: _, ...done } = await operations.sectionsSave.run(engine, input, caller);
        return { structured: done, text: `Section "${done.section}" ${done.outcome} (${done.lines} lines).` };
      },
    }),
    mcpTool({
      ...define<WriteInput>('memory_append'),
      title: 'Add to a section',
      effect: 'write',
      output: saved,
      run: async (input) => {
        const done = await operations.sectionsAppend.run(engine, input, caller);
        const hint = done.hint === undefined ? '' : ` ${done.hint}`;
        return {
          structured: done,
          text: `Section "${done.section}" ${done.outcome} (${done.lines} lines).${hint}`,
        };
      },
    }),
    mcpTool({
      ...define<SectionInput>('memory_retrieve'),
      title: 'Read a section',
      effect: 'read',
      output: z.object({ section: z.string(), content: z.string(), lines: z.number() }),
      run: async (input) => {
        const { hash: _, ...section } = await operations.sectionsRetrieve.run(engine, input, caller);
        return { structured: section, text: section.content };
      },
    }),
  ];
};
