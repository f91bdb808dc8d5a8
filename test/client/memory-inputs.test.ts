/** What an editor says about a field of the SDK is what its schema says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { verbs } from '../../src/verbs.ts';

const client = join(import.meta.dirname, '../../src/client');
const source = readFileSync(join(client, 'memory-inputs.ts'), 'utf8');

/** Field → comment of an interface, with those of the one that it extends. */
function commentsOf(name: string): Map<string, string> {
  const match = new RegExp(`export interface ${name}(?: extends (\\w+))? \\{\\n([^}]*)\\}`).exec(source);
  expect(match, name).not.toBeNull();
  const [, parent, body = ''] = match!;
  const own = [...body.matchAll(/\/\*\* (.*) \*\/\n\s+readonly (\w+)\??:/g)];
  return new Map([
    ...(parent === undefined ? [] : commentsOf(parent)),
    ...own.map(([, comment = '', field = '']) => [field, comment] as const),
  ]);
}

interface Field {
  readonly description?: string;
  readonly anyOf?: readonly Field[];
}

const described = ({ description, anyOf = [] }: Field): string =>
  description ?? anyOf.map(described).find((text) => text !== '') ?? '';

describe('the fields of the SDK', () => {
  it.each([
    ['NewMemory', verbs.memoryAdd, []],
    ['SearchOptions', verbs.memorySearch, ['query']],
    ['RecallOptions', verbs.memoryRecall, ['task']],
    ['StandingOptions', verbs.memoryStanding, []],
    ['ListOptions', verbs.memoryList, []],
    ['MemoryChanges', verbs.memoryUpdate, ['id']],
    ['UndoOptions', verbs.memoryUndo, ['id']],
    ['PruneOptions', verbs.memoryForgetExpired, []],
  ] as const)('%s has all of them, in the words of the schema', (name, operation, positionals) => {
    const { properties = {} } = z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' });
    const comments = commentsOf(name);
    const fields = Object.entries(properties).filter(
      ([key]) => !(positionals as readonly string[]).includes(key),
    );
    expect([...comments.keys()].sort()).toEqual(fields.map(([key]) => key).sort());
    for (const [key, field] of fields) {
      expect(described(field as Field), key).not.toBe('');
      expect(comments.get(key), key).toContain(described(field as Field));
    }
  });

  it.each(['agent-handle.ts', 'conversation-settings.ts', '../conversation/conversation-options.ts'])(
    'of the interfaces in %s are explained',
    (file) => {
      const text = readFileSync(join(client, file), 'utf8');
      const options = [
        ...text.matchAll(/export interface (\w*(?:Options|Settings|StaticMessages)).*\{\n([^}]*)\}/g),
      ];
      expect(options.length).toBeGreaterThan(0);
      for (const [, name, body = ''] of options) {
        const lines = body.split('\n');
        const bare = lines.filter(
          (line, i) => /^ {2}readonly \w+/.test(line) && !/\*\/$/.test(lines[i - 1] ?? ''),
        );
        expect(bare, name).toEqual([]);
      }
    },
  );
});
