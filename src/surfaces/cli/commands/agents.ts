/** `keepsake agents`: who remembers something here, and how much. */
import type { Command } from 'commander';
import { callVerb } from '../../../kernel/verb.ts';
import { verbs } from '../../../verbs.ts';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import { oneLine } from '../terminal/printable.ts';
import { shortTime } from '../terminal/short-time.ts';
import { renderTable } from '../terminal/table.ts';

export function define(command: Command, context: Context): void {
  const { output } = context;
  command.description(verbs.agentsList.description).action(async () => {
    const isMissing = (await context.missingWorkspace()) !== undefined;
    const agents = isMissing
      ? []
      : await callVerb(verbs.agentsList, await context.open(), {}, { viewer: { role: 'admin' }, via: 'cli' });
    output.result(agents, {
      text: () =>
        agents.length === 0
          ? 'No agent has stored anything yet.'
          : renderTable(
              {
                rows: agents,
                columns: [
                  { title: 'FACTS', cell: ({ facts }) => String(facts), align: 'right' },
                  {
                    title: 'SINCE',
                    cell: (agent) => shortTime(agent.createdAt, context.clock.now()),
                    paint: 'dim',
                  },
                ],
                long: { title: 'AGENT', cell: ({ name }) => oneLine(name) },
              },
              output.width,
              output.paint,
            ),
      quiet: () => agents.map(({ name }) => name),
    });
  });
  addExamples(command, ['keepsake agents', 'keepsake agents --json'], context);
}
