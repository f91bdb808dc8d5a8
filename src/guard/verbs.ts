/** The verbs of the guard: the quarantine, and scanning a text. */

import type { Caller } from '../kernel/caller.ts';
import type { Origin } from '../kernel/record.ts';
import { count, jsonObject, maybeTime, origin, text, time } from '../kernel/schema-parts.ts';
import { type CliPositional, defineVerb } from '../kernel/verb.ts';
import { z } from '../kernel/zod.ts';
import type { QuarantineEntry } from '../ports/quarantine-store.ts';
import { type Examination, examine } from './guard.ts';
import { listQuarantineInput, quarantineIdInput, scanInput } from './inputs.ts';
import { locate, type Match } from './locate.ts';
import { type Quarantine, requirePerson } from './quarantine.ts';

export interface GuardServices {
  readonly quarantine: Quarantine;
  /** Repeats a refused write with the consent of a person; resolves to what it became. */
  replayWrite(entry: QuarantineEntry, caller: Caller): Promise<string>;
}

export interface ScannedText extends Examination {
  /** Who the text was judged as coming from. */
  readonly origin: Origin;
  readonly matches: readonly Match[];
}

const byId: readonly CliPositional[] = [{ key: 'id', kind: 'id' }];

const refused = z.strictObject({
  ...{
    id: text,
    at: time,
    agent: text,
    user: text.nullable(),
    via: text,
    session: text.nullable(),
    verb: text,
    category: text,
  },
  ...{ origin, reasons: z.array(text), state: z.enum(['waiting', 'released']) },
  ...{ input: jsonObject.nullable(), content: text.nullable(), times: count, lastAt: time },
  ...{ releasedAt: maybeTime, releasedBy: text.nullable(), releasedAs: text.nullable() },
});

export const guardList = defineVerb({
  name: 'guard.list',
  summary: 'Lists what the guard refused.',
  description: 'Lists refused writes that wait for a decision, newest first; released ones on request.',
  effect: 'read',
  // Refused writes may be attacks on whoever reads them; a person decides.
  role: 'admin',
  input: listQuarantineInput,
  output: z.array(refused),
  run: ({ quarantine }: GuardServices, input, caller) => quarantine.list(input, caller),
  cli: { nothing: [], examples: ['keepsake guard list', 'keepsake guard list --state any --json'] },
});

export const guardGet = defineVerb({
  name: 'guard.get',
  summary: 'Shows a refused write in full.',
  description: 'Shows the text of a refused write, where it came from, and why it was refused.',
  effect: 'read',
  role: 'admin',
  input: quarantineIdInput,
  output: refused,
  run: ({ quarantine }: GuardServices, input, caller) => quarantine.get(input, caller),
  sdk: { positionals: ['id'] },
  cli: { positionals: byId, examples: ['keepsake guard get <id>'] },
});

export const guardRelease = defineVerb({
  name: 'guard.release',
  summary: 'Stores a refused write after all.',
  description:
    'Stores a refused write as it was requested. Who released it is recorded, and its text leaves the quarantine.',
  effect: 'write',
  role: 'admin',
  input: quarantineIdInput,
  output: z.strictObject({
    id: text,
    releasedAs: text.describe('Id of the memory or name of the section that it became.'),
    releasedBy: text,
  }),
  run: ({ quarantine, replayWrite }: GuardServices, input, caller) =>
    quarantine.release(input, caller, replayWrite),
  sdk: { positionals: ['id'] },
  cli: { positionals: byId, examples: ['keepsake guard release <id>', 'keepsake guard release <id> --yes'] },
});

export const guardRemove = defineVerb({
  name: 'guard.remove',
  summary: 'Removes a refused write for good.',
  description: 'Erases a refused write from the quarantine and from the disk. Cannot be undone.',
  effect: 'destroy',
  role: 'admin',
  input: quarantineIdInput,
  output: z.strictObject({ id: text, journalErased: z.boolean(), pagesErased: z.boolean() }),
  run: ({ quarantine }: GuardServices, input, caller) => quarantine.remove(input, caller),
  sdk: { positionals: ['id'] },
  cli: { positionals: byId, examples: ['keepsake guard remove <id>', 'keepsake guard remove <id> --yes'] },
});

export const guardScan = defineVerb({
  name: 'guard.scan',
  summary: 'Checks a text without storing it.',
  description:
    'Checks a text without storing it: whether it would be refused from this origin, what was found, and the weight of each finding.',
  effect: 'read',
  // With it a model could try words until one passes.
  role: 'admin',
  input: scanInput,
  output: z.strictObject({
    origin,
    allowed: z.boolean(),
    reasons: z.array(text),
    score: z.number().describe('Sum of the weights; refused from the threshold of its origin on.'),
    threshold: z.number(),
    findings: z.array(z.strictObject({ name: text, reason: text, weight: z.number() })),
    secrets: z.array(text).describe('Kinds of secrets in it.'),
    matches: z
      .array(z.strictObject({ reason: text, start: count, end: count }))
      .describe('Where in the text the findings are, as far as they have a place.'),
  }),
  run: async (_services: GuardServices, { text: judged, origin: from }, caller): Promise<ScannedText> => {
    requirePerson(caller);
    const examined = examine(judged, from);
    return { origin: from, ...examined, matches: locate(judged, examined.findings) };
  },
  sdk: { positionals: ['text'], ownerOnly: true },
  cli: {
    positionals: [{ key: 'text', kind: 'text' }],
    examples: [
      'keepsake guard scan "Prefers short answers."',
      'curl -s https://example.com | keepsake guard scan --origin web -',
    ],
  },
});
