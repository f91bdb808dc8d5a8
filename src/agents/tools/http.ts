/** `http_request`, which never reaches into the machine or the network that it runs in, unless allowed to. */
import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { z } from 'zod';
import { KeepsakeError } from '../../kernel/errors.ts';
import { defineTool, type Tool } from '../tool.ts';

const MAX_BYTES = 1_000_000;
const MAX_REDIRECTS = 5;
const TIMEOUT_MS = 30_000;

/** Loopback, private, link-local (cloud metadata among them), shared, multicast and reserved addresses. */
const INTERNAL = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  INTERNAL.addSubnet(network, bits, 'ipv4');
}
for (const [network, bits] of [
  ['::', 128],
  ['::1', 128],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  INTERNAL.addSubnet(network, bits, 'ipv6');
}

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

function isInternal(address: string): boolean {
  const plain = MAPPED.exec(address)?.[1] ?? address;
  return INTERNAL.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
}

async function refuseInternal(url: URL): Promise<void> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(host) === 0 ? await lookup(host, { all: true }) : [{ address: host }];
  if (!addresses.some(({ address }) => isInternal(address))) return;
  throw new KeepsakeError('FORBIDDEN', `${url.host} is an address of this machine or its network.`, {
    hint: 'Only public addresses may be asked.',
  });
}

async function textOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += (chunk as Uint8Array).length;
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (bytes > MAX_BYTES) return `${text}\n… (cut after ${MAX_BYTES} bytes)`;
  }
  return text + decoder.decode();
}

export interface HttpToolOptions {
  /** Hosts, with their port if they name one, that may be asked although they are internal. */
  readonly allow?: readonly string[];
}

export function httpTool({ allow = [] }: HttpToolOptions = {}): Tool {
  return defineTool({
    name: 'http_request',
    description: 'Asks a web address and answers with status and body (text). Public addresses only.',
    input: z.object({
      url: z.url().describe('http or https address.'),
      method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']).default('GET'),
      headers: z.record(z.string(), z.string()).optional(),
      body: z.string().optional(),
    }),
    run: async ({ url, method, headers = {}, body }, { signal }) => {
      let target = new URL(url);
      for (let hop = 0; ; hop++) {
        if (!/^https?:$/.test(target.protocol)) {
          throw new KeepsakeError('FORBIDDEN', `${target.protocol} is not a protocol of the web.`);
        }
        if (!allow.includes(target.host) && !allow.includes(target.hostname)) await refuseInternal(target);
        const response = await fetch(target, {
          method,
          headers,
          // Followed by hand, so that every address on the way is checked.
          redirect: 'manual',
          signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
          ...(body === undefined ? {} : { body }),
        });
        const next = response.headers.get('location');
        if (response.status >= 300 && response.status < 400 && next !== null && hop < MAX_REDIRECTS) {
          target = new URL(next, target);
          continue;
        }
        return { status: response.status, url: target.href, body: await textOf(response) };
      }
    },
  });
}
