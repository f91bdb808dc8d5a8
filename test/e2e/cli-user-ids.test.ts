/** Ids of users on the command line: any text is an id as it stands, and no command shows one user what is about another. */
import { expect, it } from 'vitest';
import { campaign } from '../fixtures/campaign.ts';
import { json, runCli, temporaryWorkspace } from '../surfaces/cli/support/run-cli.ts';
import { userIds } from '../surfaces/isolation/users-seed.ts';

/** What a shell, a parser of flags, a path, or a comparison may take for something else. */
const ODD = [
  '-',
  '--json',
  '-v',
  '--user',
  'a=b',
  'line\nbreak',
  '日本 é',
  "'; DROP TABLE records; --",
  '$HOME',
  '\ufeffx',
];
const PATIENCE = { timeout: 600_000 };

it('users with similar and odd ids are apart in every reading command', PATIENCE, async () => {
  const cwd = temporaryWorkspace();
  const ids = [...ODD, ...userIds(campaign(11, 200))];
  const as = (user: string) => ['--agent', 'support', `--user=${user}`];
  for (const [i, user] of ids.entries()) {
    const added = await json<{ user: string }>(['memory', 'add', ...as(user), `canary quill${i}quill`], {
      cwd,
    });
    expect(added.user).toBe(user);
    await json(['log', 'add', ...as(user), `--thread=${user}`, `canary quill${i}quill`], { cwd });
  }
  for (const [i, user] of ids.entries()) {
    const told = await Promise.all(
      [
        ['memory', 'list', ...as(user)],
        ['memory', 'search', 'canary', ...as(user), '--limit', '50'],
        ['log', 'get', ...as(user), `--thread=${user}`],
        ['log', 'search', 'canary', ...as(user), '--all-threads'],
      ].map((args) => runCli([...args, '--json'], { cwd })),
    );
    const secrets = told.map(({ stdout }) => [...new Set(stdout.match(/quill\d+quill/g))]);
    expect([user, secrets]).toEqual([user, Array(4).fill([`quill${i}quill`])]);
  }
  const [first = ''] = ids;
  const receipt = await json<{ found: { records: number } }[]>(['erase', `--user=${first}`, '--yes'], {
    cwd,
  });
  expect(receipt[0]!.found.records).toBe(1);
  expect((await json<unknown[]>(['memory', 'list', '--limit', '1000'], { cwd })).length).toBe(ids.length - 1);
});
