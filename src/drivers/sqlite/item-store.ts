/** Items in SQLite. */
import type { Database } from 'better-sqlite3';
import {
  cleared,
  created,
  decideWrite,
  removed,
  replaced,
  requireOwner,
} from '../../items/rules/decide-write.ts';
import { namespaceOf, namespacePath, pathRange } from '../../items/rules/namespace-path.ts';
import type {
  ErasedOwner,
  Item,
  ItemCopy,
  ItemCopyDraft,
  ItemCopyOutcome,
  ItemOutcome,
  ItemOwner,
  ItemPlace,
  ItemQuery,
  ItemStore,
  ItemText,
  ItemWrite,
  Namespace,
  StoredText,
  TextVector,
} from '../../ports/item-store.ts';
import {
  type ItemRow,
  type ItemTextRow,
  isSameItem,
  toItem,
  toItemCopy,
  toStoredText,
  vectorBytes,
} from '../common/item-rows.ts';
import type { GroupWriter } from './group-writer.ts';
import { reading } from './reading.ts';
import { Scrubber } from './scrubber.ts';
import { StatementCache } from './statement-cache.ts';

interface Where {
  readonly conditions: string[];
  readonly values: (string | number)[];
}

function inPlace({ agent, user, namespace, exact }: ItemPlace): Where {
  const where: Where = { conditions: [], values: [] };
  const add = (condition: string, ...values: (string | number)[]): void => {
    where.conditions.push(condition);
    where.values.push(...values);
  };
  if (agent !== undefined) add('agent = ?', agent);
  // The index of users is used only where it is said that there is one.
  if (user !== undefined) add(user === '' ? 'user_id = ?' : "user_id = ? AND user_id <> ''", user);
  const range = pathRange(namespace);
  if (exact === true) add('namespace = ?', namespacePath(namespace));
  else if (range !== undefined) add('namespace >= ? AND namespace < ?', range.from, range.to);
  if (where.conditions.length === 0) add('TRUE');
  return where;
}

export class SqliteItemStore implements ItemStore {
  readonly #database: Database;
  readonly #writer: GroupWriter;
  readonly #statements: StatementCache;
  readonly #scrubber: Scrubber;

  constructor(database: Database, writer: GroupWriter) {
    this.#database = database;
    this.#writer = writer;
    this.#statements = new StatementCache(database);
    this.#scrubber = new Scrubber(database, writer);
  }

  write(owner: ItemOwner, writes: readonly ItemWrite[], at: number): Promise<readonly ItemOutcome[]> {
    return this.#writer.run(() => writes.map((write) => this.#write(owner, write, at)));
  }

