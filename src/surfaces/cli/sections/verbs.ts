/** `keepsake sections …`: the verbs on the notes by topic that an agent curates. */
import { operations } from '../../../operations/index.ts';
import { oneLine } from '../terminal/printable.ts';
import { counted } from '../terminal/sizes.ts';
import { type Positional, type VerbCall, type VerbGroup, verb } from '../verbs/verb.ts';
import * as show from './show.ts';

const bySection: readonly Positional[] = [{ key: 'section', kind: 'id' }];
const withContent: readonly Positional[] = [...bySection, { key: 'content', kind: 'text' }];

/** Says how much would be lost; a section that does not exist is left to the operation to complain about. */
async function askBeforeRemoving({ engine, caller, input }: VerbCall): Promise<string | undefined> {
  const name = String(input.section);
  const section = (await operations.sectionsList.run(engine, {}, caller)).find((each) => each.name === name);
  if (section === undefined) return undefined;
  return `Remove ${oneLine(name)} with ${counted(section.lines, 'line')} for good? This cannot be undone.`;
}

const verbs = [
  verb(operations.sectionsList, {
    positionals: [],
    nothing: [],
    actsAs: 'default-agent',
    examples: ['keepsake sections list', 'keepsake sections list --agent my-agent --json'],
    show: show.listed,
  }),
  verb(operations.sectionsRetrieve, {
    name: 'show',
    positionals: bySection,
    actsAs: 'default-agent',
    examples: ['keepsake sections show user_preferences'],
    show: show.whole,
  }),
  verb(operations.sectionsSave, {
    positionals: withContent,
    actsAs: 'default-agent',
    examples: [
      'keepsake sections save user_preferences "Prefers short answers."',
      'keepsake sections save glossary - < glossary.md',
    ],
    show: show.changed,
  }),
  verb(operations.sectionsAppend, {
    positionals: withContent,
    actsAs: 'default-agent',
    examples: ['keepsake sections append user_preferences "Likes tables."'],
    show: show.changed,
  }),
  verb(operations.sectionsRemove, {
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
