/** Normalizes URLs of documents. */
import { KeepsakeError } from '../../kernel/errors.ts';

/** The address as it is kept: without a place in the page. */
export function webAddress(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new KeepsakeError('INVALID_INPUT', `${given} is not a web address.`, {
      hint: 'Give an address that begins with https://.',
    });
  if (url.username !== '' || url.password !== '')
    throw new KeepsakeError('INVALID_INPUT', 'A web address with a user name or password is not stored.', {
      hint: 'Save the page as a file and add the file.',
    });
  url.hash = '';
  return url.href;
}
