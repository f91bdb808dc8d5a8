/** Expressions for the text index (FTS5). Every word is quoted, so that none is ever syntax. */
import { createHash } from 'node:crypto';
import { isShared, type Owned, type OwnerField, type Viewer, visibleTo } from '../../kernel/scope.ts';

/** A process writes for few agents, again and again. */
const tokens = new Map<string, string>();
const MAX_TOKENS = 10_000;

/** Marks shared records. No agent has an empty name, and no text has a word like this, so it does not disturb word counts. */
export const SHARED_TOKEN = siloToken('');

/** Marks the records of an agent. Names themselves would be split into words. */
export function siloToken(agent: string): string {
  let token = tokens.get(agent);
  if (token === undefined) {
    token = `a${createHash('sha256').update(agent).digest('hex').slice(0, 16)}`;
    if (tokens.size >= MAX_TOKENS) tokens.clear();
    tokens.set(agent, token);
  }
  return token;
}

/** A NUL would end the expression for SQLite, in the middle of the quotes. */
const quoted = (term: string): string => `"${term.replaceAll('"', '""').replaceAll('\0', ' ')}"`;

/** Any of the terms; each is quoted, so that none is ever syntax. */
export function anyTerm(terms: readonly string[]): string {
  return `(${terms.map(quoted).join(' OR ')})`;
}

/** A query that can only match rows of silos that the viewer may see. */
export function matchExpression(terms: readonly string[], viewer: Viewer, onlyAgent?: string): string {
  return `{body labels} : ${anyTerm(terms)}${inSilos(viewer, onlyAgent)}`;
}

/** All of the words, in the category or the tags. */
export function labelExpression(words: readonly string[], viewer: Viewer, onlyAgent?: string): string {
  return `labels : (${words.map(quoted).join(' AND ')})${inSilos(viewer, onlyAgent)}`;
}

/** The token that marks records of which a field has this value. */
const TOKENS: Readonly<Record<OwnerField, (value: string) => string>> = {
  agent: siloToken,
  // Only shared records are marked by their scope.
  scope: () => SHARED_TOKEN,
};

/** What marks a record: the token of its owner, and that of everybody if it is shared. */
export function ownerTokens(record: Pick<Owned, 'agent' | 'scope'>): string[] {
  const own = siloToken(record.agent);
  return isShared(record) ? [own, SHARED_TOKEN] : [own];
}

/** All rows of silos that the viewer may see; undefined: every row. */
export function ownSilos(viewer: Viewer): string | undefined {
  const condition = inSilos(viewer, undefined);
  return condition === '' ? undefined : condition.replace(/^ AND /, '');
}

/** Records of one agent are limited further by the condition on the table, which every search joins. */
function inSilos(viewer: Viewer, onlyAgent: string | undefined): string {
  if (onlyAgent !== undefined) return ` AND silo : ${quoted(siloToken(onlyAgent))}`;
  const alternatives = visibleTo(viewer).map((conditions) =>
    conditions.map(({ field, is }) => quoted(TOKENS[field](is))).join(' AND '),
  );
  return alternatives.includes('') ? '' : ` AND silo : (${alternatives.join(' OR ')})`;
}
