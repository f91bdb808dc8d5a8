/** The address of a database: what the client is given, what people may see, and the schema that holds our tables. */
import { KeepsakeError } from '../../kernel/errors.ts';

export interface Address {
  /** For the client of the package `pg`, with the password. */
  readonly url: string;
  /** For messages: host, port and database, and never a user or a password. */
  readonly place: string;
  readonly schema: string;
  /** Settings of the server that the address asks for, as `-c name=value …`. */
  readonly options: string;
}

const DEFAULT_SCHEMA = 'keepsake';
/** What needs no thought about quotes; Postgres cuts names after 63 characters, and indexes are named after it. */
const SCHEMA = /^[a-z_][a-z0-9_]{0,47}$/;
const EXAMPLE = 'postgresql://user:password@127.0.0.1:5432/keepsake';

export function parseAddress(text: string): Address {
  let url: URL;
  try {
    url = new URL(text);
  } catch (cause) {
    // Without the text: it may hold a password.
    throw new KeepsakeError('INVALID_CONFIG', 'The URL of Postgres cannot be understood.', {
      cause: (cause as NodeJS.ErrnoException).code,
      hint: `It looks like ${EXAMPLE}.`,
    });
  }
  if (!/^postgres(ql)?:$/.test(url.protocol)) {
    throw new KeepsakeError('INVALID_CONFIG', `A URL of Postgres does not begin with "${url.protocol}".`, {
      hint: `It looks like ${EXAMPLE}.`,
    });
  }
  const schema = url.searchParams.get('schema') ?? DEFAULT_SCHEMA;
  if (!SCHEMA.test(schema)) {
    throw new KeepsakeError('INVALID_CONFIG', `"${schema}" cannot be the name of a schema.`, {
      hint: 'Use up to 48 small letters, digits and "_", for example ?schema=team_a.',
    });
  }
  const options = url.searchParams.get('options') ?? '';
  for (const ours of ['schema', 'options']) url.searchParams.delete(ours);
  const host = url.searchParams.get('host') ?? url.host;
  return { url: url.href, place: `${decodeURIComponent(host)}${url.pathname}`, schema, options };
}
