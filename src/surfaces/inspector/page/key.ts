/** The API key of somebody who signed in with one. It is kept in this tab only, and gone when the tab is closed. */

const PLACE = 'keepsake:key';

export function storedKey(): string | undefined {
  return sessionStorage.getItem(PLACE) ?? undefined;
}

export function keepKey(key: string): void {
  sessionStorage.setItem(PLACE, key);
}

export function dropKey(): void {
  sessionStorage.removeItem(PLACE);
}
