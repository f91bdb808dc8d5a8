/** The review at the end of a session: one call of a model, from which come proposed memories and a summary. */

import type { Caller } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { contextLengthOf } from '../kernel/context-length.ts';
import { defined } from '../kernel/defined.ts';
import { KeepsakeError, toKeepsakeError } from '../kernel/errors.ts';
import type { EventDraft, ExtractedOperation, ReviewStatus } from '../kernel/events.ts';
import type { MemoryRecord } from '../kernel/record.ts';
import type { Guard } from '../ports/guard.ts';
import type { ChatMessage, Generated, LanguageModel } from '../ports/language-model.ts';
import type { RecordService } from '../records/index.ts';
import { Applier } from './applying.ts';
import { Speakers } from './origin.ts';
import { parseAnswer } from './parse-answer.ts';
import {
  DEFAULT_LEARNING,
  type LearningPolicy,
  type LearnReport,
  type OperationReport,
  wrote,
} from './policy.ts';
import { REVIEW_SYSTEM, REVIEW_VERSION, reviewPrompt } from './prompts.ts';
import type { Proposal } from './proposal.ts';
import { earlierSummaries, isCovered, storeSummary, summaryText } from './session-summary.ts';
import { relatedMemories, showable } from './shown-memories.ts';
import { abortable, refuseAborted } from './stopping.ts';
import { clip, readSession, renderTranscript, type Session } from './transcript.ts';

export interface LearnInput {
  readonly session: string;
  /** Everything that was said, system messages included: what they say is not learned. */
  readonly messages: readonly ChatMessage[];
  /** Memories that the model may change. Default: those that the session brings to mind. */
  readonly existing?: readonly MemoryRecord[] | undefined;
  readonly model: LanguageModel;
  readonly policy?: Partial<LearningPolicy> | undefined;
  readonly records: RecordService;
  /** Acts for the agent whose session it was. */
  readonly caller: Caller;
  readonly clock: Clock;
  /** Stores an event and hands it to listeners. */
  readonly emit: (event: EventDraft) => Promise<void>;
  readonly signal?: AbortSignal | undefined;
  /** Asked in a dry run only, where nothing reaches the one that stands before every write. */
  readonly guard?: Guard | undefined;
  /** When an imported conversation took place: the model is told, and what it teaches counts as imported. */
  readonly importedFrom?: number | undefined;
  /** Started by a schedule: its summary takes the place of the one before. */
  readonly isAutomatic?: boolean | undefined;
}

const NOTHING: Omit<LearnReport, 'dryRun'> = {
  status: 'completed',
  proposed: 0,
  applied: 0,
  operations: [],
  rejected: [],
  summaryId: null,
  isTruncated: false,
};

/** Never throws: a session that cannot be reviewed was still a session. Running it twice stores nothing twice. */
export async function learn(input: LearnInput): Promise<LearnReport> {
  const policy = { ...DEFAULT_LEARNING, ...input.policy };
  const review = new Review(input, policy);
  try {
    return await review.run();
  } catch (error) {
    return review.failed(toKeepsakeError(error));
  }
}

class Review {
  readonly #input: LearnInput;
  readonly #policy: LearningPolicy;
  readonly #caller: Caller;
  #operations: OperationReport[] = [];
  #proposed = 0;
  #summaryId: string | null = null;
  #isTruncated = false;
  #usage: Generated['usage'];

  constructor(input: LearnInput, policy: LearningPolicy) {
    this.#input = input;
    this.#policy = policy;
    this.#caller = { ...input.caller, via: 'extractor', session: input.session };
  }

