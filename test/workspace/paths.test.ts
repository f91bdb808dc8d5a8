/** Paths in a workspace, and names that try to get out of it. */
import { join, relative } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/config/index.ts';
import { KeepsakeError } from '../../src/kernel/errors.ts';
import { pathInside, workspacePaths } from '../../src/workspace/index.ts';

const root = '/work space/keepsake';
const paths = workspacePaths(root);
const byAgent = [
  'agentFile',
  'sectionsFile',
  'agentFolder',
  'memoryFile',
  'archiveFolder',
  'notesFolder',
  'soulFile',
] as const;

describe('workspacePaths', () => {
  test('the whole layout', () => {
    expect(paths.root).toBe(root);
    expect(paths.configFile).toBe(`${root}/keepsake.jsonc`);
    expect(paths.agentsFolder).toBe(`${root}/agents`);
    expect(paths.dataFolder).toBe(`${root}/data`);
    expect(paths.database).toBe(`${root}/data/keepsake.db`);
    expect(paths.agentFile('assistant')).toBe(`${root}/agents/assistant.md`);
    expect(paths.agentFolder('assistant')).toBe(`${root}/agents/assistant`);
    expect(paths.notesFolder('assistant')).toBe(`${root}/agents/assistant/notes`);
    expect(paths.soulFile('assistant')).toBe(`${root}/agents/assistant/SOUL.md`);
  });

  test('A-20 A-22 MEMORY.md of an agent', () => {
    expect(paths.memoryFile('ResearchAgent')).toBe(`${root}/agents/ResearchAgent/MEMORY.md`);
  });

  test('A-21 the archive of an agent', () => {
    expect(paths.archiveFolder('ResearchAgent')).toBe(`${root}/agents/ResearchAgent/archive`);
  });

  test('D-20 the sections of an agent', () => {
    expect(paths.sectionsFile('my-agent')).toBe(`${root}/agents/my-agent.memory.md`);
  });

  test('a relative root becomes an absolute one', () => {
    expect(workspacePaths('here').root).toBe(join(process.cwd(), 'here'));
    expect(workspacePaths('/a/b/../c/').root).toBe('/a/c');
  });

  test('the database moves with the configuration', () => {
    const database = (file: string) =>
      workspacePaths(root, parseConfig({ storage: { sqlite: { file } } })).database;
    expect(database('x/y.db')).toBe(`${root}/x/y.db`);
    expect(database('/elsewhere/y.db')).toBe('/elsewhere/y.db');
    const forged = {
      storage: {
        ...parseConfig().storage,
        sqlite: { file: '../../y.db', busyTimeoutMs: 1, vectorSearch: 'wasm' as const },
      },
    };
    expect(() => workspacePaths(root, forged)).toThrow('is not inside the workspace');
  });
});

describe('names', () => {
  test.each([
    '../../evil',
    '..',
    '.',
    '',
    'a/b',
    'a\\b',
    '/etc/passwd',
    'C:\\x',
    'a\0b',
    'a\nb',
    '.hidden',
    'x..y',
    'x.',
    ' x',
    'CON',
    'nul.txt',
    'x.memory',
    'x.md',
    'X.MD',
    'x.memory.md',
    '%2e%2e%2f',
    '．．／evil',
    '\ud800',
    'e\u0301',
    'a'.repeat(65),
  ])('%j is refused everywhere', (name) => {
    for (const key of byAgent) {
      expect(() => paths[key](name), key).toThrow(expect.objectContaining({ code: 'INVALID_NAME' }));
    }
  });

  test.each([undefined, null, 7, ['x'], { toString: () => 'x' }])('%j is not a name', (name) => {
    for (const key of byAgent) expect(() => paths[key](name as never)).toThrow(KeepsakeError);
  });

  test('every accepted name has paths of its own, all below agents/', () => {
    const name = fc.oneof(
      fc.string({
        unit: fc.constantFrom(
          'a',
          'B',
          '.',
          '..',
          '/',
          '\\',
          '-',
          ' ',
          '~',
          'é',
          '%2e',
          'md',
          'memory',
          '\0',
        ),
        maxLength: 8,
      }),
      fc.string({ unit: 'binary', maxLength: 12 }),
    );
    const owners = new Map<string, string>();
    let accepted = 0;
    fc.assert(
      fc.property(name, (agent) => {
        for (const key of byAgent) {
          let path: string;
          try {
            path = paths[key](agent);
          } catch (error) {
            expect(KeepsakeError.is(error) && error.code).toBe('INVALID_NAME');
            continue;
          }
          accepted++;
          const [first, second] = relative(root, path).split('/');
          expect(first).toBe('agents');
          expect(second?.startsWith(agent)).toBe(true);
          const owner = `${key} ${agent}`;
          expect(owners.get(path) ?? owner).toBe(owner);
          owners.set(path, owner);
        }
      }),
      { numRuns: 500 },
    );
    expect(accepted).toBeGreaterThan(100);
  });
});

describe('pathInside', () => {
  test.each([['..'], ['.'], [''], ['a', '..'], ['a', '..', '..', 'keepsake2'], ['../keepsake-evil/x']])(
    '%j is outside',
    (...parts) => {
      expect(() => pathInside(root, ...parts)).toThrow(expect.objectContaining({ code: 'FORBIDDEN' }));
    },
  );

  test('names that begin with two dots are inside', () => {
    expect(pathInside(root, '..a')).toBe(`${root}/..a`);
    expect(pathInside('/', 'a')).toBe('/a');
  });
});
