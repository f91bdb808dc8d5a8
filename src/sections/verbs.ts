/** The verbs of the curated sections in `<agent>.memory.md`. */

import { speakerOf } from '../kernel/caller.ts';
import { count, text } from '../kernel/schema-parts.ts';
import { defineToolOf } from '../kernel/tool-projection.ts';
import { withWholeText } from '../kernel/validate.ts';
import { type CliPositional, defineVerb } from '../kernel/verb.ts';
import { z } from '../kernel/zod.ts';
import {
  type AppendSectionInput,
  appendSectionInput,
  noInput,
  type SaveSectionInput,
  type SectionInput,
  saveSectionInput,
  sectionInput,
} from './inputs.ts';
import type { AppendedSection, SavedSection, SectionText } from './results.ts';
import type { SectionsService } from './sections-service.ts';

export interface SectionServices {
  readonly sections: SectionsService;
}

const section = { section: text, lines: count };
const hash = text.describe('Of the content; also the ETag.');
const bySection: readonly CliPositional[] = [{ key: 'section', kind: 'id' }];
const withContent: readonly CliPositional[] = [...bySection, { key: 'content', kind: 'text' }];
const actsAs = 'default-agent';

const name = z.string().describe('Name of the section, for example user_preferences.');
const changed = z.object({
  section: z.string(),
  outcome: z.string(),
  lines: z.number(),
  hint: z.string().optional(),
});
const counted = (lines: number): string => `${lines} ${lines === 1 ? 'line' : 'lines'}`;

const memorySave = defineToolOf<SaveSectionInput, SavedSection>({
  name: 'memory_save',
  pack: 'sections',
  place: 1,
  title: 'Save a section',
  destructive: true,
  idempotent: true,
  description: 'Saves a section of your long-term notes. Replaces the entire section.',
  input: z.object({ section: name, content: z.string().describe('The whole text of the section.') }),
  output: changed,
  answer: ({ hash: _, ...done }) => ({
    structured: done,
    text: `Section "${done.section}" ${done.outcome} (${counted(done.lines)}).`,
  }),
});

const memoryAppend = defineToolOf<AppendSectionInput, AppendedSection>({
  name: 'memory_append',
  pack: 'sections',
  place: 2,
  title: 'Add to a section',
  description: 'Adds a text to the end of a section of your long-term notes; creates the section if needed.',
  input: z.object({ section: name, content: z.string().describe('The text to add.') }),
  output: changed,
  answer: (done) => {
    const hint = done.hint === undefined ? '' : ` ${done.hint}`;
    return {
      structured: { ...done },
      text: `Section "${done.section}" ${done.outcome} (${counted(done.lines)}).${hint}`,
    };
  },
});

const memoryRetrieve = defineToolOf<SectionInput, SectionText>({
  name: 'memory_retrieve',
  pack: 'sections',
  place: 3,
  title: 'Read a section',
  description: 'Reads a section of your long-term notes.',
  input: z.object({ section: name }),
  output: z.object({ section: z.string(), content: z.string(), lines: z.number() }),
  answer: ({ hash: _, ...found }) => ({ structured: found, text: found.content }),
});

export const sectionsList = defineVerb({
  name: 'sections.list',
  summary: 'Lists the sections.',
  description:
    'Lists the sections of the curated memory in the order of the file, with their number of lines.',
  effect: 'read',
  role: 'reader',
  needsAgent: true,
  input: noInput,
  output: z.array(z.strictObject({ name: text, lines: count })),
  run: ({ sections }: SectionServices, _input, caller) => sections.list(caller),
  rest: [{ route: 'GET /v1/sections' }],
  cli: {
    ...{ actsAs, nothing: [] },
    examples: ['keepsake sections list', 'keepsake sections list --agent my-agent --json'],
  },
});

export const sectionsGet = defineVerb({
  name: 'sections.get',
  summary: 'Shows one section.',
  description:
    'Shows the content of one named section of the curated memory. If no section has that name, the error lists those that exist.',
  effect: 'read',
  role: 'reader',
  needsAgent: true,
  input: sectionInput,
  output: z.strictObject({ ...section, content: text, hash }),
  run: ({ sections }: SectionServices, input, caller) => sections.get(input, caller),
  sdk: { positionals: ['section'] },
  rest: [{ route: 'GET /v1/sections/:section' }],
  cli: { actsAs, positionals: bySection, examples: ['keepsake sections get user_preferences'] },
  tools: [memoryRetrieve],
});

export const sectionsSave = defineVerb({
  name: 'sections.save',
  summary: 'Replaces a section.',
  description:
    'Replaces the entire content of a named section of the curated memory, or creates it. Use it for what changed, and to rewrite a section that got too long.',
  effect: 'write',
  role: 'worker',
  needsAgent: true,
  input: saveSectionInput,
  output: z.strictObject({ ...section, outcome: z.enum(['created', 'replaced', 'unchanged']), hash }),
  run: ({ sections }: SectionServices, input, caller) =>
    sections.save(withWholeText(input, saveSectionInput, 'sections.save'), caller),
  sdk: { positionals: ['section', 'content'] },
  rest: [{ route: 'PUT /v1/sections/:section' }],
  cli: {
    ...{ actsAs, positionals: withContent },
    examples: [
      'keepsake sections save user_preferences "Prefers short answers."',
      'keepsake sections save glossary - < glossary.md',
    ],
  },
  tools: [memorySave],
});

export const sectionsAppend = defineVerb({
  name: 'sections.append',
  summary: 'Adds to a section.',
  description:
    'Adds to the end of a named section of the curated memory, or creates it. The answer has a hint when the section has more than 50 lines and should be summarised.',
  effect: 'write',
  role: 'worker',
  needsAgent: true,
  input: appendSectionInput,
  output: z.strictObject({
    ...section,
    outcome: z.enum(['created', 'appended', 'unchanged']),
    hint: text.optional(),
  }),
  run: ({ sections }: SectionServices, input, caller) =>
    sections.append(withWholeText(input, appendSectionInput, 'sections.append'), caller),
  sdk: { positionals: ['section', 'content'] },
  cli: {
    ...{ actsAs, positionals: withContent },
    examples: ['keepsake sections append user_preferences "Likes tables."'],
  },
  tools: [memoryAppend],
});

export const sectionsRemove = defineVerb({
  name: 'sections.remove',
  summary: 'Removes a section.',
  description: 'Removes a named section of the curated memory with everything in it. Cannot be undone.',
  effect: 'destroy',
  role: 'worker',
  needsAgent: true,
  input: sectionInput,
  output: z.strictObject(section),
  run: ({ sections }: SectionServices, input, caller) => sections.remove(input, caller),
  sdk: { positionals: ['section'] },
  rest: [{ route: 'DELETE /v1/sections/:section' }],
  cli: {
    ...{ actsAs, positionals: bySection },
    examples: ['keepsake sections remove glossary', 'keepsake sections remove glossary --yes'],
  },
});

export const sectionsIndex = defineVerb({
  name: 'sections.index',
  summary: 'Shows what the prompt says about sections.',
  description:
    'Shows the text by which the system prompt tells an agent which sections it has: names only, and nothing when there are none.',
  effect: 'read',
  role: 'reader',
  needsAgent: true,
  input: noInput,
  output: text,
  run: async ({ sections }: SectionServices, _input, caller) => {
    // Without an agent, the prompt of a session says nothing; whoever asks for it must name one.
    speakerOf(caller);
    return sections.promptIndex(caller);
  },
  cli: false,
});
