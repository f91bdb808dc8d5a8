/** The fixed sequence again and again, each time on a fresh copy of a database and with another call that fails. */
import { FailingCalls, type Fault } from '../failing-calls.ts';
import { damageOf } from '../intact.ts';
import { report } from '../report.ts';
import { stepsIn } from '../steps.ts';
import { copyDatabase, databaseOf, inFolder, withDatabase } from '../workspace.ts';
import { type SequenceMessage, sequence } from './sequence.ts';

export interface FailingSequencesOptions {
  readonly template: string;
  readonly faults: readonly Fault[];
}

export interface FailedSequence {
  readonly fault: Fault;
  readonly injected: number;
  readonly messages: readonly SequenceMessage[];
  /** The steps that the database knows of afterwards. */
  readonly happened: readonly string[];
  readonly damage: readonly string[];
}

export async function run({ template, faults }: FailingSequencesOptions): Promise<void> {
  const failing = FailingCalls.ofThisProcess();
  for (const fault of faults) {
    await inFolder(async (folder) => {
      const file = databaseOf(folder);
      copyDatabase(template, file);
      const messages: SequenceMessage[] = [];
      failing.arm(file, fault);
      await sequence({ file, write: true }, (message) => void messages.push(message));
      failing.disarm();
      const { injected } = failing;
      const found = withDatabase(file, (database) => ({
        happened: [...stepsIn(database)],
        damage: [...damageOf(database)],
      }));
      report({ fault, injected, messages, ...found } satisfies FailedSequence);
    });
  }
}
