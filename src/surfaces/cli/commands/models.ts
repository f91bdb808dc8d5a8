/** `keepsake models`: the embedding models that make text searchable by meaning. */
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import { defineEmbed } from './models/embed.ts';
import { defineList } from './models/list.ts';
import { definePull } from './models/pull.ts';
import { defineUse } from './models/use.ts';

export function define(parent: Command, context: Context): void {
  parent.description(
    'Embedding models make text searchable by meaning. The default needs no download; stronger ones are one command away.',
  );
  defineList(parent.command('list').summary('Lists the embedding models.'), context);
  definePull(parent.command('pull').summary('Downloads a local model.'), context);
  defineUse(parent.command('use').summary('Chooses the model of the workspace.'), context);
  defineEmbed(parent.command('embed').summary('Creates missing vectors now.'), context);
  addExamples(
    parent,
    ['keepsake models list', 'keepsake models pull bge-small', 'keepsake models embed'],
    context,
  );
}
