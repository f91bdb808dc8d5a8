/** Removes passwords from URLs before they are shown. */

const IN_AUTHORITY = /(:\/\/[^\s:@/?#]*):[^/?#]*@/;
/** What cannot be parsed may have an unescaped "/" or "@" in the password, so everything up to the last "@" goes. */
const UP_TO_LAST_AT = /(:\/\/[^\s:@]*):\S*@/;

/** With `shown` in place of the password, or without it altogether. */
export function withoutPassword(address: string, shown = ''): string {
  const place = URL.canParse(address) ? IN_AUTHORITY : UP_TO_LAST_AT;
  return address
    .replace(place, (_, before: string) => `${before}${shown === '' ? '' : `:${shown}`}@`)
    .replace(/([?&]password=)[^&#\s]*/i, (_, before: string) => `${before}${shown}`);
}
