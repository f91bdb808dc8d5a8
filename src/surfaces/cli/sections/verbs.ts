/** `keepsake sections …`: the verbs on the notes by topic that an agent curates. */
import { callVerb } from '../../../kernel/verb.ts';
import { verbs } from '../../../verbs.ts';
import { oneLine } from '../terminal/printable.ts';
import { counted } from '../terminal/sizes.ts';
import { type Positional, type VerbCall, type VerbGroup, verb } from '../verbs/verb.ts';
import * as show from './show.ts';

const bySection: readonly Positional[] = [{ key: 'section', kind: 'id' }];
const withContent: readonly Positional[] = [...bySection, { key: 'content', kind: 'text' }];

/** Says how much would be lost; a section that does not exist is left to the operation to complain about. */
async function askBeforeRemoving({ engine, caller, input }: VerbCall): Promise<string | undefined> {
  const name = String(input.section);
  const section = (await callVerb(verbs.sectionsList, engine, {}, caller)).find((each) => each.name === name);
  if (section === undefined) return undefined;
  return `Remove ${oneLine(name)} with ${counted(section.lines, 'line')} for good? This cannot be undone.`;
}

const verbs = [
  verb(verbs.sectionsList, {
    positionals: [],
    nothing: [],
    actsAs: 'default-agent',
    examples: ['keepsake sections list', 'keepsake sections list --agent my-agent --json'],
    show: show.listed,
  }),
  verb(verbs.sectionsGet, {
    name: 'show',
    positionals: bySection,
    actsAs: 'default-agent',
    examples: ['keepsake sections show user_preferences'],
    show: show.whole,
  }),
  verb(verbs.sectionsSave, {
    positionals: withContent,
    actsAs: 'default-agent',
    examples: [
      'keepsake sections save user_preferences "Prefers short answers."',
      'keepsake sections save glossary - < glossary.md',
    ],
    show: show.changed,
  }),
  verb(verbs.sectionsAppend, {
    positionals: withContent,
    actsAs: 'default-agent',
    examples: ['keepsake sections append user_preferences "Likes tables."'],
    show: show.changed,
  }),
  verb(verbs.sectionsRemove, {
    positionals: bySection,
    actsAs: 'default-agent',
    examples: ['keepsake sections remove glossary', 'keepsake sections remove glossary --yes'],
    confirm: askBeforeRemoving,
    show: show.removed,
  }),
];

export const sectionsVerbs: VerbGroup = {
  description: 'Reads and writes the notes by topic that an agent keeps in agents/<agent>.memory.md.',
  whose: 'Whose sections they are; else the default agent',
  verbs,
  examples: [
    'keepsake sections list',
    'keepsake sections append user_preferences "Likes tables."',
    'keepsake sections show user_preferences',
  ],
};
