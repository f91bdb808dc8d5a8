/** What `keepsake` alone prints: a first step, a second one, and where the rest is. */
import type { Output } from './output.ts';

export function overview({ paint }: Output, version: string): string[] {
  const step = (command: string, what: string): string =>
    `  ${paint('cyan', command.padEnd(46))}${paint('dim', what)}`;
  return [
    `${paint('bold', 'Keepsake')} ${version} · memory for AI agents`,
    '',
    step('keepsake init', 'make this folder a workspace'),
    step('keepsake memory add "Prefers short answers."', 'remember something'),
    step('keepsake memory search "answers"', 'find it again'),
    step('keepsake demo', 'see a memory survive kill -9'),
    step('keepsake doctor', 'check that all is well'),
    '',
    'Every command explains itself with --help and answers in JSON with --json.',
  ];
}
