/** Who may talk to a server: API keys, their storage, and the key of the workspace's owner. */
export { type ApiKey, type KeyState, keyState, makeKeyId, makeSecret, type NewKeyInput } from './api-key.ts';
export { type CreatedKey, KeyFile, type KeyFileParts } from './key-file.ts';
export { KeyRing } from './key-ring.ts';
export { KeyUse } from './key-use.ts';
export { ensureServerKey, readServerKey } from './server-key.ts';
export { leaveMark, runningServers, type ServerMark } from './server-mark.ts';
