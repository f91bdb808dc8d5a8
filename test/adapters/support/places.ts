/** A client in this process and one on a server, for tests that an adapter works with both. */
import { remoteClient, temporaryClient } from '../support.ts';

export const PLACES = [
  { place: 'embedded', open: async () => temporaryClient() },
  { place: 'remote', open: remoteClient },
] as const;
