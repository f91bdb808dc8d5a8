/** An error in an agent file, with its position and a suggested correction. */
import type { ConfigProblem } from '../../config/index.ts';
import { KeepsakeError } from '../../kernel/errors.ts';

export type AgentProblem = ConfigProblem;

/** `agents/x.md:3:1 histroy: unknown key; did you mean "history"?`, with as much of it as is known. */
export function problemText({ file, line, column, path, message }: AgentProblem, shown = file): string {
  const place = line === undefined ? `${shown}` : `${shown}:${line}:${column}`;
  return `${place}${path === '' ? '' : ` ${path}`}: ${message}`;
}

export function agentError(name: string, problems: readonly AgentProblem[], cause?: unknown): KeepsakeError {
  const heading = problems.length === 1 ? [] : [`The agent "${name}" has ${problems.length} problems:`];
  const lines = problems.map((problem) => problemText(problem));
  return new KeepsakeError('INVALID_CONFIG', [...heading, ...lines].join('\n'), {
    hint: `Correct the file, and check it with "keepsake validate ${/\s/.test(name) ? JSON.stringify(name) : name}".`,
    details: { agent: name, problems },
    cause,
  });
}
