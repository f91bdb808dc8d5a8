/** Reviews that a crash or a failing model left undone: noted when an answer is there, taken up by the next process. */
import { join } from 'node:path';
import type { SessionEvent } from '../agents/index.ts';
import type { Config } from '../config/index.ts';
import { type ConversationMessage, contentText, type MessageContent } from '../conversation/index.ts';
import type { Caller } from '../kernel/caller.ts';
import { type LearnReport, type ReviewNote, ReviewNotes } from '../learning/index.ts';
import type { Models } from '../ports/model-meter.ts';
import { endOfSession } from './end-of-session.ts';
import type { Engine } from './engine.ts';
import type { SessionKind } from './run-settings.ts';

type Place = Pick<Engine, 'paths' | 'clock'>;

const folderOf = ({ paths }: Place): string => join(paths.dataFolder, 'reviews');

export interface PendingReview {
  /** Before an end of a prompt is told: after an answer there is something to learn, after a failure there is not. */
  note(type: SessionEvent['type'], said: readonly ConversationMessage[]): Promise<void>;
  /** The session has ended, with or without a review. */
  done(report: LearnReport | undefined): Promise<void>;
}

/** None of it may disturb a session: without a note, a crash costs what the session taught, and nothing else. */
export function pendingReview(
  place: Place,
  about: { readonly session: string; readonly agent: string; readonly kind: SessionKind },
): PendingReview {
  const notes = new ReviewNotes(folderOf(place));
  let written: ReviewNote | undefined;
  const write = async (note: ReviewNote): Promise<void> => {
    written = note;
    await notes.write(note).catch(() => {});
  };
  const remove = async (): Promise<void> => {
    if (written === undefined) return;
    written = undefined;
    await notes.remove(about.session).catch(() => {});
  };
  return {
    note: async (type, said) => {
      if (type === 'session.failed' || type === 'session.aborted') return remove();
      if (type !== 'session.completed') return;
      // What the log does not keep cannot be read again.
      const messages = said.flatMap(({ id, seq }) => (seq === undefined ? [] : [id]));
      if (messages.length > 0) await write({ ...about, messages, at: place.clock.now(), attempts: 0 });
    },
    done: async (report) => {
      if (written === undefined || report?.problem === undefined) return remove();
      await write({ ...written, attempts: written.attempts + 1 });
    },
  };
}

interface TakeUp {
  readonly engine: Engine;
  readonly agent: string;
  readonly models: Models;
  readonly memory: Config['memory'];
  readonly caller: Caller;
  readonly speaker: string;
  told(): Promise<readonly string[]>;
}

/** Agents of each engine whose reviews were looked for; once is enough, for this process leaves none behind. */
const looked = new WeakMap<Engine, Set<string>>();

/** In the background; whoever closes the client waits for it. */
export function takeUpReviews(given: TakeUp): void {
  const { engine, agent } = given;
  const agents = looked.get(engine) ?? new Set();
  looked.set(engine, agents);
  if (agents.has(agent)) return;
  agents.add(agent);
  const work = takeUp(given).catch(() => {});
  const waiting = { end: () => work };
  engine.sessions.add(waiting);
  void work.then(() => engine.sessions.delete(waiting));
}

async function takeUp(given: TakeUp): Promise<void> {
  const { engine, agent } = given;
  const folder = folderOf(engine);
  const notes = new ReviewNotes(folder);
  if ((await notes.left(agent, engine.clock.now())).length === 0) return;
  // One process at a time; whoever comes second finds nothing left, or leaves it to the first.
  await engine.lock.hold(
    folder,
    async () => {
      for (const note of await notes.left(agent, engine.clock.now())) await review(note, notes, given);
    },
    { timeoutMs: 0 },
  );
}

async function review(note: ReviewNote, notes: ReviewNotes, given: TakeUp): Promise<void> {
  const { engine, caller, told, ...teaching } = given;
  const { session, kind, attempts } = note;
  // Counted before it begins: what ended the last process may end this one too.
  await notes.write({ ...note, attempts: attempts + 1 });
  const found = await Promise.all(note.messages.map((id) => engine.storage.log.get(id)));
  const said = found.flatMap((message): ConversationMessage[] =>
    message === null || message.deletedAt !== null
      ? []
      : [{ ...message, content: message.content as MessageContent }],
  );
  const prompt = said.findLast(({ role }) => role === 'User');
  const answer = said.at(-1);
  const isTask = kind !== 'chat' && prompt !== undefined && !(await isRemembered(session, given));
  const report = await endOfSession({
    ...teaching,
    engine,
    session,
    said,
    caller: { ...caller, session },
    told: await told(),
    outcome: 'completed',
    task: isTask ? { prompt: contentText(prompt.content), answer: contentText(answer!.content) } : undefined,
    isAutomatic: kind === 'automatic',
  });
  if (report?.problem === undefined) await notes.remove(session);
}

/** Whether what became of the task was kept before the process died. */
async function isRemembered(session: string, { engine, caller }: TakeUp): Promise<boolean> {
  const kept = await engine.records.list({ source: 'task_completion', limit: 50 }, caller);
  return kept.some(({ metadata }) => metadata.session === session);
}
