/** Every default that the documents promise, one by one, and the settings of single agents. */
import { describe, expect, test } from 'vitest';
import { type ConfigInput, HISTORY_LIMITS, parseConfig, resolveAgentConfig } from '../../src/config/index.ts';
import { DAY, HOUR, MINUTE } from '../../src/kernel/clock.ts';
import { KeepsakeError } from '../../src/kernel/errors.ts';
import { DEFAULT_TTL } from '../../src/kernel/record.ts';

const defaults = parseConfig();

describe('defaults', () => {
  test('A-02 persistentMemory is true', () => expect(defaults.persistentMemory).toBe(true));
  test('A-10 the agent is called swarm-worker-01', () => expect(defaults.name).toBe('swarm-worker-01'));
  test('A-41 contextCompression is true', () => expect(defaults.contextCompression).toBe(true));
  test('A-43 compression.threshold is 0.9', () => expect(defaults.compression.threshold).toBe(0.9));
  test('A-69 knowledge.everyLoop is false', () => expect(defaults.knowledge.everyLoop).toBe(false));
  test('A-70 knowledge.chunkSize is 2000', () => expect(defaults.knowledge.chunkSize).toBe(2000));
  test('B-02 memory.enabled is false', () => expect(defaults.memory.enabled).toBe(false));
  test('B-05 memory.maxEntries is 200', () => expect(defaults.memory.maxEntries).toBe(200));
  test('B-06 memory.maxCharsInjected is 2000', () => expect(defaults.memory.maxCharsInjected).toBe(2000));
  test('B-07 memory.confidenceThreshold is 0.6', () => expect(defaults.memory.confidenceThreshold).toBe(0.6));
  test('B-08 memory.minMessagesToExtract is 4', () => expect(defaults.memory.minMessagesToExtract).toBe(4));
  test('B-09 memory.dryRun is false', () => expect(defaults.memory.dryRun).toBe(false));
  test('D-04 history is low, the last 10 messages', () => {
    expect(defaults.history).toBe('low');
    expect(HISTORY_LIMITS.low).toBe(10);
  });
  test('D-05 medium is the last 50 messages', () => expect(HISTORY_LIMITS.medium).toBe(50));
  test('D-06 high is the last 200 messages', () => expect(HISTORY_LIMITS.high).toBe(200));
  test('D-07 off is no message', () => expect(HISTORY_LIMITS.off).toBe(0));
  test('E-13 task_completion lives 7 days', () => expect(defaults.ttl.task_completion).toBe(7 * DAY));
  test('E-14 session_summary lives 3 days', () => expect(defaults.ttl.session_summary).toBe(3 * DAY));
  test('E-15 file_index lives 30 days', () => expect(defaults.ttl.file_index).toBe(30 * DAY));
  test('E-16 manual never expires', () => expect(defaults.ttl.manual).toBeNull());
  test('E-34 ranking.recencyHalfLifeDays is 14', () => expect(defaults.ranking.recencyHalfLifeDays).toBe(14));
  test('E-35 ranking.accessBoostMax is 1.5', () => expect(defaults.ranking.accessBoostMax).toBe(1.5));
  test('E-36 ranking.accessRecencyHours is 48', () => expect(defaults.ranking.accessRecencyHours).toBe(48));
  test('E-37 ranking.candidateMultiplier is 3', () => expect(defaults.ranking.candidateMultiplier).toBe(3));

  test('the kernel and the schema agree about every time to live', () => {
    expect(defaults.ttl).toEqual(DEFAULT_TTL);
  });

  test('everything that the documents leave to us', () => {
    expect(defaults.memory.readOnly).toBe(false);
    expect(defaults.compression).toEqual({ threshold: 0.9, policy: 'compactAll' });
    expect(defaults.ranking.profile).toBe('steady');
    expect(defaults.models).toEqual({
      main: 'none',
      embedding: 'static',
      reranker: 'none',
      lateInteraction: 'none',
      timeoutMs: 120_000,
      retries: 3,
      sampling: false,
      prices: {},
    });
    expect(defaults.knowledge.chunkOverlap).toBe(100);
    expect(defaults.agents).toEqual({});
    const sqlite = { driver: 'sqlite' };
    expect(defaults.storage).toEqual({
      records: sqlite,
      log: sqlite,
      state: sqlite,
      events: sqlite,
      sqlite: { file: 'data/keepsake.db', busyTimeoutMs: 10_000, vectorSearch: 'wasm' },
      postgres: { searchMemoryMb: 512 },
    });
  });
});

