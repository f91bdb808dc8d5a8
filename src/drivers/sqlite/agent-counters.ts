/** Agents as the database knows them: their names, which must not collide, and how many facts each may keep, by user. */
import type { Database } from 'better-sqlite3';
import { foldAgentName } from '../../kernel/names.ts';
import type { MemoryRecord } from '../../kernel/record.ts';
import type { AgentSummary } from '../../ports/record-store.ts';
import { isKnownAgent } from '../../records/rules/agent-names.ts';
import { type Candidate, overflowOf } from '../../records/rules/decide-prune.ts';
import { userColumn, WEAKEST_FIRST_COLUMNS } from '../common/record-columns.ts';
import type { Deferring } from './group-writer.ts';

/** Whose facts are counted together. */
export type Owner = Pick<MemoryRecord, 'agent' | 'user'>;

/** What one transaction knows of an owner. */
interface Tally extends Owner {
  /** As the database has it; undefined until somebody asks. */
  stored: number | undefined;
  added: number;
}

export class AgentCounters implements Deferring {
  readonly #database: Database;
  readonly #find;
  readonly #insert;
  readonly #count;
  readonly #facts;
  readonly #insertUser;
  readonly #countUser;
  readonly #factsWithUser;
  readonly #release;
  readonly #weakest;
  readonly #tallies = new Map<string, Tally>();
  readonly #ensured = new Set<string>();

  constructor(database: Database) {
    this.#database = database;
    this.#find = database.prepare('SELECT name FROM agents WHERE folded = ?').pluck();
    this.#insert = database.prepare('INSERT INTO agents (name, folded, created_at) VALUES (?, ?, ?)');
    this.#count = database.prepare('UPDATE agents SET facts = facts + ? WHERE name = ?');
    this.#facts = database.prepare('SELECT facts FROM agents WHERE name = ?').pluck();
    this.#insertUser = database.prepare(
      'INSERT OR IGNORE INTO agent_users (agent, user_id, created_at) VALUES (?, ?, ?)',
    );
    this.#countUser = database.prepare(
      'UPDATE agent_users SET facts = facts + ? WHERE agent = ? AND user_id = ?',
    );
    this.#factsWithUser = database
      .prepare('SELECT facts FROM agent_users WHERE agent = ? AND user_id = ?')
      .pluck();
    this.#release = database.prepare(
      'UPDATE records SET counted = 0 WHERE agent = ? AND user_id = ? AND counted = 1 AND expires_at IS NOT NULL AND expires_at <= ?',
    );
    this.#weakest = database.prepare(
      `SELECT id, agent, nullif(user_id, '') AS user, category FROM records WHERE agent = ? AND user_id = ? AND counted = 1 AND pinned = 0
       ORDER BY ${WEAKEST_FIRST_COLUMNS} LIMIT +?`,
    );
  }

  /** Registers a name on its first write; refuses one that differs from an existing one only by case. */
  ensure({ agent, user }: Owner, at: number): void {
    if (!this.#ensured.has(agent)) this.#register(agent, at);
    this.#ensured.add(agent);
    if (user === null || this.#ensured.has(keyOf({ agent, user }))) return;
    this.#insertUser.run(agent, user, at);
    this.#ensured.add(keyOf({ agent, user }));
  }

  /** All additions to one owner are one change of its row. */
  settle(): void {
    for (const { agent, user, added } of this.#tallies.values()) {
      if (added === 0) continue;
      if (user === null) this.#count.run(added, agent);
      else this.#countUser.run(added, agent, user);
    }
    this.discard();
  }

  discard(): void {
    this.#tallies.clear();
    this.#ensured.clear();
  }

  #register(name: string, at: number): void {
    const folded = foldAgentName(name);
    if (!isKnownAgent(name, this.#find.get(folded) as string | undefined)) this.#insert.run(name, folded, at);
  }

  addFacts(owner: Owner, difference: number): void {
    if (difference !== 0) this.#tallyOf(owner).added += difference;
  }

  /** The weakest facts, as many as are over the limit. Costs one lookup while there is room. */
  overflow(owner: Owner, limit: number, now: number): Candidate[] {
    if (overflowOf(this.#factsOf(owner), limit) === 0) return [];
    const of = [owner.agent, userColumn(owner.user)] as const;
    this.addFacts(owner, -this.#release.run(...of, now).changes);
    const excess = overflowOf(this.#factsOf(owner), limit);
    return excess === 0 ? [] : (this.#weakest.all(...of, excess) as Candidate[]);
  }

  all(): AgentSummary[] {
    return this.#database
      .prepare(`SELECT name, created_at AS createdAt,
        facts + (SELECT coalesce(sum(u.facts), 0) FROM agent_users u WHERE u.agent = name) AS facts
        FROM agents WHERE name <> '' ORDER BY name`)
      .all() as AgentSummary[];
  }

  #factsOf(owner: Owner): number {
    const tally = this.#tallyOf(owner);
    const { agent, user } = owner;
    tally.stored ??= (
      user === null ? this.#facts.get(agent) : this.#factsWithUser.get(agent, user)
    ) as number;
    return tally.stored + tally.added;
  }

  #tallyOf({ agent, user }: Owner): Tally {
    const key = keyOf({ agent, user });
    const known = this.#tallies.get(key);
    if (known !== undefined) return known;
    const tally: Tally = { agent, user, stored: undefined, added: 0 };
    this.#tallies.set(key, tally);
    return tally;
  }
}

/** No id holds a NUL. */
const keyOf = ({ agent, user }: Owner): string => (user === null ? agent : `${agent}\0${user}`);
