/** Fetches one page or file of the web as a document: public addresses only, every redirect checked, cut off at 10 MB. */
import { KeepsakeError } from '../../kernel/errors.ts';
import { bodyBytes, sendWebRequest } from '../../runtime/web-request.ts';
import { MAX_FILE_BYTES } from '../files/open-file.ts';

const MAX_REDIRECTS = 5;
const TIMEOUT_MS = 30_000;

export interface WebOptions {
  /** Hosts, with their port if they name one, that may be asked although they are internal. */
  readonly allowHosts?: readonly string[];
}

export interface WebDocument {
  readonly bytes: Uint8Array;
  /** A file name that says what it is. */
  readonly name: string;
  /** The encoding that the server named. */
  readonly encoding: string | undefined;
}

/** Kinds that a server names, and how such a file would be called. */
const KINDS: readonly [type: RegExp, name: string][] = [
  [/^(?:text\/html|application\/xhtml\+xml)$/, 'page.html'],
  [/^text\/(?:x-)?markdown$/, 'page.md'],
  [/^application\/pdf$/, 'page.pdf'],
  [/^application\/epub\+zip$/, 'page.epub'],
  [/wordprocessingml\.document$/, 'page.docx'],
  [/spreadsheetml\.sheet$/, 'page.xlsx'],
  [/presentationml\.presentation$/, 'page.pptx'],
  [/^text\/csv$/, 'page.csv'],
];

export async function fetchPage(address: string, options: WebOptions = {}): Promise<WebDocument> {
  const allow = (options.allowHosts ?? []).map((host) => host.toLowerCase());
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    let target = new URL(address);
    for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
      const { hostname, port, protocol, host } = target;
      if (!/^https?:$/.test(protocol))
        throw new KeepsakeError('FORBIDDEN', `${protocol} is not a protocol of the web.`);
      // Followed by hand, so that every address on the way is checked.
      const response = await sendWebRequest(target, {
        ...{ method: 'GET', headers: { accept: 'text/html, text/markdown, text/plain, */*;q=0.5' }, signal },
        isAllowed:
          allow.includes(hostname) ||
          allow.includes(`${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`),
      });
      const { statusCode: status = 0, headers } = response;
      if ([301, 302, 303, 307, 308].includes(status) && headers.location !== undefined) {
        response.destroy();
        target = new URL(headers.location, target);
        continue;
      }
      if (status < 200 || status > 299) {
        response.destroy();
        const code = status === 404 || status === 410 ? 'NOT_FOUND' : 'UNAVAILABLE';
        throw new KeepsakeError(code, `${host} answered with status ${status}.`);
      }
      const bytes = await bodyBytes(response, MAX_FILE_BYTES);
      if (bytes === undefined)
        throw new KeepsakeError('TOO_LARGE', 'It has more than 10 MB; at most 10 MB are indexed.');
      return { bytes, ...kindOf(headers['content-type'] ?? '', target) };
    }
    throw new KeepsakeError('UNAVAILABLE', `${address} redirects more than ${MAX_REDIRECTS} times.`);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new KeepsakeError('TIMEOUT', `${address} took longer than ${TIMEOUT_MS / 1000} seconds.`);
  }
}

function kindOf(type: string, { pathname }: URL): Omit<WebDocument, 'bytes'> {
  const [kind = '', ...parameters] = type.toLowerCase().split(';');
  const encoding = parameters
    .map((each) => /^\s*charset="?([\w-]+)/.exec(each)?.[1])
    .find((each) => each !== undefined);
  const known = KINDS.find(([pattern]) => pattern.test(kind.trim()))?.[1];
  // "text/plain" and "application/octet-stream" are said of everything.
  const name = known ?? (pathname.split('/').at(-1) || 'page.txt');
  return { name, encoding };
}
