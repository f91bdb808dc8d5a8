/** Addresses inside the page: `#memory/mem_1` is the view "memory" with the part "mem_1". */

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

export function currentAddress(): { readonly view: string; readonly parts: readonly string[] } {
  const [view = '', ...parts] = location.hash.slice(1).split('/');
  return { view, parts: parts.filter((part) => part !== '').map(decode) };
}
