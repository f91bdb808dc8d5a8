/** Keys on disk: who can read them, what is stored of them, and what happens when their files are not as they should be. */
import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keysCreate, keysList, keysRevoke, openKeyRing } from '../../src/administration/keys.ts';
import { ensureServerKey, KeyRing } from '../../src/auth/index.ts';
import { fakeClock } from '../../src/testing/index.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

function workspace() {
  const root = temporaryFolder();
  const target = { workspace: root, clock: fakeClock() };
  return { root, target, paths: { root, dataFolder: join(root, 'data') } };
}

describe('the key of the owner', () => {
  it('is made once, for the owner of the files alone', () => {
    const { paths } = workspace();
    const first = openKeyRing(paths);
    expect(first.created).toBe(true);
    expect(statSync(first.serverKeyFile).mode & 0o777).toBe(0o600);
    const secret = readFileSync(first.serverKeyFile, 'utf8').trim();
    expect(secret).toMatch(/^ksk_[0-9a-f]{12}_[\w-]{43}$/);
    expect(first.keys.find(secret)).toMatchObject({ role: 'admin' });
    const second = openKeyRing(paths);
    expect(second.created).toBe(false);
    expect(second.keys.find(secret)).toMatchObject({ role: 'admin' });
  });

  it('is made private again when others could read it', () => {
    const { paths } = workspace();
    const { serverKeyFile } = openKeyRing(paths);
    chmodSync(serverKeyFile, 0o644);
    openKeyRing(paths);
    expect(statSync(serverKeyFile).mode & 0o777).toBe(0o600);
  });

  it('stays as it is, and leaves nothing else behind', () => {
    const folder = temporaryFolder();
    const path = join(folder, 'server.key');
    const { secret } = ensureServerKey(path);
    const open = () => readdirSync('/proc/self/fd').length;
    const before = open();
    for (let i = 0; i < 20; i++) expect(ensureServerKey(path)).toEqual({ secret, created: false });
    expect(open()).toBe(before);
    expect(readdirSync(folder)).toEqual(['server.key']);
    // What is there is read, and nothing is written for it.
    chmodSync(folder, 0o500);
    expect(ensureServerKey(path)).toEqual({ secret, created: false });
    chmodSync(folder, 0o700);
  });

  it('is no link, and no other text', () => {
    const folder = temporaryFolder();
    const { secret } = ensureServerKey(join(folder, 'real.key'));
    symlinkSync(join(folder, 'real.key'), join(folder, 'link.key'));
    expect(() => ensureServerKey(join(folder, 'link.key'))).toThrow('cannot be used');
    writeFileSync(join(folder, 'empty.key'), '\n');
    expect(() => ensureServerKey(join(folder, 'empty.key'))).toThrow('cannot be used');
    expect(secret).not.toBe('');
  });
});

describe('API keys', () => {
  it('are stored as hashes, listed without them, and found by their secret', async () => {
    const { target, paths } = workspace();
    const { keys } = openKeyRing(paths);
    const made = await keysCreate({ name: 'laptop', role: 'reader', agent: 'alice' }, target);
    expect(keys.find(made.key)).toEqual({
      ...{ id: made.id, name: 'laptop', role: 'reader', agent: 'alice', createdAt: target.clock.now() },
    });
    expect(readFileSync(join(paths.dataFolder, 'keys.json'), 'utf8')).not.toContain(made.key.slice(17));
    expect(Object.keys((await keysList(target))[0]!)).not.toContain('hash');
    expect(keys.active()).toHaveLength(1);
    await keysRevoke(made.id, target);
    expect(keys.find(made.key)).toBeUndefined();
    expect(keys.active()).toEqual([]);
    expect(await keysList(target)).toMatchObject([{ id: made.id, revokedAt: target.clock.now() }]);
  });

  it('are revoked by name, as long as one valid key has it', async () => {
    const { target } = workspace();
    const key = () => keysCreate({ name: 'laptop', role: 'reader', agent: 'alice' }, target);
    const [first, second] = [await key(), await key()];
    await expect(keysRevoke('laptop', target)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      hint: `Use the id of one: ${first.id}, ${second.id}.`,
    });
    await keysRevoke(first.id, target);
    expect(await keysRevoke('laptop', target)).toMatchObject({ id: second.id });
    await expect(keysRevoke('laptop', target)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('keep the time of their revocation, and others with the same name their right', async () => {
    const { target, paths } = workspace();
    const { keys } = openKeyRing(paths);
    const revoked = await keysCreate({ name: 'laptop', role: 'admin' }, target);
    const other = await keysCreate({ name: 'phone', role: 'lead' }, target);
    const { revokedAt } = await keysRevoke(revoked.id, target);
    target.clock.advance(1_000);
    expect(await keysRevoke(revoked.id, target)).toMatchObject({ revokedAt });
    expect(keys.find(other.key)).toMatchObject({ id: other.id, role: 'lead' });
    expect(keys.find(`ksk_${other.id}_${revoked.key.slice(17)}`)).toBeUndefined();
    expect(keys.active()).toMatchObject([{ id: other.id }]);
  });

  it('have names of one to 64 characters', async () => {
    const { target } = workspace();
    const name = 'x'.repeat(64);
    expect(await keysCreate({ name, role: 'admin' }, target)).toMatchObject({ name });
    await expect(keysCreate({ name: `${name}x`, role: 'admin' }, target)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });

  it('all fail when their file is damaged, rather than forget what was revoked', async () => {
    const { target, paths } = workspace();
    const { keys } = openKeyRing(paths);
    const { key } = await keysCreate({ name: 'x', role: 'admin' }, target);
    for (const text of ['{', '[]', '{"version":2,"keys":[]}', '{"version":1,"keys":[{"id":"x"}]}']) {
      writeFileSync(join(paths.dataFolder, 'keys.json'), text);
      expect(() => keys.find(key)).toThrow(expect.objectContaining({ code: 'CORRUPT' }));
      await expect(keysCreate({ name: 'y', role: 'admin' }, target)).rejects.toMatchObject({
        code: 'CORRUPT',
      });
    }
  });

  it.each([
    [{ name: '', role: 'admin' }, 'INVALID_INPUT'],
    [{ name: 'x', role: 'king' }, 'INVALID_INPUT'],
    [{ name: 'x' }, 'INVALID_INPUT'],
    [{ name: 'x', role: 'reader' }, 'INVALID_INPUT'],
    [{ name: 'x', agent: '../evil' }, 'INVALID_NAME'],
  ])('are not made of %j', async (input, code) => {
    const { target } = workspace();
    await expect(keysCreate(input as never, target)).rejects.toMatchObject({ code });
    expect(await keysList(target)).toEqual([]);
  });

  it('know no text that only looks like one', () => {
    const { paths } = workspace();
    const { serverKeyFile } = openKeyRing(paths);
    const serverSecret = readFileSync(serverKeyFile, 'utf8').trim();
    const ring = new KeyRing({ path: join(paths.dataFolder, 'keys.json'), serverSecret });
    for (const text of [
      '',
      'ksk_',
      `${serverSecret}\n`,
      ` ${serverSecret}`,
      '__proto__',
      'ksk_constructor_x',
    ]) {
      expect(ring.find(text)).toBeUndefined();
    }
  });
});
