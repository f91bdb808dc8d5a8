/** What must hold on every engine while a workspace goes over to another embedding model. */
import { expect, it, onTestFinished } from 'vitest';
import type { EmbeddingModel } from '../../../src/ports/embedding-model.ts';
import type { Storage } from '../../../src/ports/storage.ts';
import { Embedder } from '../../../src/records/index.ts';
import { ADMIN, addRecord, context, START, updateRecord } from '../../../src/testing/conformance/drafts.ts';
import { topicModel } from './topic-model.ts';

/** Every direction means something else than in the model of before. */
function nextModel(options: { readonly batchSize?: number } = {}) {
  const model = topicModel({ id: 'test/next', dimensions: 8, ...options });
  const embed = model.embed.bind(model);
  model.embed = async (texts, kind) => (await embed(texts, kind)).map((vector) => vector.toReversed());
  return model;
}

export function reEmbeddingStories(makeStorage: () => Promise<() => Promise<Storage>>): void {
  async function setUp() {
    const open = await makeStorage();
    const old = topicModel({ id: 'test/old' });
    const known: Record<string, EmbeddingModel> = { 'test/old': old, 'test/next': nextModel() };
    const program = async (model: EmbeddingModel, knows: readonly string[] = Object.keys(known)) => {
      const storage = await open();
      const embedder = new Embedder({
        vectors: storage.records.vectors,
        open: async () => model,
        openStored: async (id) => (knows.includes(id) ? known[id] : undefined),
      });
      onTestFinished(async () => {
        await embedder.close();
        await storage.close();
      });
      /** By meaning alone. */
      const find = async (text: string): Promise<string[]> => {
        const embedding = await embedder.query(text);
        if (embedding === undefined) return [];
        const query = { viewer: ADMIN, now: START, filter: {}, embedding, limit: 10 };
        const hits = await storage.records.vectors.search(query);
        return hits.filter(({ similarity }) => similarity > 0.9).map(({ record }) => record.id);
      };
      return { storage, records: storage.records, embedder, find };
    };
    const first = await program(old);
    const ids: Record<string, string> = {};
    for (const content of ['cat', 'tea', 'car', 'rain', 'paris'])
      ids[content] = (await addRecord(first.records, { content })).id;
    await first.embedder.drain();
    return { old, program, first, ids };
  }

  it('searches go on with the old vectors until the switch, and with the new ones after it, in every process', async () => {
    const { program, first, ids } = await setUp();
    const next = nextModel({ batchSize: 2 });
    const second = await program(next);
    const seen: unknown[] = [];
    const embed = next.embed.bind(next);
    next.embed = async (texts, kind) => {
      // In the middle of it, both programs answer, and both by the old model.
      if (kind === 'document') seen.push([await first.find('dog'), await second.find('dog')]);
      return embed(texts, kind);
    };
    expect((await second.embedder.health())?.problem).toContain('run "keepsake re-embed"');
    const progress: number[] = [];
    const report = await second.embedder.reEmbed({ onProgress: ({ done }) => progress.push(done) });
    expect(report).toEqual({
      ...{ model: 'test/next', previous: 'test/old', switched: true, made: 5, kept: 0, missing: 0 },
    });
    expect(progress).toEqual([0, 2, 4, 5]);
    expect(seen).toEqual(Array(3).fill([[ids.cat], [ids.cat]]));

    const backlog = { embedded: 5, waiting: 0, foreign: 0 };
    expect(await second.embedder.health()).toEqual({ model: 'test/next', ...backlog, problem: null });
    expect(await second.find('dog')).toEqual([ids.cat]);
    // The one that was configured otherwise goes over by itself, and does not make its own vectors again.
    expect(await first.find('dog')).toEqual([ids.cat]);
    expect(await first.embedder.health()).toMatchObject({ model: 'test/next', ...backlog });
    expect(await second.embedder.reEmbed()).toEqual({
      ...{ model: 'test/next', previous: 'test/next', switched: false, made: 0, kept: 0, missing: 0 },
    });
  });

  it('what is stored, changed, shared and forgotten meanwhile has the right vector at the end, or none', async () => {
    const { program, first, ids } = await setUp();
    const next = nextModel({ batchSize: 2 });
    const second = await program(next);
    const embed = next.embed.bind(next);
    let rounds = 0;
    next.embed = async (texts, kind) => {
      if (++rounds === 3) {
        await updateRecord(first.records, ids.cat!, { content: 'snow' });
        await updateRecord(first.records, ids.tea!, { scope: 'swarm' });
        await first.records.forget(ids.car!, context());
        ids.bicycle = (await addRecord(first.records, { content: 'bicycle' })).id;
      }
      return embed(texts, kind);
    };
    expect(await second.embedder.reEmbed()).toMatchObject({ switched: true, missing: 0 });
    expect(await second.find('weather')).toEqual([ids.cat, ids.rain].sort().reverse());
    expect(await second.find('vehicle')).toEqual([ids.bicycle]);
    expect(await second.find('pet')).toEqual([]);
    const shared = { viewer: { agent: 'bob', role: 'worker' }, now: START, filter: {}, limit: 9 } as const;
    const embedding = (await second.embedder.query('drink'))!;
    const found = await second.records.vectors.search({ ...shared, embedding });
    expect(found.map(({ record }) => record.id)).toEqual([ids.tea]);
    const findings = await second.storage.maintenance.examine({ fix: false, now: START });
    expect(findings.filter(({ severity }) => severity === 'problem')).toEqual([]);
  });

  it('one that was interrupted goes on where it stopped; one for another model begins again', async () => {
    const { program, first, ids } = await setUp();
    const next = nextModel({ batchSize: 2 });
    const second = await program(next);
    const stop = new AbortController();
    const onProgress = ({ done }: { done: number }) => done === 2 && stop.abort();
    await expect(second.embedder.reEmbed({ signal: stop.signal, onProgress })).rejects.toMatchObject({
      code: 'ABORTED',
      hint: expect.stringContaining('again'),
    });
    expect(await first.find('dog')).toEqual([ids.cat]);
    const findings = await first.storage.maintenance.examine({ fix: false, now: START });
    expect(findings.find(({ check }) => check === 'vectors.models')?.vectors).toEqual({
      ...{ present: { model: 'test/old', dimensions: 5 }, waiting: 0 },
      aside: { model: 'test/next', made: 2 },
    });
    // Forgotten ones are forgotten there too.
    await first.records.forget(ids.cat!, context());
    const again = await program(nextModel());
    expect(await again.records.vectors.aside!.begin('test/next')).toEqual({ done: 1, total: 4 });
    expect(await again.embedder.reEmbed()).toMatchObject({ switched: true, made: 3, kept: 1 });
    expect(await again.find('drink')).toEqual([ids.tea]);

    const third = await program(topicModel({ id: 'test/third', batchSize: 1 }));
    await third.embedder
      .reEmbed({ signal: AbortSignal.abort() })
      .catch((error: { code: string }) => expect(error.code).toBe('ABORTED'));
    const fourth = topicModel({ id: 'test/fourth' });
    expect(await (await program(fourth)).embedder.reEmbed()).toMatchObject({ made: 4, kept: 0 });
  });

  it('a text that the model cannot take does not hold up the others, and waits', async () => {
    const { program, ids } = await setUp();
    const next = nextModel();
    next.refuses = 'tea';
    const second = await program(next);
    expect(await second.embedder.reEmbed()).toMatchObject({ switched: true, made: 4, missing: 1 });
    expect(await second.find('dog')).toEqual([ids.cat]);
    expect(await second.records.vectors.backlog('test/next')).toEqual({
      embedded: 4,
      waiting: 1,
      foreign: 0,
    });
    next.refuses = undefined;
    expect(await second.find('drink')).toEqual([ids.tea]);
  });

  it('a program that cannot open the model of the vectors goes by words, and mixes in none of its own', async () => {
    const { program, first, ids } = await setUp();
    const second = await program(nextModel(), []);
    const { id } = await addRecord(second.records, { content: 'dog' });
    expect(await second.find('dog')).toEqual([]);
    await expect(second.embedder.drain()).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('test/old'),
      hint: expect.stringContaining('keepsake re-embed'),
    });
    expect(await first.find('pet')).toEqual([ids.cat, id].sort().reverse());
    expect(await second.embedder.reEmbed()).toMatchObject({ switched: true, made: 6 });
    expect(await second.find('pet')).toEqual([ids.cat, id].sort().reverse());
  });
}
