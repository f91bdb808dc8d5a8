/** Questions to the text index, in its own language; every word is quoted, so that none is ever syntax. */
import { createHash } from 'node:crypto';
import type { Viewer } from '../../kernel/scope.ts';

/** A process writes for few agents, again and again. */
const tokens = new Map<string, string>();
const MAX_TOKENS = 10_000;

/** No agent has an empty name, and no text has a word like this one, so that counting words is not disturbed. */
export const SHARED_TOKEN = siloToken('');

/** A word for an agent that the index can match exactly; names themselves would be split. */
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

function inSilos(viewer: Viewer, onlyAgent: string | undefined): string {
  if (onlyAgent !== undefined) return ` AND silo : ${quoted(siloToken(onlyAgent))}`;
  if (viewer.role === 'admin') return '';
  const silos = viewer.agent === undefined ? [SHARED_TOKEN] : [siloToken(viewer.agent), SHARED_TOKEN];
  return ` AND silo : ${anyTerm(silos)}`;
}
