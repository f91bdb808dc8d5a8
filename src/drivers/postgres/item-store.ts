/** Items in Postgres. */
import { createHash } from 'node:crypto';
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
import type { Database } from './database.ts';
import type { GroupWriter } from './group-writer.ts';
import { joined, raw, type Sql, sql } from './sql.ts';
import type { WriteTransaction } from './write-transaction.ts';

interface Name {
  readonly namespace: Namespace;
  readonly key: string;
}

function addressOf({ agent, user }: ItemOwner, { namespace, key }: Name): Buffer {
  const name = JSON.stringify([agent, user, namespace, key]);
  return createHash('sha256').update(name).digest();
}

const ofUser = (user: string): Sql => sql`(md5(i.user_id) = md5(${user}) AND i.user_id = ${user})`;

function inPlace({ agent, user, namespace, exact }: ItemPlace): Sql {
  const conditions = [agent === undefined ? raw('TRUE') : sql`i.agent = ${agent}`];
  if (user !== undefined) conditions.push(ofUser(user));
  const range = pathRange(namespace);
  if (exact === true) conditions.push(sql`i.namespace = ${namespacePath(namespace)}`);
  else if (range !== undefined)
    conditions.push(sql`i.namespace >= ${range.from} AND i.namespace < ${range.to}`);
  return joined(conditions, ' AND ');
}

export class PostgresItemStore implements ItemStore {
  readonly #database: Database;
  readonly #writer: GroupWriter;

  constructor(database: Database, writer: GroupWriter) {
    this.#database = database;
    this.#writer = writer;
  }

  write(owner: ItemOwner, writes: readonly ItemWrite[], at: number): Promise<readonly ItemOutcome[]> {
    return this.#writer.run(async (transaction) => {
      const outcomes: ItemOutcome[] = [];
      for (const write of writes) outcomes.push(await writeItem(transaction, owner, write, at));
      return outcomes;
    });
  }

  async read({ keys, after, before, newest, limit, ...place }: ItemQuery): Promise<readonly Item[]> {
    const conditions = [inPlace(place)];
    if (keys !== undefined) conditions.push(sql`i.key = ANY(${keys}::text[])`);
    if (after !== undefined) conditions.push(sql`i.seq > ${after}`);
    if (before !== undefined) conditions.push(sql`i.seq < ${before}`);
    const order = raw(newest === true ? 'DESC' : 'ASC');
    const rows = await this.#database.rows<ItemRow>(
      sql`SELECT * FROM items i WHERE ${joined(conditions, ' AND ')} ORDER BY i.seq ${order} LIMIT ${limit}`,
    );
    return rows.map(toItem);
  }

  async namespaces(place: ItemPlace): Promise<readonly Namespace[]> {
    const rows = await this.#database.rows<{ namespace: string }>(
      sql`SELECT DISTINCT i.namespace FROM items i WHERE ${inPlace(place)} ORDER BY i.namespace`,
    );
    return rows.map(({ namespace }) => namespaceOf(namespace));
  }

  async texts(place: ItemPlace): Promise<readonly StoredText[]> {
    const rows = await this.#database.rows<ItemTextRow>(
      sql`SELECT t.* FROM items i JOIN item_texts t USING (seq) WHERE ${inPlace(place)} ORDER BY t.seq, t.part`,
    );
    return rows.map(toStoredText);
  }

  saveVectors(model: string, vectors: readonly TextVector[]): Promise<void> {
    return this.#writer.run(async (transaction) => {
      for (const { seq, part, content, vector } of vectors) {
        await transaction.run(
          sql`UPDATE item_texts SET model = ${model}, vector = ${vectorBytes(vector)}
              WHERE seq = ${seq} AND part = ${part} AND content = ${content}`,
        );
      }
    });
  }

  async copies({
    agent,
    after,
    limit,
  }: {
    agent?: string | undefined;
    after: number;
    limit: number;
  }): Promise<readonly ItemCopy[]> {
    const ofAgent = agent === undefined ? raw('') : sql`AND i.agent = ${agent}`;
    const rows = await this.#database.rows<ItemRow & { readonly contents: readonly string[] }>(
      sql`SELECT i.*, ARRAY(SELECT t.content FROM item_texts t WHERE t.seq = i.seq ORDER BY t.part) AS contents
          FROM items i WHERE i.seq > ${after} ${ofAgent} ORDER BY i.seq LIMIT ${limit}`,
    );
    return rows.map((row) => toItemCopy(row, row.contents));
  }

  addCopies(copies: readonly ItemCopyDraft[], { dryRun = false } = {}): Promise<readonly ItemCopyOutcome[]> {
    return this.#writer.run(async (transaction) => {
      const outcomes: ItemCopyOutcome[] = [];
      for (const copy of copies) {
        const found = await find(transaction, copy, copy);
        if (found === undefined && !dryRun) await insert(transaction, copy, copy, copy);
        outcomes.push(found === undefined ? 'added' : isSameItem(found, copy) ? 'present' : 'differs');
      }
      return outcomes;
    });
  }

  async erase({ agent, user }: ErasedOwner): Promise<number> {
    requireOwner({ agent, user });
    const conditions = [
      ...(agent === undefined ? [] : [sql`i.agent = ${agent}`]),
      ...(user === undefined ? [] : [ofUser(user)]),
    ];
    const those = sql`DELETE FROM items i WHERE ${joined(conditions, ' AND ')}`;
    return this.#writer.run((transaction) => transaction.run(those));
  }
}

