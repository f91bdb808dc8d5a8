/** The pack `sections`: notes by topic that the agent curates itself. */
import { z } from 'zod';
import type { Caller } from '../../kernel/caller.ts';
import type { SectionsService } from '../../sections/index.ts';
import { defineTool, type Tool } from '../tool.ts';
import { NO_IDENTITY } from './facts.ts';

const section = z.string().describe('Name of the section, for example user_preferences.');

const counted = (lines: number): string => `${lines} ${lines === 1 ? 'line' : 'lines'}`;

export function sectionTools(sections: SectionsService, caller: Caller | undefined): Tool[] {
  return [
    defineTool({
      name: 'memory_save',
      description: 'Saves a section of your long-term notes. Replaces the entire section.',
      input: z.object({ section, content: z.string().describe('The whole text of the section.') }),
      run: async (input) => {
        if (caller === undefined) return NO_IDENTITY;
        const { section: name, outcome, lines } = await sections.save(input, caller);
        return `Section "${name}" ${outcome} (${counted(lines)}).`;
      },
    }),
    defineTool({
      name: 'memory_append',
      description:
        'Adds a text to the end of a section of your long-term notes; makes the section if needed.',
      input: z.object({ section, content: z.string().describe('The text to add.') }),
      run: async (input) => {
        if (caller === undefined) return NO_IDENTITY;
        const { section: name, outcome, lines, hint } = await sections.append(input, caller);
        return `Section "${name}" ${outcome} (${counted(lines)}).${hint === undefined ? '' : ` ${hint}`}`;
      },
    }),
    defineTool({
      name: 'memory_retrieve',
      readOnly: true,
      description: 'Reads a section of your long-term notes.',
      input: z.object({ section }),
      run: async (input) => {
        if (caller === undefined) return NO_IDENTITY;
        return (await sections.retrieve(input, caller)).content;
      },
    }),
  ];
}
