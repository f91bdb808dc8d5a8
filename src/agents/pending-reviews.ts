/** Reviews that a crash or a failing model left undone: noted after each answer, and taken up by the next process. */
import { join } from 'node:path';
import { type ConversationMessage, contentText, type MessageContent } from '../conversation/index.ts';
import type { Caller } from '../kernel/caller.ts';
import { type LearnReport, type ReviewNote, ReviewNotes } from '../learning/index.ts';
import type { Models } from '../ports/model-meter.ts';
import { endOfSession } from './end-of-session.ts';
import type { Instructions } from './instructions.ts';
import type { MemoryPolicy, RunServices, SessionKind } from './run-services.ts';
import type { SessionEvent } from './session-events.ts';

type Place = Pick<RunServices, 'paths' | 'clock'>;

const folderOf = ({ paths }: Place): string => join(paths.dataFolder, 'reviews');

/** The review of one session. None of it may disturb the session: without a note, a crash costs only what it taught. */
export class PendingReview {
  readonly #place: Place;
  readonly #about: { readonly session: string; readonly agent: string; readonly kind: SessionKind };
  readonly #notes: ReviewNotes;
  #written: ReviewNote | undefined;

  constructor(
    place: Place,
    about: { readonly session: string; readonly agent: string; readonly kind: SessionKind },
  ) {
    this.#place = place;
    this.#about = about;
    this.#notes = new ReviewNotes(folderOf(place));
  }

  /** Before the end of a prompt is reported: after an answer there is something to learn, after a failure there is not. */
  async note(type: SessionEvent['type'], said: readonly ConversationMessage[]): Promise<void> {
    if (type === 'session.failed' || type === 'session.aborted') return this.#remove();
    if (type !== 'session.completed') return;
    // What the log does not keep cannot be read again.
    const messages = said.flatMap(({ id, seq }) => (seq === undefined ? [] : [id]));
    if (messages.length === 0) return;
    await this.#write({ ...this.#about, messages, at: this.#place.clock.now(), attempts: 0 });
  }

  /** The session has ended, with or without a review. */
  async done(report: LearnReport | undefined): Promise<void> {
    if (this.#written === undefined || report?.problem === undefined) return this.#remove();
    await this.#write({ ...this.#written, attempts: this.#written.attempts + 1 });
  }

  async #write(note: ReviewNote): Promise<void> {
    this.#written = note;
    await this.#notes.write(note).catch(() => {});
  }

  async #remove(): Promise<void> {
    if (this.#written === undefined) return;
    this.#written = undefined;
    await this.#notes.remove(this.#about.session).catch(() => {});
  }
}

interface TakeUp {
  readonly services: RunServices;
  readonly agent: string;
  readonly models: Models;
  readonly memory: MemoryPolicy;
  readonly caller: Caller;
  readonly speaker: string;
  readonly instructions: Instructions;
}

/** Agents of each workspace whose reviews were looked for; once is enough, for this process leaves none behind. */
const looked = new WeakMap<RunServices, Set<string>>();

/** In the background; whoever closes the workspace waits for it. */
export function takeUpReviews(given: TakeUp): void {
  const { services, agent } = given;
  const agents = looked.get(services) ?? new Set();
  looked.set(services, agents);
  if (agents.has(agent)) return;
  agents.add(agent);
  const work = takeUp(given).catch(() => {});
  const waiting = { end: () => work };
  services.sessions.add(waiting);
  void work.then(() => services.sessions.delete(waiting));
}

async function takeUp(given: TakeUp): Promise<void> {
  const { services, agent } = given;
  const folder = folderOf(services);
  const notes = new ReviewNotes(folder);
  if ((await notes.left(agent, services.clock.now())).length === 0) return;
  // One process at a time; whoever comes second finds nothing left, or leaves it to the first.
  await services.lock.hold(
    folder,
    async () => {
      for (const note of await notes.left(agent, services.clock.now())) await review(note, notes, given);
    },
    { timeoutMs: 0 },
  );
}

async function review(note: ReviewNote, notes: ReviewNotes, given: TakeUp): Promise<void> {
  const { caller, instructions, ...teaching } = given;
  const { session, kind, attempts } = note;
  // Counted before it begins: what ended the last process may end this one too.
  await notes.write({ ...note, attempts: attempts + 1 });
  const found = await Promise.all(note.messages.map((id) => given.services.storage.log.get(id)));
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
    session,
    said,
    caller: { ...caller, session },
    told: await instructions.all(),
    outcome: 'completed',
    task: isTask ? { prompt: contentText(prompt.content), answer: contentText(answer!.content) } : undefined,
    isAutomatic: kind === 'automatic',
  });
  if (report?.problem === undefined) await notes.remove(session);
}

/** Whether what became of the task was kept before the process died. */
async function isRemembered(session: string, { services, caller }: TakeUp): Promise<boolean> {
  const kept = await services.records.list({ source: 'task_completion', limit: 50 }, caller);
  return kept.some(({ metadata }) => metadata.session === session);
}
