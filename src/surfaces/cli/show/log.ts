/** How the verbs on the log look to a person, and what they do with files. */
import { verbs } from '../../../verbs.ts';
import type { Context } from '../context.ts';
import { oneLine, printable, storedText } from '../terminal/printable.ts';
import { shortTime } from '../terminal/short-time.ts';
import { counted, sizeText } from '../terminal/sizes.ts';
import { renderTable } from '../terminal/table.ts';
import { type Exported, exportLog } from './log/export.ts';
import { type Imported, importLog } from './log/import.ts';
import { conversationLines, type Message } from './log/message-lines.ts';
import { type Answer, ownRun, type Presentations, type ShowOptions } from './presentation.ts';

/** Of what was found, enough to tell what it is. */
const EXCERPT_CHARACTERS = 2_000;

function messagesOr(nothing: string, messages: readonly Message[], context: Context, most?: number): void {
  context.output.result(messages, {
    text: () => (messages.length === 0 ? nothing : conversationLines(messages, context, most)),
    quiet: () => messages.map(({ id }) => id),
  });
}

function listed(conversations: Answer<'logList'>, { output, clock }: Context): void {
  output.result(conversations, {
    text: () =>
      conversations.length === 0
        ? 'No conversations.'
        : renderTable(
            {
              rows: conversations,
              columns: [
                { title: 'LAST', cell: ({ lastAt }) => shortTime(lastAt, clock.now()), paint: 'dim' },
                {
                  ...{ title: 'MESSAGES', align: 'right', needsTitle: true },
                  cell: ({ messages }) => String(messages),
                },
                {
                  ...{ title: 'HISTORY', align: 'right', needsTitle: true },
                  cell: ({ history }) => String(history),
                },
              ],
              long: { title: 'AGENT', cell: ({ agent }) => oneLine(agent) },
            },
            output.width,
            output.paint,
          ),
    quiet: () => conversations.map(({ agent }) => agent),
  });
}

function shown(messages: Answer<'logGet'>, context: Context, { input }: ShowOptions): void {
  messagesOr('No messages.', messages, context);
  const limit = (input.limit as number | undefined) ?? 50;
  if (messages.length < limit) return;
  const [edge, flag] = input.after === undefined ? [messages[0], '--before'] : [messages.at(-1), '--after'];
  context.output.note(`There may be more: add ${flag} ${edge?.id}`);
}

function added(message: Answer<'logAdd'>, { output }: Context): void {
  const { id, role } = message;
  output.result(message, {
    text: () => `${output.paint('green', '✓')} Added: ${id} ${output.paint('dim', printable(role))}`,
    quiet: () => id,
  });
}

export function found(messages: Answer<'logSearch'>, context: Context): void {
  messagesOr('Nothing found.', messages, context, EXCERPT_CHARACTERS);
}

function exported(result: Exported, { output }: Context): void {
  const { file, format, messages, bytes, text } = result;
  if (file === null) {
    // The output ends with a line break of its own.
    const exact = (): string => storedText(text, output).replace(/\n$/, '');
    output.result({ format, messages, text }, { text: exact, quiet: exact });
    return;
  }
  output.result(
    { file, format, messages, bytes },
    {
      text: () =>
        `${output.paint('green', '✓')} Exported ${counted(messages, 'message')} to ${output.paint('bold', file)} ${output.paint('dim', `${format}, ${sizeText(bytes)}`)}`,
      quiet: () => file,
    },
  );
}

function sum({ messages, known }: Pick<Imported, 'messages' | 'known'>): string {
  const already = known === 0 ? '' : `, ${known} already existed`;
  return `${counted(messages, 'message')}${already}`;
}

function imported(result: Imported, context: Context): void {
  const { output } = context;
  const { paint } = output;
  const { files } = result;
  const line = (each: Imported['files'][number]): string => {
    const who = `${paint('bold', oneLine(each.agent))}`;
    if (each.error !== undefined) return `${paint('red', '✗')} ${who}: ${printable(each.error.message)}`;
    if (each.own === true && each.messages === 0) {
      return `${paint('dim', '-')} ${who}: its own MEMORY.md, all of it is in the log`;
    }
    return `${paint('green', '✓')} ${who}: ${sum(each)}`;
  };
  output.result(result, {
    text: () => [
      ...files.map(line),
      ...(files.length === 1
        ? []
        : [
            `  ${counted(files.length, 'file')}: ${sum(result)}${result.failed === 0 ? '' : `, ${result.failed} failed`}`,
          ]),
    ],
    quiet: () => [],
  });
}

export const presentations: Presentations = {
  logList: { show: listed },
  logGet: { show: shown },
  logSearch: { show: found },
  logAdd: { show: added },
  logExport: ownRun<Exported>({
    ownFlags: [{ flags: '--force', description: 'Overwrite the file' }],
    run: exportLog,
    show: exported,
  }),
  logImport: ownRun<Imported>({
    about: {
      summary: verbs.logImport.summary,
      description:
        'Adds the messages of an export, of a MEMORY.md or of a list of chat messages to the conversation of an agent, with their times; or those of a folder of <agent>/MEMORY.md files and the archives beside them, each for the agent that its folder names. Messages that the log has already are not added again.',
    },
    run: importLog,
    show: imported,
  }),
};
