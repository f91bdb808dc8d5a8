/** Vectors of the tokens of records in SQLite. Triggers keep the queue and take away what must not be there any more. */
import type { Database } from 'better-sqlite3';
import type { TextInPlace, TokenSpace, TokenVectors } from '../../../ports/token-model.ts';
import type { TokenBacklog, TokenDraft, TokenStore, UnreadText } from '../../../ports/token-store.ts';
import { lateInteraction } from '../../search-kernels/tokens/late-interaction.ts';
import type { GroupWriter } from '../group-writer.ts';
import { reading } from '../reading.ts';

interface OwnRow {
  readonly rid: number;
  readonly id: string;
  readonly version: number;
  readonly text: string;
}
type BesideRow = Omit<OwnRow, 'id'>;

export class SqliteTokenStore implements TokenStore {
  readonly #database: Database;
  readonly #writer: GroupWriter;
  readonly #statements;

  constructor(database: Database, writer: GroupWriter) {
    this.#database = database;
    this.#writer = writer;
    this.#statements = prepareStatements(database);
  }

  async use(space: TokenSpace): Promise<void> {
    if (await reading(this.#database, () => this.#isInUse(space))) return;
    await this.#writer.run(() => {
      if (this.#isInUse(space)) return;
      this.#clear();
      this.#statements.enter.run(space.id, space.dimensions, space.passage);
      this.#statements.enqueueAll.run();
    });
  }

  waiting(space: TokenSpace, limit: number): Promise<readonly UnreadText[]> {
    return reading(this.#database, () => {
      if (!this.#isInUse(space)) return [];
      const rids = this.#statements.queued.all(limit) as number[];
      return rids.flatMap((rid) => {
        const read = this.#read(rid);
        return read === undefined ? [] : [read];
      });
    });
  }

  save(space: TokenSpace, drafts: readonly TokenDraft[]): Promise<number> {
    return this.#writer.run(() => {
      if (!this.#isInUse(space)) return 0;
      let saved = 0;
      for (const { id, basis, vectors } of drafts) {
        const rid = this.#statements.rid.get(id) as number | undefined;
        if (rid === undefined || this.#read(rid)?.basis !== basis) continue;
        this.#statements.put.run(rid, asBytes(vectors));
        this.#statements.dequeue.run(rid);
        saved++;
      }
      return saved;
    });
  }

  matches(
    ids: readonly string[],
    space: TokenSpace,
    question: TokenVectors,
  ): Promise<ReadonlyMap<string, number>> {
    return reading(this.#database, () => {
      const found = new Map<string, number>();
      if (question.length === 0 || !this.#isInUse(space)) return found;
      for (const id of ids) {
        const bytes = this.#statements.vectors.get(id) as Buffer | undefined;
        const isWhole = bytes !== undefined && bytes.length > 0 && bytes.length % space.dimensions === 0;
        if (isWhole) found.set(id, lateInteraction(question, asVectors(bytes), space));
      }
      return found;
    });
  }

  hasWaiting(): Promise<boolean> {
    return reading(this.#database, () => this.#statements.hasWaiting.get() === 1);
  }

  backlog(): Promise<TokenBacklog> {
    return reading(this.#database, () => this.#statements.backlog.get() as TokenBacklog);
  }

  async drop(): Promise<void> {
    await this.#writer.run(() => this.#clear());
  }

  #isInUse({ id, dimensions, passage }: TokenSpace): boolean {
    return this.#statements.isInUse.get(id, dimensions, passage) !== undefined;
  }

  #clear(): void {
    for (const statement of this.#statements.clear) statement.run();
  }

  #read(rid: number): UnreadText | undefined {
    const { own, before, after } = this.#statements;
    const record = own.get(rid) as OwnRow | undefined;
    if (record === undefined) return undefined;
    const earlier = (before.all(rid) as BesideRow[]).toReversed();
    const next = after.get(rid) as BesideRow | undefined;
    const all = [record, ...earlier, ...(next === undefined ? [] : [next])];
    const place: TextInPlace = {
      text: record.text,
      before: earlier.map(({ text }) => text),
      after: next?.text,
    };
    return { ...place, id: record.id, basis: all.map((row) => `${row.rid}:${row.version}`).join(' ') };
  }
}

const asBytes = ({ buffer, byteOffset, byteLength }: TokenVectors): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);
const asVectors = ({ buffer, byteOffset, byteLength }: Buffer): TokenVectors =>
  new Int8Array(buffer, byteOffset, byteLength);

function prepareStatements(database: Database) {
  const beside = (comparison: '<' | '>', limit: number) =>
    database.prepare(
      `SELECT b.rid, b.version, b.content AS text FROM records r
       JOIN records b ON b.agent = r.agent AND b.thread = r.thread AND b.user_id = r.user_id AND b.scope = r.scope
       WHERE r.rid = ? AND b.rid ${comparison} r.rid AND b.forgotten_at IS NULL
       ORDER BY b.rid ${comparison === '<' ? 'DESC' : 'ASC'} LIMIT ${limit}`,
    );
  return {
    isInUse: database.prepare('SELECT 1 FROM token_space WHERE id = ? AND dimensions = ? AND passage = ?'),
    clear: ['record_tokens', 'token_queue', 'token_space'].map((table) =>
      database.prepare(`DELETE FROM ${table}`),
    ),
    enter: database.prepare('INSERT INTO token_space (id, dimensions, passage) VALUES (?, ?, ?)'),
    enqueueAll: database.prepare(
      'INSERT INTO token_queue SELECT rid FROM records WHERE forgotten_at IS NULL ORDER BY rid',
    ),
    queued: database.prepare('SELECT rid FROM token_queue ORDER BY rid LIMIT +?').pluck(),
    rid: database.prepare('SELECT rid FROM records WHERE id = ?').pluck(),
    own: database.prepare(
      'SELECT rid, id, version, content AS text FROM records WHERE rid = ? AND forgotten_at IS NULL',
    ),
    before: beside('<', 2),
    after: beside('>', 1),
    put: database.prepare('INSERT OR REPLACE INTO record_tokens (rid, vectors) VALUES (?, ?)'),
    dequeue: database.prepare('DELETE FROM token_queue WHERE rid = ?'),
    vectors: database
      .prepare('SELECT t.vectors FROM records r JOIN record_tokens t ON t.rid = r.rid WHERE r.id = ?')
      .pluck(),
    hasWaiting: database.prepare('SELECT EXISTS (SELECT 1 FROM token_queue)').pluck(),
    backlog: database.prepare(`SELECT (SELECT id FROM token_space) AS space,
      (SELECT count(*) FROM record_tokens) AS encoded, (SELECT count(*) FROM token_queue) AS waiting`),
  };
}
