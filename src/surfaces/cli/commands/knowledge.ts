/** `keepsake knowledge`: one subcommand per operation on external documents. */
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { knowledgeVerbs } from '../knowledge/verbs.ts';
import { defineGroup } from '../verbs/define-verbs.ts';

export function define(parent: Command, context: Context): void {
  defineGroup(parent, knowledgeVerbs, context);
}
