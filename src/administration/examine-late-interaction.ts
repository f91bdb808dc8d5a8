/** Tries the model for late interaction, and tells how many memories it has not read yet. */
import { openTokenModel, readEnvironment } from '../config/index.ts';
import { toKeepsakeError } from '../kernel/errors.ts';
import type { Finding } from '../ports/maintenance.ts';
import type { TokenModel } from '../ports/token-model.ts';
import type { TokenBacklog } from '../ports/token-store.ts';
import type { LocatedWorkspace } from './target.ts';

async function tryModel({ config, root }: LocatedWorkspace): Promise<Finding> {
  const check = 'lateInteraction.model';
  const name = config.models.lateInteraction;
  let model: TokenModel | undefined;
  try {
    model = await openTokenModel({ models: config.models, env: readEnvironment(), root });
    await model?.encode([{ text: 'Does it work?', before: [], after: undefined }]);
    return { check, severity: 'ok', message: `The model ${name} for late interaction works.` };
  } catch (error) {
    const { message, hint } = toKeepsakeError(error);
    return {
      check,
      severity: 'notice',
      message: `Late interaction with ${name} is off: search orders hits without it. ${message}`,
      hint: hint ?? 'Set models.lateInteraction to "none", or pull the model again.',
    };
  } finally {
    await model?.close?.();
  }
}

function describeBacklog({ waiting, encoded, space }: TokenBacklog): Finding {
  const check = 'lateInteraction.backlog';
  if (space !== null && waiting === 0)
    return { check, severity: 'ok', message: `All ${encoded} memories have token vectors.` };
  const some = waiting === 1 ? '1 memory waits for its' : `${waiting} memories wait for their`;
  const missing = space === null ? 'No memory has' : some;
  return {
    check,
    severity: 'notice',
    message: `${missing} token vectors; until then their order goes without late interaction.`,
    hint: 'Run "keepsake models embed".',
  };
}

function describeUnused(encoded: number): Finding {
  return {
    check: 'lateInteraction.unused',
    severity: 'notice',
    message: `${encoded} memories have token vectors, but models.lateInteraction is "none".`,
    hint: 'Run "keepsake models use none --for late-interaction" to remove them.',
  };
}

export async function examineLateInteraction(
  located: LocatedWorkspace,
  /** Unknown for an engine without them, and when the database could not be examined. */
  tokens: TokenBacklog | undefined,
): Promise<Finding[]> {
  if (located.config.models.lateInteraction === 'none')
    return (tokens?.encoded ?? 0) > 0 ? [describeUnused(tokens!.encoded)] : [];
  const { driver } = located.config.storage.records;
  if (driver !== 'sqlite') {
    return [
      {
        check: 'lateInteraction.engine',
        severity: 'notice',
        message: `Late interaction needs SQLite, but memories are stored in ${driver}: search orders hits without it.`,
        hint: 'Set models.lateInteraction to "none".',
      },
    ];
  }
  return [await tryModel(located), ...(tokens === undefined ? [] : [describeBacklog(tokens)])];
}
