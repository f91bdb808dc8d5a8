/** Asks which documents are meant before they are erased from memory. */
import { KeepsakeError } from '../../../../kernel/errors.ts';
import { callVerb } from '../../../../kernel/verb.ts';
import { verbs } from '../../../../verbs.ts';
import { oneLine } from '../../terminal/printable.ts';
import { counted } from '../../terminal/sizes.ts';
import type { Answer, VerbCall } from '../presentation.ts';

/** One path may be known to many agents; who names none of them may not know of the others. */
async function concerned({ engine, input, caller, options }: VerbCall) {
  const path = String(input.path);
  const all = await engine.knowledge.removable({ path }, caller);
  if (all.length < 2 || options.allAgents === true) return all;
  const names = all.map(({ agent }) => oneLine(agent)).join(', ');
  throw new KeepsakeError('INVALID_INPUT', `${oneLine(path)} is known to ${all.length} agents: ${names}.`, {
    hint: 'Name one with --agent, or erase it for all of them with --all-agents.',
  });
}

export async function askBeforeRemoving(call: VerbCall): Promise<string> {
  const each = (await concerned(call)).map(
    ({ agent, files, removed }) =>
      `${counted(removed, 'chunk')} of ${counted(files, 'file')} of ${oneLine(agent)}`,
  );
  return `Erase what is known of ${oneLine(String(call.input.path))}: ${each.join('; ')}? The files themselves stay.`;
}

export async function removing(call: VerbCall): Promise<Answer<'knowledgeRemove'>> {
  await concerned(call);
  return callVerb(verbs.knowledgeRemove, call.engine, { path: String(call.input.path) }, call.caller);
}
