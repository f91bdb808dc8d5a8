/** `keepsake guard …`: the verbs on the quarantine, and a look at a text through the eyes of the guard. */
import { verbs } from '../../../verbs.ts';
import { oneLine } from '../terminal/printable.ts';
import { truncate } from '../terminal/width.ts';
import { type Positional, type VerbCall, type VerbGroup, verb } from '../verbs/verb.ts';
import * as show from './show.ts';

const byId: readonly Positional[] = [{ key: 'id', kind: 'id' }];

/** Shows what it is about; an unknown id is left to the operation to complain about. */
async function ask(
  { engine, input }: VerbCall,
  question: (text: string) => string,
): Promise<string | undefined> {
  const entry = await engine.storage.quarantine.get(String(input.id));
  if (entry === null || entry.content === null) return undefined;
  return question(truncate(oneLine(entry.content), 60));
}

const verbs = [
  verb(verbs.guardList, {
    positionals: [],
    nothing: [],
    actsAs: 'owner',
    examples: ['keepsake guard list', 'keepsake guard list --state any --json'],
    show: show.listed,
  }),
  verb(verbs.guardGet, {
    positionals: byId,
    actsAs: 'owner',
    examples: ['keepsake guard show <id>'],
    show: show.whole,
  }),
  verb(verbs.guardRelease, {
    positionals: byId,
    actsAs: 'owner',
    examples: ['keepsake guard release <id>', 'keepsake guard release <id> --yes'],
    confirm: (call) => ask(call, (text) => `Store "${text}" although the guard refused it?`),
    show: show.released,
  }),
  verb(verbs.guardRemove, {
    positionals: byId,
    actsAs: 'owner',
    examples: ['keepsake guard delete <id>', 'keepsake guard delete <id> --yes'],
    confirm: (call) => ask(call, (text) => `Delete "${text}" for good? This cannot be undone.`),
    show: show.deleted,
  }),
  verb(verbs.guardScan, {
    positionals: [{ key: 'text', kind: 'text' }],
    actsAs: 'owner',
    examples: [
      'keepsake guard scan "Prefers short answers."',
      'curl -s https://example.com | keepsake guard scan --origin web -',
    ],
    show: show.scanned,
  }),
];

export const guardVerbs: VerbGroup = {
  description: 'Shows what the guard refused, lets it through or deletes it, and judges a text on request.',
  whose: 'Whose refused writes they are',
  verbs,
  examples: ['keepsake guard list', 'keepsake guard release <id>', 'keepsake guard scan -'],
};
