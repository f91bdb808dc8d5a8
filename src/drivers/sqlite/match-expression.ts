/** Expressions for the text index (FTS5). Every word is quoted, so that none is ever syntax. */
import { createHash } from 'node:crypto';
import { isShared, type Owned, type Viewer } from '../../kernel/scope.ts';
import type { RecordFilter } from '../../ports/record-store.ts';
import { partitionOf, partitionsFor, userPartition } from '../common/partitions.ts';

/** A process writes for the same agents and users again and again. */
const tokens = new Map<string, string>();
const MAX_TOKENS = 10_000;

/** Marks shared records. No agent has an empty name, and no text has a word like this, so it does not disturb word counts. */
export const SHARED_TOKEN = siloToken('');

/** Marks the records of an agent or a user. Names themselves would be split into words. */
export function siloToken(silo: string): string {
  let token = tokens.get(silo);
  if (token === undefined) {
    token = `a${createHash('sha256').update(silo).digest('hex').slice(0, 16)}`;
    if (tokens.size >= MAX_TOKENS) tokens.clear();
    tokens.set(silo, token);
  }
  return token;
}

/** A NUL would end the expression for SQLite, in the middle of the quotes. */
const quoted = (term: string): string => `"${term.replaceAll('"', '""').replaceAll('\0', ' ')}"`;

/** Any of the terms; each is quoted, so that none is ever syntax. */
export function anyTerm(terms: readonly string[]): string {
  return `(${terms.map(quoted).join(' OR ')})`;
}

/** The owners that a filter asks for. */
type Owners = Pick<RecordFilter, 'agent' | 'user'>;

/** A query that can only match rows of silos that the viewer may see. */
export function matchExpression(terms: readonly string[], viewer: Viewer, owners: Owners = {}): string {
  return `{body labels} : ${anyTerm(terms)}${inSilos(viewer, owners)}`;
}

/** All of the words, in the category or the tags. */
export function labelExpression(words: readonly string[], viewer: Viewer, owners: Owners = {}): string {
  return `labels : (${words.map(quoted).join(' AND ')})${inSilos(viewer, owners)}`;
}

/** No name of an agent begins with this. */
const ABOUT_USERS = '#';

/** What marks a record: the token of its partition, and that of its agent where this is another one. */
export function ownerTokens(record: Pick<Owned, 'agent' | 'user' | 'scope'>): string[] {
  if (record.user !== null)
    return [siloToken(partitionOf(record)), siloToken(`${ABOUT_USERS}${record.agent}`)];
  const own = siloToken(record.agent);
  return isShared(record) ? [own, SHARED_TOKEN] : [own];
}

/** Rows of the text index that a viewer may see. */
export interface CountedRows {
  readonly expression: string;
  /** Only those of records with the scope "swarm", which no token tells. */
  readonly isSharedOnly: boolean;
}

/** What a viewer may see, in parts that have no row in common: all of it, or what holds a term. Undefined: every row. */
export function countedRows(viewer: Viewer, term?: string): CountedRows[] | undefined {
  if (partitionsFor(viewer, {}) === undefined) return undefined;
  const holding = term === undefined ? '' : `{body labels} : ${quoted(term)} AND `;
  const rows = (silos: string, isSharedOnly = false): CountedRows => ({
    expression: `${holding}silo : (${silos})`,
    isSharedOnly,
  });
  const token = (silo: string): string => quoted(siloToken(silo));
  const { agent, user } = viewer;
  const general = agent === undefined ? quoted(SHARED_TOKEN) : `${token(agent)} OR ${quoted(SHARED_TOKEN)}`;
  if (user === undefined) return [rows(general)];
  const about = token(userPartition(user));
  if (agent === undefined) return [rows(general), rows(about)];
  const own = token(`${ABOUT_USERS}${agent}`);
  return [rows(general), rows(`${about} AND ${own}`), rows(`${about} NOT ${own}`, true)];
}

/** Records of one agent or user are limited further by the condition on the table, which every search joins. */
function inSilos(viewer: Viewer, { agent, user }: Owners): string {
  const among = (silos: readonly string[]): string =>
    ` AND silo : (${silos.map((silo) => quoted(siloToken(silo))).join(' OR ')})`;
  const ofAgent = agent === undefined ? '' : among([agent, `${ABOUT_USERS}${agent}`]);
  const visible = partitionsFor(viewer, user === undefined ? {} : { user });
  // Nothing is marked by this.
  return `${visible === undefined ? '' : among(visible.length === 0 ? [ABOUT_USERS] : visible)}${ofAgent}`;
}