  async run(): Promise<LearnReport> {
    const { records, session: id, messages, isAutomatic = false } = this.#input;
    const session = readSession(messages);
    if (session.turns < this.#policy.minMessagesToExtract) {
      const reason = 'too few messages';
      await this.#tell({ status: 'skipped', reason });
      return { ...this.report(), status: 'skipped', skipped: reason };
    }
    const earlier = await earlierSummaries(records, { session: id, isAutomatic }, this.#caller);
    // Reported by the review that covered it.
    if (isCovered(earlier, id, session.turns)) {
      return { ...this.report(), status: 'skipped', skipped: 'already learned' };
    }
    const shown = await this.#shown(session);
    const proposal = await this.#ask(session, shown);
    await this.#apply(proposal, session, shown);
    const summary = this.#policy.storeSummary ? summaryText(proposal.lessons) : '';
    // Last of the writes: it says that the session was reviewed, so all the rest must be there.
    if (summary !== '' && !this.#policy.dryRun) await this.#summarize(summary, session, earlier);
    const { dryRun } = this.#policy;
    const shownSummary = dryRun && summary !== '' ? { summary: clip(summary, LONGEST_TOLD) } : {};
    await this.#tell({ status: 'completed', ...shownSummary });
    return this.report();
  }

  /** What was written before it failed stays; the same review can be made again. */
  async failed({ code, message, details }: KeepsakeError): Promise<LearnReport> {
    // Not the message, which may quote what was said. A store that cannot take the event may be what failed.
    await this.#tell({ status: 'failed', reason: String(details.reason ?? code) }).catch(() => {});
    return { ...this.report(), status: 'failed', problem: { code, message } };
  }

  report(): LearnReport {
    const operations = this.#operations;
    return {
      ...NOTHING,
      dryRun: this.#policy.dryRun,
      proposed: this.#proposed,
      applied: this.#policy.dryRun ? 0 : operations.filter(wrote).length,
      operations,
      rejected: operations.filter(({ outcome }) => outcome === 'rejected'),
      summaryId: this.#summaryId,
      isTruncated: this.#isTruncated,
      ...defined({ usage: this.#usage }),
    };
  }

  async #shown({ said }: Session): Promise<ReadonlyMap<string, MemoryRecord>> {
    const { existing, records } = this.#input;
    const memories = existing ?? (await relatedMemories(records, said, this.#caller));
    return showable(memories, this.#caller.viewer.agent);
  }

  async #ask({ said }: Session, shown: ReadonlyMap<string, MemoryRecord>): Promise<Proposal> {
    const { model } = this.#input;
    const transcript = renderTranscript(said, roomOf(model));
    const prompt = reviewPrompt(transcript, [...shown.values()], this.#input.importedFrom);
    const signal = AbortSignal.any([
      AbortSignal.timeout(this.#policy.timeLimit),
      ...(this.#input.signal === undefined ? [] : [this.#input.signal]),
    ]);
    const answer = await abortable(
      () =>
        model.generate({ system: REVIEW_SYSTEM, prompt, temperature: 0, maxTokens: ANSWER_TOKENS, signal }),
      signal,
    );
    const proposal = parseAnswer(answer.text);
    this.#usage = answer.usage;
    if (!proposal.isReadable) {
      throw new KeepsakeError('UNAVAILABLE', `The answer of ${model.id} is not a review of the session.`, {
        hint: 'It is asked again later. If this repeats, configure another model as models.light.',
        details: { reason: 'unreadable answer' },
      });
    }
    this.#isTruncated = proposal.isTruncated;
    this.#proposed = proposal.operations.length + proposal.malformed.length + proposal.beyondLimit;
    return proposal;
  }

  async #apply(
    proposal: Proposal,
    session: Session,
    shown: ReadonlyMap<string, MemoryRecord>,
  ): Promise<void> {
    const { records, session: id, clock, signal } = this.#input;
    const applier = new Applier({
      records,
      caller: this.#caller,
      session: id,
      now: clock.now(),
      policy: this.#policy,
      shown,
      speakers: new Speakers(session.said),
      system: session.system,
      metadata: this.#metadata,
      importedFrom: this.#input.importedFrom,
      guard: this.#input.guard,
    });
    for (const operation of proposal.operations) {
      refuseAborted(signal);
      this.#operations.push(await applier.apply(operation));
    }
    const { malformed, beyondLimit } = proposal;
    this.#operations.push(...malformed.map((reason) => unread(`malformed: ${reason}`)));
    this.#operations.push(
      ...Array.from({ length: beyondLimit }, () => unread('beyond the limit of one session')),
    );
  }

  get #metadata() {
    const { session, model } = this.#input;
    return { session, model: model.id, review: REVIEW_VERSION };
  }

  async #summarize(content: string, { turns }: Session, earlier: readonly MemoryRecord[]): Promise<void> {
    const { records, session, clock, isAutomatic = false } = this.#input;
    const parts = {
      ...{ records, session, isAutomatic, turns, earlier },
      ...{ caller: this.#caller, now: clock.now(), metadata: this.#metadata },
    };
    try {
      this.#summaryId = await storeSummary(content, parts);
    } catch (error) {
      // Refused by the guard, forgotten by its owner, or stored by another process: none undoes what was learned.
      const isExpected = KeepsakeError.is(error) && ['BLOCKED', 'FORGOTTEN', 'CONFLICT'].includes(error.code);
      if (!isExpected) throw error;
    }
  }

  async #tell(became: {
    readonly status: ReviewStatus;
    readonly reason?: string;
    readonly summary?: string;
  }): Promise<void> {
    const { dryRun } = this.#policy;
    const { agent, user } = this.#caller.viewer;
    const { proposed, applied, operations } = this.report();
    await this.#input.emit({
      type: 'memory.extracted',
      at: this.#input.clock.now(),
      via: 'extractor',
      session: this.#input.session,
      ...defined({ agent, user }),
      ...became,
      opsProposed: proposed,
      opsApplied: applied,
      dryRun,
      ops: operations.slice(0, MOST_TOLD).map((operation) => told(operation, dryRun)),
    });
  }
}

const ANSWER_TOKENS = 4_000;
const MOST_TOLD = 100;
const LONGEST_TOLD = 2_000;
/** More of a session than this no light model reads with attention. */
const MOST_READ = 120_000;

/** Half of the model's window, at three characters a token: estimates err, and the instructions need room too. */
export function roomOf({ id }: LanguageModel): number {
  return Math.min(MOST_READ, contextLengthOf(id).tokens * 0.5 * 3);
}

function unread(reason: string): OperationReport {
  return {
    op: 'unknown',
    id: null,
    outcome: 'rejected',
    reason,
    confidence: null,
    category: null,
    content: null,
  };
}

/** Content only in a dry run, where the event is all there is; a secret not even there. */
function told(report: OperationReport, dryRun: boolean): ExtractedOperation {
  const { op, id, outcome, reason, confidence, category, content } = report;
  return {
    op,
    id,
    outcome,
    confidence,
    ...defined({ reason }),
    ...(dryRun && category !== null ? { category } : {}),
    ...(dryRun && content !== null && reason !== 'secret' ? { content: clip(content, LONGEST_TOLD) } : {}),
  };
}
