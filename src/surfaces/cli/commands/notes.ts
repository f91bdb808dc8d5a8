/** `keepsake notes`: the notes that agents keep in files. */
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { notesVerbs } from '../notes/verbs.ts';
import { defineGroup } from '../verbs/define-verbs.ts';

export function define(parent: Command, context: Context): void {
  defineGroup(parent, notesVerbs, context);
}