async function writeItem(
  transaction: WriteTransaction,
  owner: ItemOwner,
  write: ItemWrite,
  at: number,
): Promise<ItemOutcome> {
  if (write.op === 'clear') {
    const those = inPlace({ ...owner, namespace: write.namespace });
    return cleared(await transaction.run(sql`DELETE FROM items i WHERE ${those}`));
  }
  const plan = decideWrite(await find(transaction, owner, write), write);
  if (plan.does === 'nothing') return plan.outcome;
  if (plan.does === 'remove') {
    await transaction.run(sql`DELETE FROM items WHERE seq = ${plan.seq}`);
    return removed;
  }
  if (write.op !== 'put') return removed;
  if (plan.does === 'insert') {
    const stamp = { version: 1, createdAt: at, updatedAt: at };
    return created(await insert(transaction, owner, write, { ...stamp, ...write }));
  }
  const value = JSON.stringify(write.value);
  await transaction.run(
    sql`UPDATE items SET value = ${value}, version = ${plan.version}, updated_at = ${at} WHERE seq = ${plan.seq}`,
  );
  await transaction.run(sql`DELETE FROM item_texts WHERE seq = ${plan.seq}`);
  await insertTexts(transaction, plan.seq, write.texts);
  return replaced(plan);
}

const find = (transaction: WriteTransaction, owner: ItemOwner, name: Name): Promise<ItemRow | undefined> =>
  transaction.row<ItemRow>(sql`SELECT * FROM items WHERE address = ${addressOf(owner, name)}`);

async function insert(
  transaction: WriteTransaction,
  owner: ItemOwner,
  name: Name,
  item: Pick<ItemCopyDraft, 'value' | 'version' | 'createdAt' | 'updatedAt' | 'texts'>,
): Promise<number> {
  const seq = transaction.next('items');
  await transaction.run(
    sql`INSERT INTO items (seq, address, agent, user_id, namespace, key, value, version, created_at, updated_at)
        VALUES (${seq}, ${addressOf(owner, name)}, ${owner.agent}, ${owner.user}, ${namespacePath(name.namespace)},
          ${name.key}, ${JSON.stringify(item.value)}, ${item.version}, ${item.createdAt}, ${item.updatedAt})`,
  );
  await insertTexts(transaction, seq, item.texts);
  return seq;
}

async function insertTexts(
  transaction: WriteTransaction,
  seq: number,
  texts: readonly ItemText[],
): Promise<void> {
  for (const [part, { content, words, embedding }] of texts.entries()) {
    const vector = embedding === undefined ? null : vectorBytes(embedding.vector);
    await transaction.run(
      sql`INSERT INTO item_texts (seq, part, content, words, model, vector)
          VALUES (${seq}, ${part}, ${content}, ${words}, ${embedding?.model ?? null}, ${vector})`,
    );
  }
}
