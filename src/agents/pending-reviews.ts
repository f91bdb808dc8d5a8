/** Reviews that a crash or a model failure prevented: recorded after each answer, repeated by the next process. */
import { join } from 'node:path';
import { type ConversationMessage, contentText, type MessageContent } from '../conversation/index.ts';
import type { Caller } from '../kernel/caller.ts';
import { defined } from '../kernel/defined.ts';
import { type LearnReport, MOST_ATTEMPTS, type ReviewNote, ReviewNotes } from '../learning/index.ts';
import type { Models } from '../ports/model-meter.ts';
import { endOfSession } from './end-of-session.ts';
import type { Instructions } from './instructions.ts';
import type { MemoryPolicy, RunServices } from './run-services.ts';
import type { SessionEvent } from './session-events.ts';

type Place = Pick<RunServices, 'paths' | 'clock'>;

const folderOf = ({ paths }: Place): string => join(paths.dataFolder, 'reviews');

/** The review of one session. None of it may disturb the session: without a note, a crash costs only what it taught. */
export class PendingReview {
  readonly #place: Place;
  readonly #about: Pick<ReviewNote, 'session' | 'agent' | 'user' | 'kind'>;
  readonly #notes: ReviewNotes;
  #written: ReviewNote | undefined;

  constructor(place: Place, about: Pick<ReviewNote, 'session' | 'agent' | 'user' | 'kind'>) {
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

  /** The session was reviewed, or there was nothing to review. Resolves to how often that was tried, if it has to be tried again. */
  async done(report: LearnReport | undefined): Promise<number | undefined> {
    if (this.#written === undefined || report?.status !== 'failed') {
      await this.#remove();
      return undefined;
    }
    const attempts = this.#written.attempts + 1;
    await this.#write({ ...this.#written, attempts });
    return attempts;
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

/** Agents of each workspace whose reviews were looked for; once is enough, for what this process leaves it tries again itself. */
const looked = new WeakMap<RunServices, Set<string>>();

/** In the background; whoever closes the workspace waits for it. */
export function takeUpReviews(given: TakeUp): void {
  const { services, agent } = given;
  const agents = looked.get(services) ?? new Set();
  looked.set(services, agents);
  if (agents.has(agent)) return;
  agents.add(agent);
  inBackground(services, takeUp(given));
}

/** Pauses after the first and the second attempt, in a process that continues: a server may be unavailable for a while. */
const PAUSES_MS = [60_000, 30 * 60_000];

/** Tries a review that failed again after a while; a process that ends before leaves it to the next one. */
export function retryReview(given: TakeUp, session: string, attempts: number): void {
  const { services } = given;
  const pause = PAUSES_MS[attempts - 1];
  if (pause === undefined || attempts >= MOST_ATTEMPTS) return;
  const timer = setTimeout(() => {
    services.sessions.delete(waiting);
    inBackground(services, takeUp(given, session));
  }, pause);
  // Nobody waits for it: the note is on disk.
  timer.unref();
  const waiting = { end: async () => clearTimeout(timer) };
  services.sessions.add(waiting);
}

function inBackground({ sessions }: RunServices, work: Promise<void>): void {
  const waiting = { end: () => work };
  sessions.add(waiting);
  void work.catch(() => {}).then(() => sessions.delete(waiting));
}

/** `own`: a session of this process, whose review failed. */
async function takeUp(given: TakeUp, own?: string): Promise<void> {
  const { services, agent } = given;
  const folder = folderOf(services);
  const notes = new ReviewNotes(folder);
  const left = () => notes.left(agent, services.clock.now(), new Set(own === undefined ? [] : [own]));
  if ((await left()).length === 0) return;
  // One process at a time; whoever comes second finds nothing left, or leaves it to the first.
  await services.lock.hold(
    folder,
    async () => {
      for (const note of await left()) await review(note, notes, given);
    },
    { timeoutMs: 0 },
  );
}

async function review(note: ReviewNote, notes: ReviewNotes, given: TakeUp): Promise<void> {
  const { instructions, caller: taker, ...teaching } = given;
  const { session, kind, attempts, user } = note;
  // Whoever takes it up: what was said with one user is learned about that user.
  const { user: _, ...viewer } = taker.viewer;
  const caller = { ...taker, viewer: { ...viewer, ...defined({ user }) } };
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
  const isTask =
    kind !== 'chat' && prompt !== undefined && !(await isRemembered(session, { ...given, caller }));
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
  if (report?.status === 'failed') retryReview(given, session, attempts + 1);
  else await notes.remove(session);
}

/** Whether what became of the task was kept before the process died. */
async function isRemembered(session: string, { services, caller }: TakeUp): Promise<boolean> {
  const kept = await services.records.list({ source: 'task_completion', limit: 50 }, caller);
  return kept.some(({ metadata }) => metadata.session === session);
}
