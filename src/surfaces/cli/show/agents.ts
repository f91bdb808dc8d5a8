/** How the list of agents looks to a person. */
import type { Context } from '../context.ts';
import { oneLine } from '../terminal/printable.ts';
import { shortTime } from '../terminal/short-time.ts';
import { renderTable } from '../terminal/table.ts';
import type { Answer, Presentations } from './presentation.ts';

function listed(agents: Answer<'agentsList'>, { output, clock }: Context): void {
  output.result(agents, {
    text: () =>
      agents.length === 0
        ? 'No agent has stored anything yet.'
        : renderTable(
            {
              rows: agents,
              columns: [
                { title: 'FACTS', cell: ({ facts }) => String(facts), align: 'right' },
                { title: 'SINCE', cell: (agent) => shortTime(agent.createdAt, clock.now()), paint: 'dim' },
              ],
              long: { title: 'AGENT', cell: ({ name }) => oneLine(name) },
            },
            output.width,
            output.paint,
          ),
    quiet: () => agents.map(({ name }) => name),
  });
}

export const presentations: Presentations = { agentsList: { show: listed } };
