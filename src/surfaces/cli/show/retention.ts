/** How a retention looks to a person: what went, or would go, by layer. */
import type { Context } from '../context.ts';
import { shortTime } from '../terminal/short-time.ts';
import { renderTable } from '../terminal/table.ts';
import type { Answer, Presentations } from './presentation.ts';

const LAYERS = {
  events: 'events',
  receipts: 'receipts of prompts',
  messages: 'messages of inactive conversations',
  quarantine: 'refused writes',
  audit: 'days of the audit trail',
} as const;

function shown(answer: Answer<'retentionApply'>, { output, clock }: Context): void {
  const rows = (Object.keys(LAYERS) as (keyof typeof LAYERS)[]).map((name) => ({ name, ...answer[name] }));
  output.result(answer, {
    text: () =>
      renderTable(
        {
          rows,
          columns: [
            {
              title: answer.dryRun ? 'WOULD REMOVE' : 'REMOVED',
              cell: ({ removed }) => String(removed),
              align: 'right',
            },
            {
              title: 'OLDER THAN',
              cell: ({ before }) => (before === null ? 'kept forever' : shortTime(before, clock.now())),
            },
          ],
          long: { title: 'WHAT', cell: ({ name }) => LAYERS[name] },
        },
        output.width,
        output.paint,
      ),
    quiet: () => rows.map(({ name, removed }) => `${name} ${removed}`),
  });
}

export const presentations: Presentations = { retentionApply: { show: shown } };
