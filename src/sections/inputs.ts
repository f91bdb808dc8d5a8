/** What callers may ask of sections: one schema per verb, shared by every surface. */
import { z } from '../kernel/zod.ts';

/** As for a memory: a section is something to know, not an archive. */
const MAX_CONTENT_CHARACTERS = 1_000_000;

const section = z.string().describe('Name of the section, for example user_preferences.');
const content = z
  .string()
  .max(MAX_CONTENT_CHARACTERS, `Content has at most ${MAX_CONTENT_CHARACTERS} characters.`);

export const saveSectionInput = z.strictObject({
  section,
  content: content.describe('What the whole section says from now on.'),
  ifHash: z
    .string()
    .max(64)
    .optional()
    .describe('Save it only if it still is what was read: the hash that sections.get returned.'),
});
export const appendSectionInput = z.strictObject({
  section,
  content: content.describe('What to add below what the section says.'),
});
export const sectionInput = z.strictObject({ section });
export const noInput = z.strictObject({});

export type SaveSectionInput = z.input<typeof saveSectionInput>;
export type AppendSectionInput = z.input<typeof appendSectionInput>;
export type SectionInput = z.input<typeof sectionInput>;
