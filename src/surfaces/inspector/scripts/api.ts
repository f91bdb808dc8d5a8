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

function unreachable(error) {
  if (error.name === 'AbortError') return error;
  return new ApiError(0, { code: 'UNAVAILABLE', message: 'The server does not answer.', hint: 'Is "keepsake serve" still running?' });
}

/** Fails with an ApiError; one without a session is also announced to the page. */
export async function request(route, { params = {}, query = {}, body, headers = {}, agent, signal, keepalive } = {}) {
  const [method, path] = route.split(' ');
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  // Headers know no Unicode.
  const actingAs = agent === undefined ? {} : { 'keepsake-agent': encodeURIComponent(agent) };
  const response = await fetch(address(path, params, query), {
    method,
    headers: { ...json, ...actingAs, ...headers },
    credentials: 'same-origin',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
    ...(keepalive ? { keepalive } : {}),
  }).catch((error) => { throw unreachable(error); });
  if (response.ok) return response;
  if (response.status === 401) dispatchEvent(new Event('keepsake:no-session'));
  const answer = await response.json().catch(() => ({}));
  throw new ApiError(response.status, answer.error);
}

const SLOW_MS = 250;
let waiting = 0;

/** A line at the top of the page says that an answer takes its time; quick ones are not announced. */
function announce(step) {
  waiting += step;
  if (waiting === 0) delete document.documentElement.dataset.waiting;
  else setTimeout(() => { if (waiting > 0) document.documentElement.dataset.waiting = ''; }, SLOW_MS);
}

export async function call(route, options) {
  announce(1);
  try {
    return await (await request(route, options)).json();
  } finally {
    announce(-1);
  }
}

/** Everybody who remembers something or said something, by name. */
export async function knownAgents() {
  const [remembering, speaking] = await Promise.all([call('GET /v1/agents'), call('POST /v1/log/list', { body: {} })]);
  return [...new Set([...remembering.map(({ name }) => name), ...speaking.map(({ agent }) => agent)])].sort();
}
`;
