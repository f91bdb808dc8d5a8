/** `keepsake log`: the conversation of an agent, shown, searched, followed, exported and imported. */
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { logVerbs } from '../log/verbs.ts';
import { defineGroup } from '../verbs/define-verbs.ts';

export function define(parent: Command, context: Context): void {
  defineGroup(parent, logVerbs, context);
}
