/** Checks that learning works: the language model can be opened, and the last review did not fail. */
import { openLanguageModel, readEnvironment } from '../config/index.ts';
import { toKeepsakeError } from '../kernel/errors.ts';
import type { Finding } from '../ports/maintenance.ts';
import { LearningProblem } from './learning-problem.ts';
import type { LocatedWorkspace } from './target.ts';

async function examineModel({ config }: LocatedWorkspace): Promise<Finding> {
  const check = 'learning.model';
  const { main } = config.models;
  if (main === 'none') {
    const message =
      'No language model is configured: from sessions, only what the user explicitly asks to keep is learned.';
    const hint = 'Set models.main, for example with "keepsake config set models.main openai/gpt-5-mini".';
    return { check, severity: 'ok', message, hint };
  }
  try {
    await openLanguageModel(main, { models: config.models, env: readEnvironment() });
    return { check, severity: 'ok', message: `Sessions are learned from with ${main}.` };
  } catch (error) {
    const { message, hint = '' } = toKeepsakeError(error);
    return { check, severity: 'notice', message: `Sessions are not reviewed: ${message}`, hint };
  }
}

export async function examineLearning(located: LocatedWorkspace): Promise<Finding[]> {
  const last = new LearningProblem(located.paths.dataFolder).read();
  const when = last === undefined ? '' : new Date(last.at).toISOString().slice(0, 16).replace('T', ' ');
  return [
    await examineModel(located),
    ...(last === undefined
      ? []
      : [
          {
            check: 'learning.review',
            severity: 'notice' as const,
            message: `The last review of a session failed, at ${when}: ${last.message}`,
            hint: 'What the user explicitly asked to keep was stored anyway.',
          },
        ]),
  ];
}
