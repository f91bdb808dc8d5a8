/** Sends one HTTP request to a checked address, with a size limit. */
import { lookup as systemLookup } from 'node:dns';
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { KeepsakeError } from '../kernel/errors.ts';
import { isInternalAddress } from './internal-addresses.ts';

export interface WebRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal: AbortSignal;
  /** Whether the address may be internal. */
  readonly isAllowed: boolean;
  /** Resolves names. Default: as the system does. */
  readonly lookup?: LookupFunction | undefined;
}

function refusal(host: string): KeepsakeError {
  return new KeepsakeError('FORBIDDEN', `${host} is an address of this machine or its private network.`, {
    hint: 'Only public addresses can be requested.',
  });
}

/** At the moment of connecting: a name that is looked up twice may lead elsewhere the second time. */
function checked(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const addresses = typeof found === 'string' ? [{ address: found, family: isIP(found) }] : found;
      const [first] = addresses ?? [];
      if (error !== null || first === undefined) {
        callback(error ?? new Error(`${hostname} cannot be resolved.`), []);
      } else if (addresses.some(({ address }) => isInternalAddress(address))) {
        callback(refusal(hostname), []);
      } else if (options.all === true) {
        callback(null, addresses);
      } else {
        callback(null, first.address, first.family);
      }
    });
  };
}

function explained(error: Error & { readonly code?: string }, target: URL): Error {
  if (KeepsakeError.is(error)) return error;
  return new KeepsakeError('UNAVAILABLE', `${target.host} did not answer: ${error.message || error.code}.`, {
    cause: error,
  });
}

export function sendWebRequest(target: URL, given: WebRequest): Promise<IncomingMessage> {
  const { method, headers, body, signal, isAllowed, lookup = systemLookup as LookupFunction } = given;
  const host = target.hostname.replace(/^\[|\]$/g, '');
  if (!isAllowed && isIP(host) !== 0 && isInternalAddress(host)) return Promise.reject(refusal(target.host));
  const options: RequestOptions = {
    method,
    headers: {
      'user-agent': 'keepsake',
      'accept-encoding': 'gzip, deflate, br',
      ...headers,
      ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
    },
    signal,
    lookup: isAllowed ? lookup : checked(lookup),
    // A connection that somebody else opened was not checked.
    agent: false,
  };
  return new Promise((resolve, reject) => {
    const send = target.protocol === 'https:' ? httpsRequest : httpRequest;
    send(target, options)
      .on('error', (error) => reject(explained(error, target)))
      .on('response', resolve)
      .end(body);
  });
}

const DECODERS: Readonly<Record<string, () => NodeJS.ReadWriteStream>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

function unpacked(response: IncomingMessage): AsyncIterable<Uint8Array> {
  const decode = DECODERS[response.headers['content-encoding'] ?? ''];
  return decode === undefined ? response : (pipeline(response, decode(), () => {}) as unknown as Readable);
}

/** All of it; undefined when it is larger than it may be. */
export async function bodyBytes(
  response: IncomingMessage,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let left = maxBytes;
  for await (const chunk of unpacked(response)) {
    left -= chunk.length;
    if (left < 0) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The size is that of the text, not of what was sent: a small packet may hold a large one. */
export async function bodyText(response: IncomingMessage, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let left = maxBytes;
  for await (const chunk of unpacked(response)) {
    text += decoder.decode(chunk.subarray(0, left), { stream: true });
    left -= chunk.length;
    if (left < 0) return `${text}\n… (cut after ${maxBytes} bytes)`;
  }
  return text + decoder.decode();
}
