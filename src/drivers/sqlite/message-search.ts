/** Finds messages by their words: within the conversations of one user without reading what others said. */
import type { Database } from 'better-sqlite3';
import { analyze } from '../../kernel/analysis.ts';
import { isOwnConversation, placeOfKey, threadsOf } from '../../kernel/threads.ts';
import type { LogTextQuery, ThreadQuery } from '../../ports/log-store.ts';
import { afterPrefix, type MessageRow } from '../common/message-rows.ts';
import { readText } from '../common/message-text.ts';
import { anyTerm, siloToken } from './match-expression.ts';
import { StatementCache } from './statement-cache.ts';

export interface Where {
  readonly conditions: string[];
  readonly values: (string | number)[];
}

export function inThread(query: ThreadQuery): Where {
  const conditions: string[] = [];
  const values: string[] = [];
  for (const column of ['agent', 'thread', 'run'] as const) {
    const value = query[column];
    if (value === undefined) continue;
    conditions.push(`m.${column} = ?`);
    values.push(value);
  }
  if (query.prefix !== undefined) {
    conditions.push('m.thread >= ? AND m.thread < ?');
    values.push(query.prefix, afterPrefix(query.prefix));
  }
  return { conditions, values };
}

/** Apart from tokens of agents. */
const tokenOf = (threads: string): string => siloToken(`#${threads}`);

/** What the index of words marks a message with: its agent, and whose conversations its thread belongs to. */
export function messageOwners(agent: string, thread: string): string {
  const place = placeOfKey(agent, thread);
  if (place === undefined || isOwnConversation(place)) return siloToken(agent);
  return `${siloToken(agent)} ${tokenOf(threadsOf(place.user))}`;
}

/** Messages are ordered by the rarity of their words; so many times as many as are wanted are then compared in their texts. */
const SPARE = 3;
const [K1, B] = [1.2, 0.75];

const rarity = (holders: number, all: number): number =>
  Math.log(1 + (all - holders + 0.5) / (holders + 0.5));

export class MessageSearch {
  readonly #statements: StatementCache;

  constructor(database: Database) {
    this.#statements = new StatementCache(database);
  }

  /** Best first. Inside one read of the database. */
  find(query: LogTextQuery): MessageRow[] {
    const threads = threadsSearched(query);
    if (threads === undefined) return this.#ranked(query);
    const marks = marksOf(query.agent, threads);
    const population = this.#statements
      .get('SELECT count(*) FROM messages_text WHERE messages_text MATCH ?')
      .pluck()
      .get(marks) as number;
    // What an older Keepsake wrote is not marked until it is reindexed.
    const isMarked = population === this.#stored(query.agent, threads);
    return isMarked ? this.#ofUser(query, marks, population) : this.#ranked(query);
  }

