/** A slow embedding model that makes the vector of a text once, however many stores and runs of a benchmark hold it. */
import { createHash } from 'node:crypto';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openEmbedding } from '../../src/config/embedding.ts';
import type { EmbeddingKind, EmbeddingModel } from '../../src/ports/embedding-model.ts';

/** Vectors by the hash of their text, in a file of its own, so that the next run begins where this one ended. */
class KnownVectors {
  readonly #database: Database.Database;
  readonly #get: Database.Statement;
  readonly #put: Database.Statement;

  constructor(model: string) {
    const file = `keepsake-bench-vectors-${model.replaceAll(/[^a-z0-9]+/gi, '-')}.db`;
    this.#database = new Database(join(tmpdir(), file), { timeout: 60_000 });
    this.#database.pragma('journal_mode = WAL');
    this.#database.exec('CREATE TABLE IF NOT EXISTS vectors (text BLOB PRIMARY KEY, vector BLOB NOT NULL)');
    this.#get = this.#database.prepare('SELECT vector FROM vectors WHERE text = ?').pluck();
    this.#put = this.#database.prepare('INSERT OR IGNORE INTO vectors VALUES (?, ?)');
  }

  get(kind: EmbeddingKind, text: string): Float32Array | undefined {
    const bytes = this.#get.get(keyOf(kind, text)) as Buffer | undefined;
    return bytes === undefined ? undefined : new Float32Array(new Uint8Array(bytes).buffer);
  }

  put(kind: EmbeddingKind, made: ReadonlyMap<string, Float32Array>): void {
    this.#database.transaction(() => {
      for (const [text, { buffer, byteOffset, byteLength }] of made)
        this.#put.run(keyOf(kind, text), Buffer.from(buffer, byteOffset, byteLength));
    })();
  }
}

function keyOf(kind: EmbeddingKind, text: string): Buffer {
  return createHash('sha256').update(`${kind} ${text}`).digest();
}

export async function rememberingModel(embedding: string): Promise<EmbeddingModel> {
  const model = await openEmbedding({ models: { embedding }, env: process.env, root: homedir() });
  if (model === undefined) throw new Error(`${embedding} is no embedding model.`);
  const known = new KnownVectors(model.id);
  return {
    ...model,
    embed: async (texts, kind, signal) => {
      const vectors = new Map(texts.map((text) => [text, known.get(kind, text)]));
      const missing = [...vectors.keys()].filter((text) => vectors.get(text) === undefined);
      const made = missing.length === 0 ? [] : await model.embed(missing, kind, signal);
      const fresh = new Map(missing.map((text, i) => [text, made[i] as Float32Array]));
      known.put(kind, fresh);
      return texts.map((text) => (vectors.get(text) ?? fresh.get(text)) as Float32Array);
    },
    // The stores of a benchmark come and go; the model stays.
    close: async () => {},
  };
}
