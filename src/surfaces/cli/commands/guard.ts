/** `keepsake guard`: what was refused, and what would be. */
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { guardVerbs } from '../guard/verbs.ts';
import { defineGroup } from '../verbs/define-verbs.ts';

export function define(parent: Command, context: Context): void {
  defineGroup(parent, guardVerbs, context);
}
