/** What a person is told about a wrong file: where, what was expected, what was found, what was meant. */
import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ConfigProblem, type Environment, loadConfig, parseConfig } from '../../src/config/index.ts';
import { KeepsakeError } from '../../src/kernel/errors.ts';
import { asOrdinaryUser, temporaryFolder } from './temporary-folder.ts';

function failure(attempt: () => unknown): KeepsakeError {
  try {
    attempt();
  } catch (error) {
    if (KeepsakeError.is(error)) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

function problemsOf(error: KeepsakeError): ConfigProblem[] {
  expect(error.code).toBe('INVALID_CONFIG');
  return error.details.problems as ConfigProblem[];
}

function reject(content: string | Uint8Array, env: Environment = {}): { error: KeepsakeError; file: string } {
  const workspace = temporaryFolder();
  const file = join(workspace, 'keepsake.jsonc');
  writeFileSync(file, content);
  return { error: failure(() => loadConfig({ workspace, env })), file };
}

/** Problems as `line:column path: message`. */
function lines(content: string | Uint8Array, env?: Environment): string[] {
  const { error, file } = reject(content, env);
  const places = problemsOf(error).map(
    ({ line, column, path, message }) => `${line}:${column} ${path}: ${message}`,
  );
  for (const { file: named } of problemsOf(error)) expect(named).toBe(file);
  return places;
}

describe('positions', () => {
  test('the message has file, line, column, key, and what was expected and found', () => {
    const { error, file } = reject('{\n  "memory": {\n    "maxEntries": "many"\n  }\n}');
    expect(error.message).toBe(
      `${file}:3:19 memory.maxEntries: expected a whole number from 1 to 10,000,000, found "many"`,
    );
    expect(error.hint).toContain('"keepsake config --defaults" lists every key');
    expect(problemsOf(error)).toEqual([
      {
        file,
        line: 3,
        column: 19,
        path: 'memory.maxEntries',
        message: 'expected a whole number from 1 to 10,000,000, found "many"',
      },
    ]);
  });

  test.each([
    ['LF', '{\n\n  "histroy": "low" }'],
    ['CRLF', '{\r\n\r\n  "histroy": "low" }'],
    ['CR alone', '{\r\r  "histroy": "low" }'],
    ['a byte order mark', '\ufeff{\n\n  "histroy": "low" }'],
    ['tabs, each one column', '{\n\n\t\t"histroy": "low" }'],
    ['comments', '{ // "histroy"\n/* "histroy"\n*/"histroy": "low" }'],
  ])('with %s', (_, text) => {
    expect(lines(text)).toEqual(['3:3 histroy: unknown key; did you mean "history"?']);
  });

  test('emoji count as editors count them when they jump, an astral character as two columns', () => {
    expect(lines('{ /* 🎉 */ "histroy": "low" }')[0]).toMatch(/^1:12 /);
    expect(lines('{ "name": "", /* 👩‍👩‍👧 */ "ttl": 1 }')[1]).toMatch(/^1:37 ttl: /);
  });

  test('nested keys of agents', () => {
    expect(lines('{\n "agents": {\n  "my agent": { "memory": { "max_entries": 5 } }\n }\n}')).toEqual([
      '3:29 agents["my agent"].memory.max_entries: unknown key; did you mean "maxEntries"?',
    ]);
  });

  test('a prompt in the configuration is told where prompts are', () => {
    const where =
      'unknown key; the prompt of an agent is the text of agents/<name>.md, or "systemPrompt" in code';
    expect(lines('{\n "instructions": "Be nice." }')).toEqual([`2:2 instructions: ${where}`]);
    expect(lines('{\n "agents": { "a": { "systemPrompt": "x" } } }')).toEqual([
      `2:21 agents.a.systemPrompt: ${where}`,
    ]);
  });

  test('what is missing is shown at the key that asks for it', () => {
    expect(lines('{ "storage": {\n  "driver": "postgres" } }')).toEqual([
      '2:13 storage.driver: "postgres" needs a URL; set "storage.url" or the environment variable KEEPSAKE_STORAGE_URL',
    ]);
  });

  test('a default that no longer fits is shown at its block', () => {
    expect(lines('{\n "knowledge": { "chunkSize": 50 } }')[0]).toMatch(
      /^2:15 knowledge\.chunkOverlap: 100 must be smaller/,
    );
  });

  test('every problem is reported at once, in the file and in the environment', () => {
    const { error, file } = reject('{ "history": "hi",\n "memory": { "enabled": 1, "x": 2 },\n "ttl": [] }', {
      KEEPSAKE_MODELS_MAIN: 'gpt',
    });
    expect(error.message.split('\n')).toEqual([
      'The configuration has 5 problems:',
      `${file}:1:14 history: expected "low", "medium", "high", "preamble", "off" or false, found "hi"`,
      `${file}:2:25 memory.enabled: expected true or false, found 1`,
      expect.stringContaining(`${file}:2:28 memory.x: unknown key; expected one of "enabled", "maxEntries"`),
      `${file}:3:9 ttl: expected an object, found an array`,
      'environment variable KEEPSAKE_MODELS_MAIN models.main: expected a model id such as "openai/gpt-5-mini", found "gpt"',
    ]);
    expect(problemsOf(error)).toHaveLength(5);
  });

  test('a mistake in the file is not hidden by a variable that covers it', () => {
    expect(lines('{ "history": "hi" }', { KEEPSAKE_HISTORY: 'low' })).toHaveLength(1);
  });

  test.each([
    [
      '60,000 unknown keys',
      `{${Array.from({ length: 60_000 }, (_, i) => `"zzz${i}":1`).join(',\n')}}`,
      60_000,
    ],
    ['100,000 syntax errors', `{"ttl":[${'x,\n'.repeat(100_000)}1]}`, 100_000],
    ['100,000 repeated keys', `{"ttl":{}${',\n"ttl":1'.repeat(100_000)}}`, 100_000],
  ])('of %s fifty are reported, and the others counted', (_, text, count) => {
    const { error } = reject(text);
    expect(problemsOf(error)).toHaveLength(50);
    const lines = error.message.split('\n');
    expect(lines[0]).toBe(`The configuration has ${count} problems:`);
    expect(lines).toHaveLength(52);
    expect(lines.at(-1)).toBe(`… and ${count - 50} more`);
    expect(problemsOf(error).at(-1)?.line).toBeGreaterThanOrEqual(50);
  });
});

describe('suggestions', () => {
  test.each([
    ['{ "memory": { "maxEntrys": 1 } }', 'maxEntries'],
    ['{ "memory": { "max_entries": 1 } }', 'maxEntries'],
    ['{ "memory": { "MAXENTRIES": 1 } }', 'maxEntries'],
    ['{ "memroy": {} }', 'memory'],
    ['{ "persistent_memory": true }', 'persistentMemory'],
    ['{ "ttl": { "taskCompletion": "7d" } }', 'task_completion'],
    ['{ "storage": { "drivers": "sqlite" } }', 'driver'],
    ['{ "storage": { "driver": "postgresql" } }', 'postgres'],
    ['{ "compression": { "policy": "compact-all" } }', 'compactAll'],
    ['{ "history": "Medium" }', 'medium'],
    ['{ "maxEntries": 5 }', 'memory.maxEntries'],
    ['{ "threshold": 0.5 }', 'compression.threshold'],
    ['{ "memory": { "history": "low" } }', 'history'],
    ['{ "agent_name": "x" }', 'name'],
    ['{ "model_name": "x" }', 'models.main'],
    ['{ "rag_every_loop": true }', 'knowledge.everyLoop'],
    ['{ "memory": { "maxEntries": "200" } }', '200'],
    ['{ "memory": { "enabled": "true" } }', 'true'],
  ])('%s → %s', (text, suggestion) => {
    const [problem] = problemsOf(reject(text).error);
    expect(problem?.suggestion).toBe(suggestion);
    expect(problem?.message).toContain(suggestion);
  });

  test.each([
    '{ "zebra": 1 }',
    '{ "memory": { "colour": 1 } }',
    '{ "history": "everything" }',
    '{ "constructor": 1 }',
  ])('%s is like nothing we know', (text) =>
    expect(problemsOf(reject(text).error)[0]).not.toHaveProperty('suggestion'),
  );

  test('a number in quotes', () => {
    expect(lines('{ "memory": { "maxEntries": "200" } }')[0]).toContain(
      'found "200"; write 200 without quotes',
    );
  });

  test('a misplaced key of the top level', () => {
    expect(lines('{ "memory": { "history": "low" } }')[0]).toContain('"history" belongs to the top level');
  });
});

describe('values', () => {
  test.each([
    ['[]', '1:1 : expected an object, found an array'],
    ['null', '1:1 : expected an object, found null'],
    ['\n "x"', '2:2 : expected an object, found "x"'],
    ['{ "memory": null }', '1:13 memory: expected an object, found null'],
    ['{ "agents": { "a": 1 } }', '1:20 agents.a: expected an object, found 1'],
    [
      '{ "memory": { "maxEntries": 1.5 } }',
      '1:29 memory.maxEntries: expected a whole number from 1 to 10,000,000, found 1.5',
    ],
    [
      '{ "memory": { "maxEntries": 0 } }',
      '1:29 memory.maxEntries: expected a whole number from 1 to 10,000,000, found 0',
    ],
    [
      '{ "memory": { "maxEntries": 1e99 } }',
      '1:29 memory.maxEntries: expected a whole number from 1 to 10,000,000, found 1e+99',
    ],
    [
      '{ "memory": { "confidenceThreshold": 1.1 } }',
      '1:38 memory.confidenceThreshold: expected a number from 0 to 1, found 1.1',
    ],
    [
      '{ "compression": { "threshold": 0 } }',
      '1:33 compression.threshold: expected a number above 0 and at most 1, found 0',
    ],
    [
      '{ "history": true }',
      '1:14 history: expected "low", "medium", "high", "preamble", "off" or false, found true',
    ],
    ['{ "ttl": { "manual": 7 } }', '1:22 ttl.manual: expected a duration such as "7d" or null, found 7'],
    ['{ "name": "" }', '1:11 name: "" cannot be an agent name: it is empty.'],
    [
      '{ "models": { "main": {} } }',
      '1:23 models.main: expected a model id such as "openai/gpt-5-mini", found an object',
    ],
    [
      '{ "agents": { "../x": {} } }',
      '1:15 agents["../x"]: "../x" cannot be an agent name: only letters, digits, "-", "_", "." and spaces are allowed.',
    ],
    [
      '{ "agents": { "A": {}, "a": {} } }',
      '1:24 agents.a: differs from agent "A" only in upper and lower case; on some file systems both would share a folder',
    ],
    ['{ "agents": { "__proto__": {} } }', '1:15 agents.__proto__: this key is not allowed'],
    ['{ "__proto__": {} }', '1:3 __proto__: this key is not allowed'],
  ])('%s', (text, expected) => expect(lines(text)).toEqual([expected]));

  test('a long value is cut', () => {
    const [line] = lines(`{ "history": "${'😀'.repeat(500)}" }`);
    expect(line!.length).toBeLessThan(160);
    expect(line!.isWellFormed()).toBe(true);
  });

  test('a bad address is not repeated', () => {
    const { error } = reject('{ "storage": { "driver": "postgres", "url": "user:secret@host" } }');
    expect(error.message).toContain('storage.url: expected a URL such as "postgresql://keepsake@localhost');
    expect(JSON.stringify(error)).not.toContain('secret');
  });

  test('a key twice is an error at the second', () => {
    expect(lines('{\n "history": "low",\n "memory": {},\n "history": "high" }')).toEqual([
      '4:2 history: duplicate key; keep one of the two',
    ]);
    expect(lines('{ "memory": { "dryRun": true, "dryRun": true } }')[0]).toMatch(/^1:31 memory\.dryRun: /);
    expect(lines('{ "history": "low", "hist\\u006fry": "low" }')[0]).toMatch(/^1:21 history: /);
  });
});

describe('any file at all', () => {
  const word = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    ',',
    ':',
    '//',
    '/*',
    '*/',
    '\n',
    '\r',
    '\t',
    '\\',
    '😀',
    '1',
    '-',
    'true',
  );
  const key = fc.constantFrom(
    '"history"',
    '"memory"',
    '"agents"',
    '"enabled"',
    '"__proto__"',
    '"low"',
    '"storage"',
    '"driver"',
  );
  const soup = fc.array(fc.oneof(word, key), { maxLength: 30 }).map((words) => words.join(''));
  const object = fc
    .object({ key: key.map((quoted) => JSON.parse(quoted)), maxDepth: 3 })
    .map((value) => JSON.stringify(value, null, 1));

  test('either loads or is refused with places that exist', () => {
    const workspace = temporaryFolder();
    let refused = 0;
    fc.assert(
      fc.property(fc.oneof(soup, object, fc.string({ unit: 'binary' })), (text) => {
        writeFileSync(join(workspace, 'keepsake.jsonc'), text);
        try {
          loadConfig({ workspace, env: {} });
          return;
        } catch (error) {
          if (!KeepsakeError.is(error)) throw error;
          refused++;
          const rows = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
          for (const { line = 0, column = 0 } of problemsOf(error)) {
            expect(rows[line - 1]?.length).toBeGreaterThanOrEqual(column - 1);
          }
        }
      }),
      { numRuns: 1000 },
    );
    expect(refused).toBeGreaterThan(100);
  });

  test.each([null, [], 'text', 7])('%j in code is refused in the same way', (settings) => {
    const error = failure(() => parseConfig(settings as never));
    expect(error.message).toMatch(/^override: expected an object, found /);
  });
});

describe('syntax', () => {
  test.each([
    ['{ "history": "low"', '1:19 : syntax error: expected "}"'],
    ['{ "history" "low" }', '1:13 : syntax error: expected ":" after the key'],
    ['{ history: "low" }', '1:3 : syntax error: this is not JSON; keys and texts need double quotes'],
    ["{\r\n  'history': 'low' }", '2:3 : syntax error: this is not JSON; keys and texts need double quotes'],
    ['{ "history": }', '1:14 : syntax error: expected a value'],
    ['{ "name": "low }', '1:11 : syntax error: the text has no closing quote'],
    ['{} {}', '1:4 : syntax error: expected the end of the file'],
    ['{ "memory": {} "history": "low" }', '1:16 : syntax error: expected "," or a closing bracket'],
    ['{ "a": [1 }', '1:11 : syntax error: expected "," or a closing bracket'],
    ['{ "a": "\\x" }', '1:8 : syntax error: unknown escape after "\\"'],
    ['{ /* ', '1:3 : syntax error: the comment has no end'],
  ])('%s', (text, first) => expect(lines(text)[0]).toBe(first));

  test('one mistake makes one line', () => {
    expect(lines('{\n  history: "low",\n  "memory": {}\n}')).toHaveLength(1);
  });

  test('two mistakes on two lines make two', () => {
    expect(
      lines('{\n  "history" "low",\n  "memory": ,\n  "ttl": {}\n}').map((line) => line.split(':')[0]),
    ).toEqual(['2', '3']);
  });

  test('a file that is nested a hundred thousand deep does not exhaust the stack', () => {
    expect(lines(`{"a":${'['.repeat(100_000)}`)).toEqual(['1:1 : the values are nested too deeply']);
  });
});

describe('files that cannot be read', () => {
  const config = (workspace: string) => join(workspace, 'keepsake.jsonc');
  const messageOf = (workspace: string) => {
    const error = failure(() => loadConfig({ workspace, env: {} }));
    expect(problemsOf(error)[0]?.file).toBe(config(workspace));
    return error.message.replace(config(workspace), 'FILE');
  };

  test('a directory', () => {
    const workspace = temporaryFolder();
    mkdirSync(config(workspace));
    expect(messageOf(workspace)).toBe('FILE: expected a file, found a directory');
  });

  test('a device, which might never end', () => {
    const workspace = temporaryFolder();
    symlinkSync('/dev/null', config(workspace));
    expect(messageOf(workspace)).toBe('FILE: expected a regular file, found a device, pipe or socket');
  });

  test('a huge file is not even read', () => {
    const workspace = temporaryFolder();
    writeFileSync(config(workspace), '');
    truncateSync(config(workspace), 2 ** 40);
    expect(messageOf(workspace)).toBe(
      'FILE: the file is too large: 1099511627776 bytes, at most 1048576 are read',
    );
  });

  test('a file of another user', () => {
    const workspace = temporaryFolder();
    chmodSync(workspace, 0o755);
    writeFileSync(config(workspace), '{}');
    chmodSync(config(workspace), 0o000);
    expect(asOrdinaryUser(() => messageOf(workspace))).toBe(
      'FILE: the file cannot be read: this user has no permission to read it',
    );
  });

  test('a folder that may not be entered', () => {
    const workspace = temporaryFolder();
    chmodSync(workspace, 0o000);
    const error = asOrdinaryUser(() => failure(() => loadConfig({ workspace, env: {} })));
    expect(error.code).toBe('PERMISSION');
  });

  test('a link to nothing, and one to itself', () => {
    const workspace = temporaryFolder();
    symlinkSync('nowhere', config(workspace));
    expect(messageOf(workspace)).toBe('FILE: the file cannot be read: it does not exist');
    const other = temporaryFolder();
    symlinkSync('keepsake.jsonc', config(other));
    expect(messageOf(other)).toBe(
      'FILE: the file cannot be read: it is a symbolic link that leads back to itself',
    );
  });

  test('a named file that is missing', () => {
    const workspace = temporaryFolder();
    const error = failure(() => loadConfig({ workspace, file: join(workspace, 'x.jsonc'), env: {} }));
    expect(error.message).toMatch(/x\.jsonc: the file cannot be read: it does not exist$/);
  });

  test('bytes that are not UTF-8, with the place of the first', () => {
    const bytes = Buffer.concat([Buffer.from('{\n "name": "é'), Buffer.from([0xe9]), Buffer.from('" }')]);
    expect(lines(bytes)).toEqual(['2:12 : the file is not valid UTF-8 from here on; save it as UTF-8']);
  });

  test('UTF-16', () => {
    expect(lines(Buffer.from('\ufeff{ "history": "low" }', 'utf16le'))).toEqual([
      '1:1 : the file is UTF-16; save it as UTF-8',
    ]);
  });
});
