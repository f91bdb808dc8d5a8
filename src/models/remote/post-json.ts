/** Sends one JSON request to a model server and returns the text of the response. */

export interface PostOptions {
  readonly apiKey: string | undefined;
  readonly signal: AbortSignal;
}

/** Throws what `fetch` throws; a refusal is an answer too. */
export async function postJson(
  url: string,
  content: object,
  { apiKey, signal }: PostOptions,
): Promise<{ readonly response: Response; readonly body: string }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify(content),
    signal,
  });
  return { response, body: await response.text() };
}

/** For messages: an address may carry a password. */
export function withoutPassword(url: string): string {
  return url.replace(/\/\/[^@/]*@/, '//');
}

/** The beginning of a text. Half of a pair of surrogates is not text, and some servers refuse the whole request over one. */
export function readable(text: string, limit: number): string {
  return text.slice(0, limit).toWellFormed();
}
