/** Checks of agents: every owner is known, no two names collide, and their counters are right. */
import type { Database } from 'better-sqlite3';
import { checkAgentName, foldAgentName } from '../../../kernel/names.ts';
import { type Check, counted, rowCheck, some } from './examine-check.ts';
import { MEND_COUNTERS } from './examine-records.ts';

const have = (count: number): string => counted(count, 'agent has', 'agents have');

const counters = rowCheck({
  check: 'agents.counters',
  fine: 'The counters of facts are right.',
  rows: `SELECT name FROM agents a WHERE facts <> (SELECT count(*) FROM records WHERE agent = name AND user_id = '' AND counted = 1)
    OR EXISTS (SELECT 1 FROM records r WHERE r.agent = a.name AND r.user_id <> '' AND NOT EXISTS
      (SELECT 1 FROM agent_users u WHERE u.agent = r.agent AND u.user_id = r.user_id))
    OR EXISTS (SELECT 1 FROM agent_users u WHERE u.agent = a.name AND u.facts <>
      (SELECT count(*) FROM records r WHERE r.agent = u.agent AND r.user_id = u.user_id AND counted = 1))`,
  message: (count) =>
    `${have(count)} a wrong number of facts, so memory.maxEntries prunes too early or too late`,
  hint: 'Run "keepsake doctor --fix" to count again.',
  mend: MEND_COUNTERS,
});

interface AgentRow {
  readonly name: string;
  readonly folded: string;
}

const allAgents = (database: Database): AgentRow[] =>
  database.prepare("SELECT name, folded FROM agents WHERE name <> '' ORDER BY name").all() as AgentRow[];

function unknownOwners(database: Database): { agent: string; first: number }[] {
  return database
    .prepare(
      `SELECT agent, min(created_at) AS first FROM records WHERE agent NOT IN (SELECT name FROM agents) GROUP BY agent`,
    )
    .all() as { agent: string; first: number }[];
}

/** Also used after a salvage. An owner whose name collides with another one stays unknown; `agents.names` tells. */
export function registerOwners(database: Database): void {
  const taken = new Set(allAgents(database).map((agent) => agent.folded));
  const insert = database.prepare('INSERT INTO agents (name, folded, created_at) VALUES (?, ?, ?)');
  for (const { agent, first } of unknownOwners(database)) {
    const folded = foldAgentName(agent);
    if (taken.has(folded)) continue;
    taken.add(folded);
    insert.run(agent, folded, first);
  }
  for (const sql of MEND_COUNTERS) database.prepare(sql).run();
}

const registered: Check = {
  check: 'agents.registered',
  fine: 'Every memory belongs to an agent that is known.',
  look(snapshot) {
    const names = unknownOwners(snapshot).map((owner) => owner.agent);
    if (names.length === 0) return undefined;
    return {
      message: `There are memories of ${counted(names.length, 'agent', 'agents')} that nobody registered (${some(names)}).`,
      hint: 'Run "keepsake doctor --fix" to register them.',
    };
  },
  mend: registerOwners,
};

/** Names that differ only by case, wherever they occur. */
function collisions(database: Database): string[] {
  const names = database
    .prepare('SELECT name FROM agents UNION SELECT agent FROM records UNION SELECT agent FROM messages')
    .pluck()
    .all() as string[];
  const groups = Map.groupBy(names, foldAgentName);
  return [...groups.values()].filter((group) => group.length > 1).map((group) => group.join(' / '));
}

function isInvalid(name: string): boolean {
  try {
    checkAgentName(name);
    return false;
  } catch {
    return true;
  }
}

const names: Check = {
  check: 'agents.names',
  fine: 'No two agents have names that differ only by upper and lower case.',
  look(snapshot) {
    const colliding = collisions(snapshot);
    if (colliding.length > 0) {
      return {
        message: `Agents have names that differ only by case and would share a folder (${some(colliding)}).`,
        hint: 'Export the memories of one of them and import them under another name.',
        fixable: false,
      };
    }
    const invalid = allAgents(snapshot).filter((agent) => isInvalid(agent.name));
    if (invalid.length > 0) {
      return {
        message: `${have(invalid.length)} a name that is not allowed (${some(invalid.map((agent) => JSON.stringify(agent.name)))}).`,
        hint: 'Export their memories and import them under another name.',
        fixable: false,
      };
    }
    const misfolded = allAgents(snapshot).filter((agent) => agent.folded !== foldAgentName(agent.name));
    if (misfolded.length === 0) return undefined;
    return {
      message: `${counted(misfolded.length, 'agent is', 'agents are')} filed under a wrong name, so collisions go unnoticed (${some(misfolded.map((agent) => agent.name))}).`,
      hint: 'Run "keepsake doctor --fix".',
    };
  },
  mend(database) {
    const update = database.prepare('UPDATE agents SET folded = ? WHERE name = ?');
    const wrong = allAgents(database).filter((agent) => agent.folded !== foldAgentName(agent.name));
    // First out of each other's way: the column is unique.
    for (const { name } of wrong) update.run(`\u0000${name}`, name);
    for (const { name } of wrong) update.run(foldAgentName(name), name);
  },
};

export const AGENT_CHECKS: readonly Check[] = [registered, names, counters];
