/** The origin of a proposed statement. What the model claims about it can lower trust but never raise it. */
import type { Origin } from '../kernel/record.ts';
import type { ProposedOperation } from './proposal.ts';
import { coveredBy, wordsOf } from './similarity.ts';
import type { Said, Speaker } from './transcript.ts';

type SessionOrigin = Extract<Origin, 'user' | 'agent' | 'tool'>;

/** From the best source to the worst. */
const ORDER: readonly SessionOrigin[] = ['user', 'agent', 'tool'];

/** Who the model says said it. */
export function claimedOrigin({ from }: Pick<ProposedOperation, 'from'>): SessionOrigin {
  return from === 'tool' ? 'tool' : from === 'assistant' ? 'agent' : 'user';
}

/** What a speaker must have said of a statement to be its source. */
const LEAST_COVERED = 0.5;

export class Speakers {
  readonly #words: Readonly<Record<Speaker, ReadonlySet<string>>>;

  constructor(said: readonly Said[]) {
    const of = (speaker: Speaker) =>
      wordsOf(said.filter((turn) => turn.speaker === speaker).map(({ text }) => text));
    this.#words = { user: of('user'), assistant: of('assistant'), tool: of('tool') };
  }

  /** Whether the user's own words hold most of a statement. */
  isSaidByUser(statement: string): boolean {
    return this.#covers(statement, 'user') >= LEAST_COVERED;
  }

  originOf({ content, from }: Pick<ProposedOperation, 'content' | 'from'>): SessionOrigin {
    const heard = this.#heard(content ?? '');
    const claimed = claimedOrigin({ from });
    return ORDER.indexOf(claimed) > ORDER.indexOf(heard) ? claimed : heard;
  }

  #heard(statement: string): SessionOrigin {
    const user = this.#covers(statement, 'user');
    const tool = this.#covers(statement, 'tool');
    // What a tool showed word for word and the user only touched on is the tool's.
    if (user >= LEAST_COVERED && user >= tool) return 'user';
    if (tool >= LEAST_COVERED && tool > user) return 'tool';
    return 'agent';
  }

  #covers(statement: string, speaker: Speaker): number {
    return coveredBy(statement, this.#words[speaker]);
  }
}
