/** Recalls a few turns of earlier threads for a question: by their words, with thread and date, never of the active thread. */
import { analyze, queryTerms } from '../kernel/analysis.ts';
import type { Caller } from '../kernel/caller.ts';
import { passageOf } from '../kernel/passage.ts';
import { placeOfKey, threadKey, threadsOf } from '../kernel/threads.ts';
import type { LogMessage, LogStore, LogTextQuery } from '../ports/log-store.ts';
import { contentText, type MessageContent } from './messages/message.ts';

export interface EarlierTurn {
  readonly id: string;
  /** Who said it: User, or the name of the agent. */
  readonly role: string;
  readonly at: number;
  /** What was said; of a long message the part that answers best. */
  readonly text: string;
}

/** What was asked and what was answered, in a thread that is not the active one. */
export interface EarlierTurns {
  readonly agent: string;
  /** Null: the one conversation of the agent, or of the agent with its user. */
  readonly thread: string | null;
  /** The title of an imported chat. */
  readonly title: string | null;
  readonly at: number;
  /** How much of the question it covers, 0 to 1. */
  readonly relevance: number;
  readonly turns: readonly EarlierTurn[];
}

export interface EarlierQuery {
  readonly query: string;
  /** How many exchanges at most. */
  readonly limit: number;
}

/** Messages that are looked at more closely. */
const CANDIDATES = 24;
/** Characters of one message. */
const MOST_OF_A_TURN = 600;
/** An exchange answers when it has at least this share of what the question says… */
const LEAST_COVERED = 0.4;
/** …and at least this share of what the best one has, which may be the same question, asked before. */
const NEXT_TO_BEST = 0.5;
/** A word that no exchange has is often another word for one that they have, so it counts less than those. */
const UNHEARD = 0.5;
/** A question of more than two words that shares a single one with a text is hardly about the same. */
const leastWords = (terms: number): number => (terms > 2 ? 2 : 1);

const USER = 'User';
const TOOL = 'Tool';
/** Messages around one that was found, among which its question or answer is. */
const STEPS = 8;

const textOf = ({ content }: LogMessage): string => contentText(content as MessageContent);
const isSpoken = (message: LogMessage): boolean => message.role !== TOOL && textOf(message).trim() !== '';
const titleOf = ({ metadata }: LogMessage): string | null =>
  typeof metadata.title === 'string' ? metadata.title : null;

export async function earlierTurns(
  log: LogStore,
  { query, limit }: EarlierQuery,
  caller: Pick<Caller, 'viewer' | 'thread'>,
): Promise<readonly EarlierTurns[]> {
  const terms = queryTerms(query);
  if (limit === 0 || terms.length === 0) return [];
  const hits = (await candidates(log, terms, caller)).filter(isSpoken);
  const exchanges = await Promise.all(hits.map((hit) => exchangeOf(log, hit)));
  return best(distinct(exchanges), terms)
    .slice(0, limit)
    .map(({ messages, relevance }) => {
      const [first] = messages as [LogMessage];
      return {
        agent: first.agent,
        thread: placeOfKey(first.agent, first.thread)?.thread ?? null,
        title: messages.map(titleOf).find((title) => title !== null) ?? null,
        at: first.at,
        relevance,
        turns: messages.map((message) => ({
          ...{ id: message.id, role: message.role, at: message.at },
          text: passageOf(textOf(message), query, MOST_OF_A_TURN),
        })),
      };
    });
}

/** Whoever has neither an agent nor a user has no threads. */
async function candidates(
  log: LogStore,
  terms: readonly string[],
  { viewer: { agent, user }, thread }: Pick<Caller, 'viewer' | 'thread'>,
): Promise<readonly LogMessage[]> {
  const find = (where: Partial<LogTextQuery>) => log.search({ ...where, terms, limit: CANDIDATES });
  if (agent === undefined) return user === undefined ? [] : find({ prefix: threadsOf(user) });
  const place = { agent, user: user ?? null, thread: thread ?? null };
  const active = threadKey(place);
  const named = await find({ agent, prefix: threadsOf(place.user), except: active });
  // Without a user, the conversation without a name is stored under the name of the agent.
  const own = user === undefined && active !== agent ? await find({ agent, thread: agent }) : [];
  return [...named, ...own];
}

/** A question needs its answer, and an answer its question; what tools returned lies between them and stays out. */
async function exchangeOf(log: LogStore, hit: LogMessage): Promise<readonly LogMessage[]> {
  const { agent, thread, seq, role } = hit;
  if (role === USER) {
    const next = await log.read({ agent, thread, after: seq, limit: STEPS });
    const asked = next.findIndex((message) => message.role === USER);
    const answer = (asked < 0 ? next : next.slice(0, asked)).findLast(isSpoken);
    return answer === undefined ? [hit] : [hit, answer];
  }
  const previous = await log.read({ agent, thread, before: seq, newest: true, limit: STEPS });
  const question = previous.findLast((message) => message.role === USER);
  return question === undefined ? [hit] : [question, hit];
}

/** Both messages of an exchange may have been found, and a question that was asked often is shown once. */
function distinct(exchanges: readonly (readonly LogMessage[])[]): (readonly LogMessage[])[] {
  const seen = new Set<string>();
  return exchanges.filter((messages) => {
    const marks = [...messages.map(({ id }) => id), `text ${textOf(messages[0]!).trim().toLowerCase()}`];
    const isNew = marks.every((mark) => !seen.has(mark));
    for (const mark of marks) seen.add(mark);
    return isNew;
  });
}

interface Covered {
  readonly messages: readonly LogMessage[];
  readonly relevance: number;
}

/** Those that cover most of the question; a word that few of them have counts more than one that all have. */
function best(exchanges: readonly (readonly LogMessage[])[], terms: readonly string[]): readonly Covered[] {
  const words = exchanges.map(
    (messages) =>
      new Set(messages.flatMap((message) => analyze(`${titleOf(message) ?? ''}\n${textOf(message)}`))),
  );
  const rarity = terms.map((term) => {
    const holders = words.filter((each) => each.has(term)).length;
    return holders === 0 ? null : Math.log(1 + (exchanges.length + 1) / (holders + 1));
  });
  const heard = rarity.filter((weight) => weight !== null);
  const mean = heard.reduce((sum, weight) => sum + weight, 0) / Math.max(1, heard.length);
  const weights = rarity.map((weight) => weight ?? mean * UNHEARD);
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const covered = exchanges.flatMap((messages, i): Covered[] => {
    const held = terms.map((term) => words[i]!.has(term));
    const relevance = weights.reduce((sum, weight, at) => sum + (held[at] ? weight : 0), 0) / whole;
    const isEnough = held.filter(Boolean).length >= leastWords(terms.length);
    return isEnough && relevance >= LEAST_COVERED ? [{ messages, relevance }] : [];
  });
  // The order of the search decides among equals.
  const ordered = covered.toSorted((a, b) => b.relevance - a.relevance);
  return ordered.filter(({ relevance }) => relevance >= ordered[0]!.relevance * NEXT_TO_BEST);
}