  /** FTS5 ranks by counting words in all messages of everybody. */
  #ranked({ terms, limit, ...query }: LogTextQuery): MessageRow[] {
    const { conditions, values } = passing(query);
    const silo = query.agent === undefined ? '' : ` AND silo : "${siloToken(query.agent)}"`;
    return this.#statements
      .get(
        `SELECT m.* FROM messages_text CROSS JOIN messages m ON m.seq = messages_text.rowid
         WHERE messages_text MATCH ? AND ${conditions.join(' AND ')} ORDER BY messages_text.rank LIMIT +?`,
      )
      .all(`body : ${anyTerm(terms)}${silo}`, ...values, limit) as MessageRow[];
  }

  /** Here the words are counted in the messages of the user alone. */
  #ofUser(query: LogTextQuery, marks: string, population: number): MessageRow[] {
    const matching = this.#statements
      .get('SELECT rowid FROM messages_text WHERE messages_text MATCH ?')
      .pluck();
    const scores = new Map<number, number>();
    const weights = new Map<string, number>();
    for (const term of new Set(query.terms)) {
      const holders = matching.all(`body : ${anyTerm([term])} AND ${marks}`) as number[];
      const weight = rarity(holders.length, population);
      weights.set(term, weight);
      for (const seq of holders) scores.set(seq, (scores.get(seq) ?? 0) + weight);
    }
    const ordered = [...scores.keys()].sort((a, b) => scores.get(b)! - scores.get(a)! || b - a);
    return bestOf(this.#read(ordered, query), weights).slice(0, query.limit);
  }

  /** How many messages these conversations have. The index begins with the agent, so each agent is looked up for itself. */
  #stored(agent: string | undefined, threads: string): number {
    const agents = agent === undefined ? ALL_AGENTS : '(SELECT ? AS name)';
    return this.#statements
      .get(
        `SELECT count(*) FROM ${agents} a CROSS JOIN messages m ON m.agent = a.name
         WHERE m.thread >= ? AND m.thread < ? AND m.deleted_at IS NULL`,
      )
      .pluck()
      .get(...(agent === undefined ? [] : [agent]), threads, afterPrefix(threads)) as number;
  }

  /** The first of them that pass. */
  #read(seqs: readonly number[], { terms: _, limit, ...query }: LogTextQuery): MessageRow[] {
    const { conditions, values } = passing(query);
    const read = this.#statements.get(
      `SELECT m.* FROM messages m WHERE m.seq = ? AND ${conditions.join(' AND ')}`,
    );
    const rows: MessageRow[] = [];
    for (const seq of seqs) {
      if (rows.length >= SPARE * limit) break;
      const row = read.get(seq, ...values) as MessageRow | undefined;
      if (row !== undefined) rows.push(row);
    }
    return rows;
  }
}

/** By BM25, so that a short message that says it comes before a long one that mentions it. */
function bestOf(rows: readonly MessageRow[], weights: ReadonlyMap<string, number>): MessageRow[] {
  const texts = rows.map(({ content }) => analyze(readText(content)));
  const average = texts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, texts.length);
  const scored = rows.map((row, i) => {
    const words = texts[i]!;
    const norm = K1 * (1 - B + (B * words.length) / average);
    const times = new Map<string, number>();
    for (const word of words) if (weights.has(word)) times.set(word, (times.get(word) ?? 0) + 1);
    const parts = [...times].map(([word, count]) => (weights.get(word)! * count * (K1 + 1)) / (count + norm));
    return { row, score: parts.reduce((sum, part) => sum + part, 0) };
  });
  return scored.sort((a, b) => b.score - a.score || b.row.seq - a.row.seq).map(({ row }) => row);
}

const ALL_AGENTS = `(WITH RECURSIVE each (name) AS (SELECT min(agent) FROM messages UNION ALL
  SELECT (SELECT min(agent) FROM messages WHERE agent > each.name) FROM each WHERE each.name IS NOT NULL) SELECT name FROM each)`;

const marksOf = (agent: string | undefined, threads: string): string =>
  [...(agent === undefined ? [] : [siloToken(agent)]), tokenOf(threads)]
    .map((token) => `silo : "${token}"`)
    .join(' AND ');

/** What the names of all conversations begin with of the user who is searched; undefined when it is not one user. */
function threadsSearched({ agent, thread, prefix }: LogTextQuery): string | undefined {
  if (prefix !== undefined) {
    const place = placeOfKey('', prefix);
    return place?.thread === null && threadsOf(place.user) === prefix ? prefix : undefined;
  }
  const place = agent === undefined || thread === undefined ? undefined : placeOfKey(agent, thread);
  return place === undefined || isOwnConversation(place) ? undefined : threadsOf(place.user);
}

function passing({ before, except, ...thread }: Omit<LogTextQuery, 'terms' | 'limit'>): Where {
  const { conditions, values } = inThread(thread);
  conditions.push('m.deleted_at IS NULL');
  if (before !== undefined) {
    conditions.push('m.seq < ?');
    values.push(before);
  }
  if (except !== undefined) {
    conditions.push('m.thread <> ?');
    values.push(except);
  }
  return { conditions, values };
}