  read({ keys, after, before, newest, limit, ...place }: ItemQuery): Promise<readonly Item[]> {
    const { conditions, values } = inPlace(place);
    if (keys !== undefined) {
      conditions.push('key IN (SELECT value FROM json_each(?))');
      values.push(JSON.stringify(keys));
    }
    if (after !== undefined) {
      conditions.push('seq > ?');
      values.push(after);
    }
    if (before !== undefined) {
      conditions.push('seq < ?');
      values.push(before);
    }
    const order = newest === true ? 'DESC' : 'ASC';
    return reading(this.#database, () =>
      (
        this.#all(
          `SELECT * FROM items WHERE ${conditions.join(' AND ')} ORDER BY seq ${order} LIMIT +?`,
          ...[...values, limit],
        ) as ItemRow[]
      ).map(toItem),
    );
  }

  namespaces(place: ItemPlace): Promise<readonly Namespace[]> {
    const { conditions, values } = inPlace(place);
    return reading(this.#database, () => {
      const rows = this.#all(
        `SELECT DISTINCT namespace FROM items WHERE ${conditions.join(' AND ')} ORDER BY namespace`,
        ...values,
      );
      return (rows as { namespace: string }[]).map(({ namespace }) => namespaceOf(namespace));
    });
  }

  texts(place: ItemPlace): Promise<readonly StoredText[]> {
    const { conditions, values } = inPlace(place);
    return reading(this.#database, () => {
      const rows = this.#all(
        `SELECT t.* FROM items JOIN item_texts t USING (seq) WHERE ${conditions.join(' AND ')} ORDER BY seq, part`,
        ...values,
      );
      return (rows as ItemTextRow[]).map(toStoredText);
    });
  }

  saveVectors(model: string, vectors: readonly TextVector[]): Promise<void> {
    return this.#writer.run(() => {
      const save = 'UPDATE item_texts SET model = ?, vector = ? WHERE seq = ? AND part = ? AND content = ?';
      for (const { seq, part, content, vector } of vectors)
        this.#run(save, model, vectorBytes(vector), seq, part, content);
    });
  }

  copies({
    agent,
    after,
    limit,
  }: {
    agent?: string | undefined;
    after: number;
    limit: number;
  }): Promise<readonly ItemCopy[]> {
    return reading(this.#database, () => {
      const rows = this.#all(
        `SELECT * FROM items WHERE seq > ? AND (? IS NULL OR agent = ?) ORDER BY seq LIMIT +?`,
        ...[after, agent ?? null, agent ?? null, limit],
      ) as ItemRow[];
      const texts = 'SELECT content FROM item_texts WHERE seq = ? ORDER BY part';
      return rows.map((row) =>
        toItemCopy(
          row,
          (this.#all(texts, row.seq) as { content: string }[]).map(({ content }) => content),
        ),
      );
    });
  }

  addCopies(copies: readonly ItemCopyDraft[], { dryRun = false } = {}): Promise<readonly ItemCopyOutcome[]> {
    return this.#writer.run(() =>
      copies.map((copy) => {
        const found = this.#find(copy, copy) as ItemRow | undefined;
        if (found !== undefined) return isSameItem(found, copy) ? 'present' : 'differs';
        if (!dryRun) this.#insert(copy, copy, { ...copy, value: JSON.stringify(copy.value) });
        return 'added';
      }),
    );
  }

  async erase({ agent, user }: ErasedOwner): Promise<number> {
    requireOwner({ agent, user });
    const erased = await this.#writer.run(() => {
      const those = '(? IS NULL OR agent = ?) AND (? IS NULL OR user_id = ?)';
      const values = [agent ?? null, agent ?? null, user ?? null, user ?? null];
      return this.#removeWhere(those, values);
    });
    if (erased > 0) await this.#scrubber.run();
    return erased;
  }

  #write(owner: ItemOwner, write: ItemWrite, at: number): ItemOutcome {
    if (write.op === 'clear') {
      const { conditions, values } = inPlace({ ...owner, namespace: write.namespace });
      return cleared(this.#removeWhere(conditions.join(' AND '), values));
    }
    const plan = decideWrite(this.#find(owner, write), write);
    if (plan.does === 'nothing') return plan.outcome;
    if (plan.does === 'remove') {
      this.#removeWhere('seq = ?', [plan.seq]);
      return removed;
    }
    if (write.op !== 'put') return removed;
    const value = JSON.stringify(write.value);
    if (plan.does === 'insert') {
      const stamp = { version: 1, createdAt: at, updatedAt: at };
      return created(this.#insert(owner, write, { ...stamp, value, texts: write.texts }));
    }
    const change = 'UPDATE items SET value = ?, version = ?, updated_at = ? WHERE seq = ?';
    this.#run(change, value, plan.version, at, plan.seq);
    this.#run('DELETE FROM item_texts WHERE seq = ?', plan.seq);
    this.#insertTexts(plan.seq, write.texts);
    return replaced(plan);
  }

  #find({ agent, user }: ItemOwner, { namespace, key }: { namespace: Namespace; key: string }) {
    return this.#statements
      .get('SELECT * FROM items WHERE agent = ? AND user_id = ? AND namespace = ? AND key = ?')
      .get(agent, user, namespacePath(namespace), key) as ItemRow | undefined;
  }

  #insert(
    { agent, user }: ItemOwner,
    { namespace, key }: { readonly namespace: Namespace; readonly key: string },
    item: {
      readonly value: string;
      readonly version: number;
      readonly createdAt: number;
      readonly updatedAt: number;
      readonly texts: readonly ItemText[];
    },
  ): number {
    const insert = `INSERT INTO items (agent, user_id, namespace, key, value, version, created_at, updated_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
    const { value, version, createdAt, updatedAt, texts } = item;
    const name = [agent, user, namespacePath(namespace), key];
    const { lastInsertRowid } = this.#run(insert, ...name, value, version, createdAt, updatedAt);
    const seq = Number(lastInsertRowid);
    this.#insertTexts(seq, texts);
    return seq;
  }

  #insertTexts(seq: number, texts: readonly ItemText[]): void {
    const insert =
      'INSERT INTO item_texts (seq, part, content, words, model, vector) VALUES (?, ?, ?, ?, ?, ?)';
    texts.forEach(({ content, words, embedding }, part) => {
      const vector = embedding === undefined ? null : vectorBytes(embedding.vector);
      this.#run(insert, seq, part, content, words, embedding?.model ?? null, vector);
    });
  }

  /** Texts first: the condition no longer finds the items afterwards. */
  #removeWhere(condition: string, values: readonly (string | number | null)[]): number {
    this.#run(`DELETE FROM item_texts WHERE seq IN (SELECT seq FROM items WHERE ${condition})`, ...values);
    return this.#run(`DELETE FROM items WHERE ${condition}`, ...values).changes;
  }

  #run(sql: string, ...values: readonly (string | number | null | Buffer)[]) {
    return this.#statements.get(sql).run(...values);
  }

  #all(sql: string, ...values: readonly (string | number | null)[]): unknown[] {
    return this.#statements.get(sql).all(...values);
  }
}
