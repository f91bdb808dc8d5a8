/** Browser script: calls the server. Who asks is known by the cookie of the link; there is no key in the page. */
export const API_JS = String.raw`
export class ApiError extends Error {
  constructor(status, { code = 'INTERNAL', message = 'The server did not answer as expected.', hint = '' } = {}) {
    super(hint === '' ? message : message + ' ' + hint);
    this.status = status;
    this.code = code;
  }
}

function address(path, params, query) {
  const filled = path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(params[name]));
  const url = new URL(filled, location.origin);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') url.searchParams.set(name, String(value));
  }
  return url;
}

/** Fails with an ApiError; one without a session is also announced to the page. */
export async function request(route, { params = {}, query = {}, body, headers = {}, signal } = {}) {
  const [method, path] = route.split(' ');
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  const response = await fetch(address(path, params, query), {
    method,
    headers: { ...json, ...headers },
    credentials: 'same-origin',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (response.ok) return response;
  if (response.status === 401) dispatchEvent(new Event('keepsake:no-session'));
  const answer = await response.json().catch(() => ({}));
  throw new ApiError(response.status, answer.error);
}

export async function call(route, options) {
  return (await request(route, options)).json();
}
`;
