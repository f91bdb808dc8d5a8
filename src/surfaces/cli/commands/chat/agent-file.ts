/** Creates agents/<name>.md for an agent that has memory but no file, after asking. */
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { agentsCreate } from '../../../../administration/agent-definitions.ts';
import { KeepsakeError } from '../../../../kernel/errors.ts';
import type { Context } from '../../context.ts';
import { oneLine } from '../../terminal/printable.ts';
import { findAgent, openClient } from '../run/open-agent.ts';

export interface FileChoice {
  /** Create it without asking. */
  readonly create: boolean;
  readonly isTerminal: boolean;
}

/** Throws the error of the missing file when nobody wants one. */
export async function ensureAgentFile(
  name: string,
  { create, isTerminal }: FileChoice,
  context: Context,
): Promise<void> {
  const missing = await findAgent(name, context).then(
    () => undefined,
    (error: unknown) => {
      if (KeepsakeError.is(error) && error.code === 'NOT_FOUND' && error.details.name === name) return error;
      throw error;
    },
  );
  if (missing === undefined) return;
  if (!create) {
    if (!(await hasMemory(name, context))) throw missing;
    if (!isTerminal) throw withOffer(missing, name);
    if (!(await agrees(`${oneLine(name)} has memory, but no file agents/${oneLine(name)}.md. Create it?`))) {
      throw missing;
    }
  }
  const { file } = await agentsCreate({ workspace: context.workspace, name });
  context.output.note(`created ${file}; its text is what the agent is told`);
}

/** Whether the agent said or remembers something, or has a folder of its own. */
async function hasMemory(name: string, context: Context): Promise<boolean> {
  if ((await context.missingWorkspace()) !== undefined) return false;
  const client = await openClient(context);
  try {
    const { storage, paths } = await client.open();
    const [remembering, speaking] = await Promise.all([storage.records.agents(), storage.log.threads()]);
    return (
      remembering.some((agent) => agent.name === name) ||
      speaking.some(({ agent }) => agent === name) ||
      [paths.memoryFile(name), paths.sectionsFile(name)].some(existsSync)
    );
  } finally {
    await client.close();
  }
}

function withOffer(missing: KeepsakeError, name: string): KeepsakeError {
  const { code, message, details } = missing;
  const hint = `${name} has memory, but no file. "keepsake chat ${name} --create" creates one.`;
  return new KeepsakeError(code, message, { hint, details });
}

async function agrees(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await lines.question(`${question} [Y/n] `);
    return /^(y|yes)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
