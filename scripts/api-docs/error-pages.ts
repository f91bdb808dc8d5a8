/** What each error code means to the person who meets it: when it comes, and what to do. The compiler asks for every code. */
import { ERROR_TABLE, type ErrorCode } from '../../src/kernel/errors.ts';

interface Advice {
  readonly when: string;
  readonly cure: string;
}

const ADVICE: Readonly<Record<ErrorCode, Advice>> = {
  INVALID_INPUT: {
    when: 'An argument is missing, unknown, or has the wrong type or range.',
    cure: 'The message names the field and what it accepts. Correct the call.',
  },
  INVALID_NAME: {
    when: 'A name of an agent, section or key has characters that names may not have.',
    cure: 'Use letters, digits, dots, dashes and underscores. Ids of people belong into `user`, which takes any text.',
  },
  INVALID_CONFIG: {
    when: 'keepsake.jsonc, an environment variable or a file of an agent has a wrong setting, or something that a setting needs is missing.',
    cure: 'The message names the file and the setting. `keepsake config` shows every setting and what set it; `keepsake doctor` checks them.',
  },
  UNAUTHORIZED: {
    when: 'The server got no key, or one that is unknown, expired or revoked.',
    cure: 'Send `Authorization: Bearer <key>`. An admin sees the keys with `keepsake keys list` and makes a new one with `keepsake keys rotate`.',
  },
  FORBIDDEN: {
    when: 'The caller is known but may not do this: its role is too low, its key is bound to another agent or user, or a person pinned the memory.',
    cure: 'Use a key with the role that the reference names for the verb.',
  },
  NOT_FOUND: {
    when: 'There is no such memory, session, file or run, or the caller may not see it.',
    cure: 'Check id, agent and workspace. A caller is not told whether something exists that belongs to others.',
  },
  CONFLICT: {
    when: 'Somebody changed it since you read it (`ifVersion`, `If-Match`), or it exists already.',
    cure: 'Read it again, and repeat the change on the new version.',
  },
  FORGOTTEN: {
    when: 'The memory was forgotten. Its text is gone; its id stays known.',
    cure: 'Nothing brings it back except a backup that is older.',
  },
  TOO_LARGE: {
    when: 'A text, file or request is over a limit, or a prompt is larger than the model can read.',
    cure: 'The message has the limit and the size. Split the input, or raise the setting that the hint names.',
  },
  BLOCKED: {
    when: 'The guard refused a text because it looks like an attack on agents that will read it.',
    cure: 'It is in quarantine: look with `keepsake guard list`, and let a harmless one through with `keepsake guard release <id>`.',
  },
  RATE_LIMITED: {
    when: 'A key, an address or a model provider used more than its share.',
    cure: 'Wait as long as `Retry-After` says. The SDK waits and tries again by itself.',
  },
  READ_ONLY: {
    when: 'Memory is read-only by configuration, or the call came from a session that may only read.',
    cure: 'Set `memory.readOnly` to `false`, or write from somewhere else.',
  },
  BUSY: {
    when: 'Another process holds the database or a lock for longer than a call waits.',
    cure: 'Try again. If it stays, `keepsake doctor` names the process.',
  },
  UNAVAILABLE: {
    when: 'A server that Keepsake needs does not answer: Postgres, Redis, Qdrant, a model provider, or Keepsake itself.',
    cure: 'The message names it. `/readyz` and `keepsake doctor` show the state of each. Nothing that was acknowledged is lost.',
  },
  TIMEOUT: {
    when: 'A call took longer than its limit.',
    cure: 'Try again, or raise the limit that the hint names. A write may have been stored all the same; it is not stored twice when you repeat it with the same text.',
  },
  ABORTED: {
    when: 'The caller stopped it: an `AbortSignal`, Ctrl-C, or a cancelled run.',
    cure: 'Nothing to do.',
  },
  CLOSED: {
    when: 'A client was used after `close()`.',
    cure: 'Close a client when the program ends, not after each call.',
  },
  STORAGE_FULL: {
    when: 'The disk or the database is full. What was stored before is safe; this write was not stored.',
    cure: 'Free some space, then repeat the call.',
  },
  STORAGE_FAILED: {
    when: 'The disk or the database reported an error while reading or writing.',
    cure: 'Look at the cause in the message, run `keepsake doctor`, and check the disk.',
  },
  PERMISSION: {
    when: 'The operating system does not allow access to a file of the workspace.',
    cure: 'The message names the file. Run as the user who owns the workspace, or change its owner or mode.',
  },
  CORRUPT: {
    when: 'A file is damaged. Keepsake does not guess and does not overwrite it.',
    cure: 'Run `keepsake doctor`: it says what is damaged, what can be saved, and how to restore a backup.',
  },
  TOO_NEW: {
    when: 'The database or an export was written by a newer version of Keepsake.',
    cure: 'Update Keepsake. During a rolling upgrade, servers of the old version stop writing by design.',
  },
  UNSUPPORTED: {
    when: 'The storage, the model or the platform cannot do this.',
    cure: 'The message says what can.',
  },
  INTERNAL: {
    when: 'A defect in Keepsake.',
    cure: 'Please report it with the command that caused it. `KEEPSAKE_DEBUG=1` adds the stack trace.',
  },
};

export function errorsPage(note: string, table: (head: string[], rows: string[][]) => string): string {
  const sections = Object.entries(ERROR_TABLE).map(([code, { http, exit, retry }]) => {
    const { when, cure } = ADVICE[code as ErrorCode];
    return `### ${code}\n\nHTTP ${http} · exit code ${exit}${retry ? ' · may work when repeated' : ''}\n\n${when}\n\n**What to do:** ${cure}`;
  });
  const rows = Object.entries(ERROR_TABLE).map(([code, { http, exit, retry }]) => [
    `[\`${code}\`](#${code.toLowerCase()})`,
    String(http),
    String(exit),
    retry ? 'yes' : 'no',
  ]);
  return `# Error codes

${note}

Every failure has a code from this list, on every surface: \`error.code\` in the SDK, \`error.code\` in the body of a REST answer and in
\`--json\` on stderr, and the text of an MCP tool result. \`message\` says what happened and \`hint\` what to do; neither contains the text of a
memory. The codes are stable, the sentences are not: let programs read the code.

\`\`\`ts
import { createClient, KeepsakeError } from 'keepsake';

const client = createClient();
const { memory } = client.agent({ name: 'my-agent' });
try {
  await memory.get('mem_01m7qnk463ae41mgg96w6m81v7');
} catch (error) {
  if (!KeepsakeError.is(error) || error.code !== 'NOT_FOUND') throw error;
  console.log(error.code, error.retryable);
}
\`\`\`

${table(['code', 'HTTP', 'exit code', 'may work when repeated'], rows)}

Looking for a symptom instead of a code? See [troubleshooting](../guides/troubleshooting.md).

## Each code

${sections.join('\n\n')}
`;
}