describe('values', () => {
  test('D-03 history takes each of its levels', () => {
    for (const level of ['low', 'medium', 'high', 'off'] as const) {
      expect(parseConfig({ history: level }).history).toBe(level);
    }
  });

  test('D-07 history false means off', () => {
    expect(parseConfig({ history: false }).history).toBe('off');
    expect(parseConfig({ agents: { a: { history: false } } }).agents.a?.history).toBe('off');
  });

  test.each([
    ['250ms', 250],
    ['45s', 45_000],
    ['90m', 90 * MINUTE],
    ['36h', 36 * HOUR],
    ['1.5d', 1.5 * DAY],
    ['2w', 14 * DAY],
    [null, null],
  ])('ttl %s', (written, milliseconds) => {
    expect(parseConfig({ ttl: { manual: written } }).ttl.manual).toBe(milliseconds);
  });

  test.each(['', '7', '7 d', 'd', '-7d', '0d', '0.1ms', '7days', '1e3d', '9999999w', '٧d'])(
    'ttl %j is refused',
    (written) => {
      expect(() => parseConfig({ ttl: { manual: written } })).toThrow(
        'ttl.manual: expected a duration such as "7d" or null',
      );
    },
  );

  test.each([
    '../x.db',
    'a/../../x.db',
    'a\\..\\x.db',
    '',
    ':memory:',
    'file:x.db?mode=ro',
    'a\0b',
    'a\n/../b',
  ])('storage.sqlite.file %j is refused', (file) => {
    expect(() => parseConfig({ storage: { sqlite: { file } } })).toThrow(
      'storage.sqlite.file: expected a file path',
    );
  });

  test('models are "provider/model", static or none', () => {
    expect(parseConfig({ models: { main: 'openai/gpt-5-mini' } }).models.main).toBe('openai/gpt-5-mini');
    expect(parseConfig({ models: { embedding: 'none' } }).models.embedding).toBe('none');
    expect(() => parseConfig({ models: { main: 'gpt-5' } })).toThrow('models.main: expected a model id');
    expect(() => parseConfig({ models: { main: 'static' } })).toThrow('models.main: expected a model id');
  });

  test('chunks may not overlap by their whole length', () => {
    expect(() => parseConfig({ knowledge: { chunkSize: 100 } })).toThrow(
      'knowledge.chunkOverlap: 100 must be smaller than the chunkSize of 100',
    );
    expect(() => parseConfig({ agents: { a: { knowledge: { chunkOverlap: 2000 } } } })).toThrow(
      'agents.a.knowledge.chunkOverlap: 2000 must be smaller than the chunkSize of 2000',
    );
    expect(parseConfig({ knowledge: { chunkSize: 101 } }).knowledge.chunkSize).toBe(101);
  });
});

describe('storage', () => {
  const url = 'postgres://localhost/keepsake';

  test('one engine takes one short block', () => {
    const { records, log, state, events } = parseConfig({ storage: { driver: 'postgres', url } }).storage;
    expect([records, log, state, events]).toEqual(Array(4).fill({ driver: 'postgres', url }));
  });

  test('one store can be moved to another engine', () => {
    const { storage } = parseConfig({ storage: { state: { driver: 'redis', url: 'redis://localhost' } } });
    expect(storage.state).toEqual({ driver: 'redis', url: 'redis://localhost' });
    expect(storage.records).toEqual({ driver: 'sqlite' });
  });

  test('one store can stay with the embedded engine, or have a server of its own', () => {
    const { storage } = parseConfig({
      storage: {
        driver: 'postgres',
        url,
        log: { driver: 'sqlite' },
        records: { url: 'postgres://other/db' },
      },
    });
    expect(storage.log).toEqual({ driver: 'sqlite' });
    expect(storage.records).toEqual({ driver: 'postgres', url: 'postgres://other/db' });
    expect(storage.events).toEqual({ driver: 'postgres', url });
  });

  test('an engine with a server needs an address, and is told once', () => {
    expect(() => parseConfig({ storage: { driver: 'postgres' } })).toThrow(
      /^override storage\.driver: "postgres" needs a URL; set "storage\.url" or the environment variable KEEPSAKE_STORAGE_URL$/,
    );
    expect(() => parseConfig({ storage: { records: { driver: 'postgres' } } })).toThrow(
      'storage.records.driver: "postgres" needs a URL; set "storage.records.url" or the environment variable KEEPSAKE_STORAGE_RECORDS_URL',
    );
  });

  test('an engine that cannot be there is not named as if it could, and the error says where it belongs', () => {
    const driver = (storage: object) => () => parseConfig({ storage } as ConfigInput);
    expect(driver({ driver: 'redis' })).toThrow(
      'storage.driver: expected "sqlite" or "postgres", found "redis"; "redis" belongs in "storage.state"',
    );
    expect(driver({ records: { driver: 'qdrant' } })).toThrow(
      'storage.records.driver: expected "sqlite" or "postgres", found "qdrant"; "qdrant" belongs in "storage.vectors"',
    );
    expect(driver({ state: { driver: 'mongo' } })).toThrow(
      'storage.state.driver: expected "sqlite", "postgres" or "redis", found "mongo"',
    );
    expect(driver({ driver: 'mongo' })).toThrow(/expected "sqlite" or "postgres", found "mongo"$/);
  });

  test('an address of another engine is not taken', () => {
    expect(() => parseConfig({ storage: { driver: 'postgres', url, state: { driver: 'redis' } } })).toThrow(
      'storage.state.driver: "redis" needs a URL',
    );
  });

  test('an address for the embedded engine is a mistake', () => {
    expect(() => parseConfig({ storage: { url } })).toThrow('storage.url: sqlite has no URL');
    expect(() => parseConfig({ storage: { log: { url } } })).toThrow('storage.log.url: sqlite has no URL');
  });
});

