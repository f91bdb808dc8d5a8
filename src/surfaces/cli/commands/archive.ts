/** `keepsake archive`: the transcripts that compactions saved. */
import type { Command } from 'commander';
import { archiveVerbs } from '../archive/verbs.ts';
import type { Context } from '../context.ts';
import { defineGroup } from '../verbs/define-verbs.ts';

export function define(parent: Command, context: Context): void {
  defineGroup(parent, archiveVerbs, context);
}
