/** `keepsake log …`: what each verb does beyond its operation, and how it is shown. */
import { verbs } from '../../../verbs.ts';
import { ownVerb, type VerbGroup, verb } from '../verbs/verb.ts';
import { exportLog } from './export.ts';
import { importLog } from './import.ts';
import * as show from './show.ts';
import { tail } from './tail.ts';

const verbs = [
  verb(verbs.logAdd, {
    positionals: [{ key: 'content', kind: 'text' }],
    nothing: [],
    actsAs: 'default-agent',
    examples: [
      'keepsake log add "We ship on Friday."',
      'keepsake log add --agent my-agent --role assistant "Noted: Friday."',
      'git log -1 --format=%B | keepsake log add -',
    ],
    show: show.added,
  }),
  verb(verbs.logGet, {
    positionals: [],
    nothing: [],
    actsAs: 'default-agent',
    examples: [
      'keepsake log show',
      'keepsake log show --agent my-agent --limit 10',
      'keepsake log show --before <id>',
    ],
    show: show.shown,
  }),
  verb(verbs.logSearch, {
    positionals: [{ key: 'query', kind: 'text' }],
    nothing: [],
    actsAs: 'default-agent',
    examples: ['keepsake log search "invoice"', 'keepsake log search --query "invoice" --limit 3 --json'],
    show: show.found,
  }),
  ownVerb(verbs.logGet, {
    name: 'tail',
    about: {
      summary: 'Shows the newest messages, and follows the log.',
      description:
        'Shows the newest messages of an agent. With --follow it goes on to show what any process adds, until Ctrl-C; with --json each message is then a line of its own.',
    },
    positionals: [],
    without: ['before', 'after'],
    defaults: { limit: 10 },
    ownFlags: [{ flags: '-f, --follow', description: 'Go on with what is added, until Ctrl-C' }],
    actsAs: 'default-agent',
    examples: ['keepsake log tail', 'keepsake log tail --follow --agent my-agent'],
    run: tail,
    show: (messages, context) => {
      if (messages !== null) show.found(messages, context);
    },
  }),
  ownVerb(verbs.logExport, {
    positionals: [
      { key: 'file', kind: 'path', description: 'File to write, in the format of its ending; else stdout' },
    ],
    ownFlags: [{ flags: '--force', description: 'Overwrite the file' }],
    actsAs: 'default-agent',
    examples: [
      'keepsake log export conversation.json',
      'keepsake log export --format markdown --agent my-agent',
      'keepsake log export conversation.yaml --force',
    ],
    run: exportLog,
    show: show.exported,
  }),
  ownVerb(verbs.logImport, {
    about: {
      summary: verbs.logImport.summary,
      description:
        'Adds the messages of an export, of a MEMORY.md or of a list of chat messages to the conversation of an agent, with their times; or those of a folder of <agent>/MEMORY.md files, each for the agent that its folder names. Messages that the log has already are not added again.',
    },
    positionals: [
      {
        key: 'source',
        kind: 'path',
        description: 'A file, a folder of <agent>/MEMORY.md files, or "-" for stdin',
        required: true,
      },
    ],
    without: ['text'],
    actsAs: 'default-agent',
    examples: [
      'keepsake log import conversation.json --agent my-agent',
      'keepsake log import ../old-workspace',
      'cat chat.jsonl | keepsake log import -',
    ],
    run: importLog,
    show: show.imported,
  }),
];

export const logVerbs: VerbGroup = {
  description:
    'Adds to, shows, searches, follows, exports and imports what was said. The log keeps every message.',
  whose: 'Whose conversation it is; else the default agent',
  verbs,
  examples: ['keepsake log show', 'keepsake log search "invoice"', 'keepsake log tail --follow'],
};
