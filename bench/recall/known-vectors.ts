/** Vectors by the hash of what they were made of, in a file of its own, so that the next run begins where this one ended. */
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';

export class KnownVectors {
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

  /** A copy of its own memory. */
  get(source: string): ArrayBuffer | undefined {
    const bytes = this.#get.get(keyOf(source)) as Buffer | undefined;
    return bytes === undefined ? undefined : new Uint8Array(bytes).buffer;
  }

  put(made: ReadonlyMap<string, Float32Array | Int8Array>): void {
    this.#database.transaction(() => {
      for (const [source, { buffer, byteOffset, byteLength }] of made)
        this.#put.run(keyOf(source), Buffer.from(buffer, byteOffset, byteLength));
    })();
  }
}

function keyOf(source: string): Buffer {
  return createHash('sha256').update(source).digest();
}
