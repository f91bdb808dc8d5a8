/** `keepsake notes`: the notes that agents keep in files. */
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { notesVerbs } from '../notes/verbs.ts';
import { defineGroup } from '../verbs/define-verbs.ts';
import { defineWatch } from './watch-notes.ts';

export function define(parent: Command, context: Context): void {
  defineGroup(parent, notesVerbs, context);
  defineWatch(parent.command('watch').summary('Indexes notes whenever they change.'), context);
}
