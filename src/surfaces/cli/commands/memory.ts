/** `keepsake memory`: one subcommand per operation on memories. */
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { memoryVerbs } from '../memory/verbs.ts';
import { defineGroup } from '../verbs/define-verbs.ts';

export function define(parent: Command, context: Context): void {
  defineGroup(parent, memoryVerbs, context);
}