describe('agents', () => {
  test('B-03 a block changes what it mentions and nothing else', () => {
    const config = parseConfig({
      memory: { enabled: true, maxEntries: 50 },
      history: 'medium',
      compression: { threshold: 0.5, contextLength: 1000 },
      knowledge: { everyLoop: true },
      agents: {
        archivist: { memory: { maxEntries: 1000 }, history: 'off', compression: { threshold: 0.75 } },
      },
    });
    const archivist = resolveAgentConfig(config, 'archivist');
    expect(archivist.memory).toEqual({ ...config.memory, enabled: true, maxEntries: 1000 });
    expect(archivist.history).toBe('off');
    expect(archivist.compression).toEqual({ threshold: 0.75, policy: 'compactAll', contextLength: 1000 });
    expect(archivist.knowledge).toEqual(config.knowledge);
    expect(archivist.persistentMemory).toBe(true);
    const other = resolveAgentConfig(config, 'other');
    expect(other.name).toBe('other');
    expect(other.memory).toEqual(config.memory);
    expect(other.history).toBe('medium');
  });

  test('every switch can be set for one agent', () => {
    const config = parseConfig({
      agents: { a: { persistentMemory: false, contextCompression: false, knowledge: { chunkSize: 500 } } },
    });
    const own = resolveAgentConfig(config, 'a');
    expect(own).toMatchObject({
      persistentMemory: false,
      contextCompression: false,
      knowledge: { chunkSize: 500 },
    });
    expect(resolveAgentConfig(config, 'b')).toMatchObject({
      persistentMemory: true,
      contextCompression: true,
    });
  });

  test('the light model is the nearest one that is set', () => {
    const light = (input: Parameters<typeof parseConfig>[0]) =>
      resolveAgentConfig(parseConfig(input), 'a').models.light;
    expect(light({})).toBe('none');
    expect(light({ models: { main: 'x/main' } })).toBe('x/main');
    expect(light({ models: { main: 'x/main', light: 'x/light' } })).toBe('x/light');
    expect(light({ models: { main: 'x/main' }, agents: { a: { models: { main: 'x/own' } } } })).toBe('x/own');
    expect(light({ models: { light: 'x/light' }, agents: { a: { models: { light: 'x/own' } } } })).toBe(
      'x/own',
    );
  });

  test('one workspace has one embedding model', () => {
    const agents = { a: { models: { embedding: 'none' } } };
    expect(() => parseConfig({ agents } as never)).toThrow(
      'unknown key here; did you mean "models.embedding"?',
    );
  });

  test('names of built-in properties are ordinary names', () => {
    const own = resolveAgentConfig(parseConfig(), 'constructor');
    expect(own.history).toBe('low');
    const config = parseConfig({ agents: { ['constructor' as string]: { history: 'high' } } });
    expect(resolveAgentConfig(config, 'constructor').history).toBe('high');
    expect(resolveAgentConfig(config, 'toString').history).toBe('low');
  });

  test('a name that cannot be an agent is refused', () => {
    expect(() => resolveAgentConfig(parseConfig(), '../x')).toThrow(KeepsakeError);
    expect(() => parseConfig({ agents: { '../x': {} } })).toThrow(
      'agents["../x"]: "../x" cannot be an agent name',
    );
    expect(() => parseConfig({ name: '..' })).toThrow(
      'name: ".." cannot be an agent name: it starts with a dot',
    );
  });

  test('two names that differ only in case are refused', () => {
    expect(() => parseConfig({ agents: { Bob: {}, bob: {} } })).toThrow(
      'agents.bob: differs from agent "Bob" only in upper and lower case',
    );
  });
});
