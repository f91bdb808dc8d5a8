/** Agents as the database knows them: their names, which must not collide, and how many facts each may keep. */
import type { Database } from 'better-sqlite3';
import { foldAgentName } from '../../kernel/names.ts';
import type { AgentSummary } from '../../ports/record-store.ts';
import { isKnownAgent } from '../../records/rules/agent-names.ts';
import { type Candidate, overflowOf } from '../../records/rules/decide-prune.ts';
import { WEAKEST_FIRST_COLUMNS } from '../common/record-columns.ts';
import type { Deferring } from './group-writer.ts';

/** What one transaction knows of an agent. */
interface Tally {
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
    this.#release = database.prepare(
      'UPDATE records SET counted = 0 WHERE agent = ? AND counted = 1 AND expires_at IS NOT NULL AND expires_at <= ?',
    );
    this.#weakest = database.prepare(
      `SELECT id, agent, category FROM records WHERE agent = ? AND counted = 1 AND pinned = 0
       ORDER BY ${WEAKEST_FIRST_COLUMNS} LIMIT +?`,
    );
  }

  /** Registers a name on its first write; refuses one that differs from an existing one only by case. */
  ensure(name: string, at: number): void {
    if (this.#ensured.has(name)) return;
    this.#register(name, at);
    this.#ensured.add(name);
  }

  /** All additions to one agent are one change of its row. */
  settle(): void {
    for (const [agent, { added }] of this.#tallies) if (added !== 0) this.#count.run(added, agent);
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

  addFacts(agent: string, difference: number): void {
    if (difference !== 0) this.#tallyOf(agent).added += difference;
  }

  /** The weakest facts, as many as are over the limit. Costs one lookup while there is room. */
  overflow(agent: string, limit: number, now: number): Candidate[] {
    if (overflowOf(this.#factsOf(agent), limit) === 0) return [];
    this.addFacts(agent, -this.#release.run(agent, now).changes);
    const excess = overflowOf(this.#factsOf(agent), limit);
    return excess === 0 ? [] : (this.#weakest.all(agent, excess) as Candidate[]);
  }

  all(): AgentSummary[] {
    return this.#database
      .prepare('SELECT name, created_at AS createdAt, facts FROM agents ORDER BY name')
      .all() as AgentSummary[];
  }

  #factsOf(agent: string): number {
    const tally = this.#tallyOf(agent);
    tally.stored ??= this.#facts.get(agent) as number;
    return tally.stored + tally.added;
  }

  #tallyOf(agent: string): Tally {
    const known = this.#tallies.get(agent);
    if (known !== undefined) return known;
    const tally: Tally = { stored: undefined, added: 0 };
    this.#tallies.set(agent, tally);
    return tally;
  }
}
