/** Where settings come from, and which of them wins. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import {
  ENVIRONMENT,
  type Environment,
  loadConfig,
  parseConfig,
  readEnvironment,
} from '../../src/config/index.ts';
import { configJsonSchema, schemaAt } from '../../src/config/json-schema.ts';
import { mergeSettings } from '../../src/config/merge.ts';
import { temporaryFolder } from './temporary-folder.ts';

function load(text: string, env: Environment = {}) {
  const workspace = temporaryFolder();
  writeFileSync(join(workspace, 'keepsake.jsonc'), text);
  return loadConfig({ workspace, env });
}

describe('the file', () => {
  test('a workspace without one has the defaults', () => {
    const loaded = loadConfig({ workspace: temporaryFolder(), env: {} });
    expect(loaded).toEqual({ config: parseConfig(), warnings: [] });
  });

  test('B-04 comments, trailing commas and the whole memory block', () => {
    const { config, file } = load(`{
      "name": "my-agent",
      "memory": {
        "enabled": true,
        "maxEntries": 100, // cap
        "maxCharsInjected": 1000, /* budget */
        "confidenceThreshold": 0.7,
        "minMessagesToExtract": 2,
        "dryRun": true,
      },
    }`);
    expect(file).toMatch(/keepsake\.jsonc$/);
    expect(config.name).toBe('my-agent');
    expect(config.memory).toEqual({
      enabled: true,
      maxEntries: 100,
      maxCharsInjected: 1000,
      maxCharsProfile: 0,
      confidenceThreshold: 0.7,
      minMessagesToExtract: 2,
      dryRun: true,
      readOnly: false,
    });
  });

  test('B-04 the minimum turns memory on with every other default', () => {
    expect(load('{ "memory": { "enabled": true } }').config).toEqual(
      parseConfig({ memory: { enabled: true } }),
    );
  });

  test.each([
    ['nothing', ''],
    ['comments', '// later\n/* or never */'],
    ['a byte order mark', '\ufeff'],
  ])('a file with only %s leaves the defaults', (_, text) => {
    expect(load(text).config).toEqual(parseConfig());
  });

  test('a byte order mark and CRLF are fine', () => {
    expect(load('\ufeff{\r\n  "history": "high",\r\n}\r\n').config.history).toBe('high');
  });

  test('keepsake.json is read too, and gives way to keepsake.jsonc with a warning', () => {
    const workspace = temporaryFolder();
    writeFileSync(join(workspace, 'keepsake.json'), '{ "history": "high" } // comments too');
    expect(loadConfig({ workspace, env: {} }).config.history).toBe('high');
    writeFileSync(join(workspace, 'keepsake.jsonc'), '{ "history": "medium" }');
    const both = loadConfig({ workspace, env: {} });
    expect(both.config.history).toBe('medium');
    expect(loadConfig({ workspace, file: both.file, env: {} }).warnings).toEqual(both.warnings);
    expect(both.warnings).toEqual([
      `${join(workspace, 'keepsake.json')} is ignored because ${join(workspace, 'keepsake.jsonc')} exists too`,
    ]);
  });

  test('another file can be named', () => {
    const workspace = temporaryFolder();
    writeFileSync(join(workspace, 'other.jsonc'), '{ "history": "off" }');
    const loaded = loadConfig({ workspace, file: join(workspace, 'other.jsonc'), env: {} });
    expect(loaded.config.history).toBe('off');
    expect(loaded.file).toBe(join(workspace, 'other.jsonc'));
  });
});

describe('precedence', () => {
  test('overrides win over the environment, which wins over the file, which wins over the defaults', () => {
    const workspace = temporaryFolder();
    const file = { ranking: { recencyHalfLifeDays: 20, accessBoostMax: 2, candidateMultiplier: 4 } };
    writeFileSync(join(workspace, 'keepsake.jsonc'), JSON.stringify(file));
    const env = { MEMORY_RECENCY_HALF_LIFE_DAYS: '30', MEMORY_ACCESS_BOOST_MAX: '3' };
    const { config } = loadConfig({ workspace, env, overrides: { ranking: { recencyHalfLifeDays: 40 } } });
    expect(config.ranking).toEqual({
      profile: 'steady',
      recencyHalfLifeDays: 40,
      accessBoostMax: 3,
      candidateMultiplier: 4,
      accessRecencyHours: 48,
    });
  });

  test('null replaces, undefined says nothing', () => {
    const workspace = temporaryFolder();
    writeFileSync(join(workspace, 'keepsake.jsonc'), '{ "ttl": { "file_index": "1d" }, "history": "high" }');
    const overrides = { ttl: { file_index: null }, history: undefined, memory: undefined };
    const { config } = loadConfig({ workspace, env: {}, overrides });
    expect(config.ttl.file_index).toBeNull();
    expect(config.history).toBe('high');
  });

  test('a driver in the file and its address in the environment belong together', () => {
    const text = '{ "storage": { "driver": "postgres", "state": { "driver": "redis" } } }';
    const { config } = load(text, {
      KEEPSAKE_STORAGE_URL: 'postgres://user:secret@host/db',
      KEEPSAKE_STORAGE_STATE_URL: 'redis://host',
    });
    expect(config.storage.records).toEqual({ driver: 'postgres', url: 'postgres://user:secret@host/db' });
    expect(config.storage.state).toEqual({ driver: 'redis', url: 'redis://host' });
  });

  test('a problem of the whole is shown at the layer that won', () => {
    const text = '{ "storage": { "driver": "sqlite" } }';
    expect(() => load(text, { KEEPSAKE_STORAGE_DRIVER: 'postgres' })).toThrow(
      /^environment variable KEEPSAKE_STORAGE_DRIVER storage\.driver: "postgres" needs a URL/,
    );
  });

  test('overrides cannot reach a prototype', () => {
    const overrides = JSON.parse('{ "agents": { "__proto__": { "history": "off" } } }');
    const { config } = loadConfig({ workspace: temporaryFolder(), env: {}, overrides });
    expect(config.agents).toEqual({});
    const merged = mergeSettings(JSON.parse('{ "a": { "__proto__": { "b": 1 } } }'));
    expect((merged.a as { b?: number }).b).toBeUndefined();
  });
});

describe('the environment', () => {
  test.each([
    ['E-34', 'MEMORY_RECENCY_HALF_LIFE_DAYS', '7', 'recencyHalfLifeDays', 7],
    ['E-35', 'MEMORY_ACCESS_BOOST_MAX', '2.5', 'accessBoostMax', 2.5],
    ['E-36', 'MEMORY_ACCESS_RECENCY_HOURS', '24', 'accessRecencyHours', 24],
    ['E-37', 'MEMORY_CANDIDATE_MULTIPLIER', '5', 'candidateMultiplier', 5],
  ] as const)('%s %s is read', (_, name, text, key, value) => {
    expect(load('{}', { [name]: text }).config.ranking[key]).toBe(value);
  });

  test('every variable names a key that exists, after its path or by document', () => {
    for (const { name, path } of ENVIRONMENT) {
      expect(schemaAt(path), name).toBeDefined();
      const byPath = `KEEPSAKE_${path.map((key) => key.replaceAll(/[A-Z]/g, (letter) => `_${letter}`)).join('_')}`;
      if (!name.startsWith('MEMORY_')) expect(name).toBe(byPath.toUpperCase());
    }
    expect(Object.keys(configJsonSchema().properties ?? {})).toContain('memory');
  });

  test.each(['true', 'TRUE', 'yes', 'on', '1', ' true '])('%j is true', (text) => {
    expect(load('{}', { KEEPSAKE_MEMORY_ENABLED: text }).config.memory.enabled).toBe(true);
  });

  test.each(['false', 'No', 'off', '0'])('%j is false', (text) => {
    expect(load('{}', { KEEPSAKE_PERSISTENT_MEMORY: text }).config.persistentMemory).toBe(false);
    expect(load('{}', { KEEPSAKE_HISTORY: text }).config.history).toBe('off');
  });

  test('an empty variable is not set', () => {
    expect(load('{ "history": "high" }', { KEEPSAKE_HISTORY: '', KEEPSAKE_NAME: ' ' }).config.history).toBe(
      'high',
    );
  });

  test.each([
    [
      'MEMORY_RECENCY_HALF_LIFE_DAYS',
      'soon',
      'ranking.recencyHalfLifeDays: expected a number above 0 and at most 36,500, found "soon"',
    ],
    [
      'MEMORY_RECENCY_HALF_LIFE_DAYS',
      '0',
      'ranking.recencyHalfLifeDays: expected a number above 0 and at most 36,500, found 0',
    ],
    ['MEMORY_ACCESS_BOOST_MAX', '0.5', 'ranking.accessBoostMax: expected a number from 1 to 100, found 0.5'],
    [
      'MEMORY_CANDIDATE_MULTIPLIER',
      '0x10',
      'ranking.candidateMultiplier: expected a number from 1 to 100, found "0x10"',
    ],
    [
      'MEMORY_CANDIDATE_MULTIPLIER',
      'Infinity',
      'ranking.candidateMultiplier: expected a number from 1 to 100, found "Infinity"',
    ],
    ['KEEPSAKE_MEMORY_ENABLED', 'maybe', 'memory.enabled: expected true or false, found "maybe"'],
    [
      'KEEPSAKE_HISTORY',
      'hihg',
      'history: expected "low", "medium", "high", "preamble", "off" or false, found "hihg"; did you mean "high"?',
    ],
  ])('%s=%s is an error that names the variable', (name, text, message) => {
    const problem = expect.objectContaining({ message: `environment variable ${name} ${message}` });
    expect(() => load('{}', { [name]: text })).toThrow(problem);
  });

  test('a bad address is not repeated, because it may hold a password', () => {
    const attempt = () => load('{}', { KEEPSAKE_STORAGE_URL: 'user:secret@host' });
    expect(attempt).toThrow('environment variable KEEPSAKE_STORAGE_URL storage.url: expected a URL');
    expect(attempt).not.toThrow('secret');
  });

  test('a misspelt variable is a warning, a foreign one is not', () => {
    const { warnings } = load('{}', {
      KEEPSAKE_MEMORY_ENABLE: '1',
      KEEPSAKE_API_KEY: 'x',
      MEMORY_LIMIT: '5',
      HOME: '/',
    });
    expect(warnings).toEqual([
      'environment variable KEEPSAKE_MEMORY_ENABLE has no effect; did you mean KEEPSAKE_MEMORY_ENABLED?',
    ]);
  });

  test('the environment of the process is the default', () => {
    vi.stubEnv('KEEPSAKE_HISTORY', 'medium');
    try {
      expect(readEnvironment().KEEPSAKE_HISTORY).toBe('medium');
      expect(loadConfig({ workspace: temporaryFolder() }).config.history).toBe('medium');
    } finally {
      vi.unstubAllEnvs();
    }
  });
});
