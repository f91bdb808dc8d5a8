/** Addresses inside the page: `#memory/mem_1?q=tea` is the view "memory" with the part "mem_1" and the filter "q". */

export function address(view: string, ...parts: readonly string[]): string {
  return `#${[view, ...parts.map(encodeURIComponent)].join('/')}`;
}

export function goTo(view: string, ...parts: readonly string[]): void {
  location.hash = address(view, ...parts);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

interface Address {
  readonly view: string;
  readonly parts: readonly string[];
  /** Undefined when the address has none, which is not the same as an empty one. */
  readonly query: URLSearchParams | undefined;
}

export function currentAddress(): Address {
  const hash = location.hash.slice(1);
  const end = hash.indexOf('?');
  const [view = '', ...parts] = (end < 0 ? hash : hash.slice(0, end)).split('/');
  return {
    view,
    parts: parts.filter((part) => part !== '').map(decode),
    query: end < 0 ? undefined : new URLSearchParams(hash.slice(end + 1)),
  };
}

/** Changes the query of the current address; the browser's history gets no further step. */
export function replaceQuery(view: string, query: URLSearchParams): void {
  const text = query.toString();
  const { parts, query: before } = currentAddress();
  if (text === (before?.toString() ?? '')) return;
  history.replaceState(null, '', `${address(view, ...parts)}${text === '' ? '' : `?${text}`}`);
}
