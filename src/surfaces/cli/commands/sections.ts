/** `keepsake sections`: the notes by topic that an agent curates. */
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { sectionsVerbs } from '../sections/verbs.ts';
import { defineGroup } from '../verbs/define-verbs.ts';

export function define(parent: Command, context: Context): void {
  defineGroup(parent, sectionsVerbs, context);
}
