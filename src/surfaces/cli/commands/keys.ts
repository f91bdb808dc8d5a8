/** `keepsake keys`: who may talk to the server of this workspace. */
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import { defineCreate } from './keys/create.ts';
import { defineList } from './keys/list.ts';
import { defineRevoke } from './keys/revoke.ts';

export function define(parent: Command, context: Context): void {
  parent.description(
    'API keys for "keepsake serve". Only their hashes are stored. A key has a role, and those of workers and readers speak for one agent.',
  );
  defineCreate(parent.command('create').summary('Makes a key and shows it, once.'), context);
  defineList(parent.command('list').summary('Lists the keys.'), context);
  defineRevoke(parent.command('revoke').summary('Makes a key useless, at once.'), context);
  addExamples(
    parent,
    ['keepsake keys create laptop --role worker --agent my-agent', 'keepsake keys list'],
    context,
  );
}
