/** Exports the conversation of an agent. */
import { logExportInput } from '../conversation/index.ts';
import { defineOperation } from './operation.ts';

export const logExport = defineOperation({
  name: 'log.export',
  summary: 'Exports the conversation of an agent.',
  description: 'Exports everything that was said as JSON, JSON lines, YAML or Markdown, without loss.',
  effect: 'read',
  input: logExportInput,
  run: ({ conversations }, input, caller) => conversations.export(input, caller),
});
