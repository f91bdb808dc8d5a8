/** Checks texts of sections with the guard; refused ones go to the quarantine and emit an event. */
import { type Consent, Gate, type GateParts } from '../guard/index.ts';
import type { Caller } from '../kernel/caller.ts';
import type { GuardSubject, Verdict } from '../ports/guard.ts';
import type { GuardedVerb } from '../ports/quarantine-store.ts';

/** Stands where a record has its category. */
const CATEGORY = 'section';

export type SectionGuardParts = GateParts;

/** A write as it was asked for, and how it ends when the guard refuses it. */
export interface SectionWrite {
  readonly verb: Extract<GuardedVerb, `sections.${string}`>;
  readonly name: string;
  readonly content: string;
  readonly caller: Caller;
  readonly consent: Consent | undefined;
}

export class SectionGuard {
  readonly #parts: SectionGuardParts;
  readonly #gate: Gate;

  constructor(parts: SectionGuardParts) {
    this.#parts = parts;
    this.#gate = new Gate(parts);
  }

  /** Answers with what may be stored, or throws BLOCKED. The name is judged too: it enters the prompt. */
  async check(write: SectionWrite): Promise<string> {
    const subject = subjectOf(write, write.content);
    const passed = await this.#gate.pass({ ...asked(write), subject }, write.caller, write.consent);
    return passed.content;
  }

  /** Harmless parts may add up to something else. What was there before is not held against the newcomer. */
  async checkSum(write: SectionWrite, before: string, after: string): Promise<void> {
    if (before === '' || write.consent !== undefined) return;
    const { guard } = this.#parts;
    const inspect = async (given: GuardSubject): Promise<Verdict> =>
      guard.inspectInTurns === undefined ? guard.inspect(given) : guard.inspectInTurns(given);
    const subject = subjectOf(write, after);
    const verdict = await inspect(subject);
    if (verdict.allowed || !(await inspect(subjectOf(write, before))).allowed) return;
    const { content } = write;
    throw await this.#gate.refuse(
      { allowed: false, reasons: verdict.reasons },
      { ...asked(write), subject: { ...subject, content } },
      write.caller,
    );
  }
}

function subjectOf({ name, caller }: SectionWrite, content: string): GuardSubject {
  // A person at the command line writes for himself; all other surfaces carry what an agent wrote.
  const origin = caller.via === 'cli' ? 'user' : 'agent';
  return { content, category: CATEGORY, tags: [name], origin };
}

function asked({ verb, name, content, caller }: SectionWrite) {
  return { verb, agent: caller.viewer.agent, input: { section: name, content } };
}
