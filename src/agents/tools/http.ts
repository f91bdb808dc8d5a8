/** `http_request`, which refuses addresses of this machine and of internal networks unless they are allowed. */
import type { LookupFunction } from 'node:net';
import { KeepsakeError } from '../../kernel/errors.ts';
import { z } from '../../kernel/zod.ts';
import { bodyText, sendWebRequest } from '../../runtime/web-request.ts';
import { defineTool, type Tool } from '../tool.ts';

const MAX_BYTES = 1_000_000;
const MAX_REDIRECTS = 5;
const TIMEOUT_MS = 30_000;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Headers that say how a message is sent and to whom are not for the model to choose. */
const OURS =
  /^(host|connection|content-length|transfer-encoding|keep-alive|upgrade|expect|te|trailer|proxy-.*)$/i;
/** What proves who one is concerns the first host only. */
const CREDENTIALS = /^(authorization|cookie)$/i;

const headersWithout = (headers: Readonly<Record<string, string>>, names: RegExp): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.test(name)));

export interface HttpToolOptions {
  /** Hosts, with their port if they name one, that may be asked although they are internal. */
  readonly allow?: readonly string[];
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  /** Resolves names. Default: as the system does. */
  readonly lookup?: (
    host: string,
    options: object,
    answer: (error: Error | null, address: string | object[], family?: number) => void,
  ) => void;
}

interface Hop {
  readonly target: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Where a redirect leads, with what belongs there; undefined when the answer is none. */
function redirected(hop: Hop, status: number, location: string | undefined): Hop | undefined {
  if (location === undefined || ![301, 302, 303, 307, 308].includes(status)) return undefined;
  const target = new URL(location, hop.target);
  const headers =
    target.origin === hop.target.origin ? hop.headers : headersWithout(hop.headers, CREDENTIALS);
  const becomesGet = status === 303 ? hop.method !== 'HEAD' : status < 303 && hop.method === 'POST';
  return becomesGet ? { target, headers, method: 'GET', body: undefined } : { ...hop, target, headers };
}

export function httpTool(options: HttpToolOptions = {}): Tool {
  const { timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES } = options;
  const lookup = options.lookup as LookupFunction | undefined;
  const allow = (options.allow ?? []).map((host) => host.toLowerCase());
  const isAllowed = ({ protocol, hostname, port }: URL): boolean =>
    allow.includes(hostname) || allow.includes(`${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`);

  async function follow(first: Hop, signal: AbortSignal): Promise<unknown> {
    let hop = first;
    for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
      const { target, ...request } = hop;
      if (!/^https?:$/.test(target.protocol)) {
        throw new KeepsakeError(
          'FORBIDDEN',
          `The protocol ${target.protocol} is not supported; use http or https.`,
        );
      }
      // Followed by hand, so that every address on the way is checked.
      const response = await sendWebRequest(target, {
        ...request,
        signal,
        lookup,
        isAllowed: isAllowed(target),
      });
      const status = response.statusCode ?? 0;
      const next = redirected(hop, status, response.headers.location);
      if (next === undefined) return { status, url: target.href, body: await bodyText(response, maxBytes) };
      response.destroy();
      hop = next;
    }
    throw new KeepsakeError(
      'UNAVAILABLE',
      `${first.target.href} redirects more than ${MAX_REDIRECTS} times.`,
    );
  }

  return defineTool({
    name: 'http_request',
    description: 'Requests a URL and returns status and body as text. Public addresses only.',
    readOnly: (given) => ['GET', 'HEAD', undefined].includes((given as { method?: string } | null)?.method),
    input: z.object({
      url: z.url().describe('http or https address.'),
      method: z.enum(METHODS).default('GET'),
      headers: z.record(z.string(), z.string()).optional(),
      body: z.string().optional(),
    }),
    run: async ({ url, method, headers = {}, body }, { signal }) => {
      const late = AbortSignal.timeout(timeoutMs);
      const hop = { target: new URL(url), method, headers: headersWithout(headers, OURS), body };
      try {
        return await follow(hop, AbortSignal.any([signal, late]));
      } catch (error) {
        if (!late.aborted || signal.aborted) throw error;
        throw new KeepsakeError(
          'TIMEOUT',
          `${hop.target.host} took longer than ${timeoutMs / 1000} seconds.`,
        );
      }
    },
  });
}
