/** Keys, tokens and passwords: found by their shapes, and nothing else taken for one. */
import { describe, expect, it } from 'vitest';
import { createGuard } from '../../src/guard/index.ts';
import { findSecrets, redactSecrets, SECRET_SHAPES } from '../../src/guard/secrets.ts';
import { seededRandom } from '../../src/testing/index.ts';
import { testAgent } from '../fixtures/workspace.ts';

/** Put together here, so that no scanner of repositories takes these for real ones. */
const join = (...parts: string[]): string => parts.join('');
const body = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3hJ5';

const SECRETS: readonly (readonly [string, string])[] = [
  ['openai-key', join('sk-', body)],
  ['openai-key', join('sk-proj-', body, '_', body)],
  ['anthropic-key', join('sk-ant-', 'api03-', body)],
  ['github-token', join('ghp', '_', body)],
  ['github-token', join('github', '_pat_', body)],
  ['gitlab-token', join('glpat', '-', body.slice(0, 20))],
  ['aws-access-key', join('AKIA', 'Q3EGRIZ5HJ7KLMNO')],
  ['google-api-key', join('AIza', body.slice(0, 35))],
  ['slack-token', join('xoxb', '-123456789012-', body.slice(0, 16))],
  ['stripe-key', join('sk', '_live_', body)],
  ['npm-token', join('npm', '_', body)],
  ['huggingface-token', join('hf', '_', body)],
  ['google-oauth', join('ya29', '.', body)],
  ['slack-webhook', join('https://hooks', '.slack.com/services/', body.slice(0, 24))],
  ['pypi-token', join('pypi', '-', body)],
  ['sendgrid-key', join('SG', '.', body.slice(0, 22), '.', body)],
  ['telegram-token', join('123456789', ':AA', body.slice(0, 33))],
  ['jwt', join('eyJ', 'hbGciOiJIUzI1NiJ9', '.eyJ', 'zdWIiOiIxMjM0NTY3ODkwIn0', '.', body)],
  [
    'private-key',
    join('-----BEGIN RSA PRIV', 'ATE KEY-----\n', body, '\n', body, '\n-----END RSA PRIV', 'ATE KEY-----'),
  ],
];

describe('secrets', () => {
  it.each(SECRETS)('%s is taken out of the text around it', (name, secret) => {
    expect(redactSecrets(`before ${secret} after`)).toBe(`before [redacted: ${name}] after`);
  });

  it.each([
    ['password = "Tr0ub4dor&3x9"', 'password = "[redacted: password]"'],
    ['DB_PASSWORD=h7Gf!k29sLq', 'DB_PASSWORD=[redacted: password]'],
    ['The api_key is 9f8e7d6c5b4a39281706f5e4', 'The api_key is [redacted: password]'],
    [
      `aws_secret_access_key = ${'wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzABCDEF12'}`,
      'aws_secret_access_key = [redacted: aws-secret-key]',
    ],
    [
      'postgres://app:s3cr3tpw@db.internal/app',
      'postgres://app:[redacted: password-in-address]@db.internal/app',
    ],
    ['Her password is hunter2, I think', 'Her password is [redacted: password], I think'],
    ['Das Passwort ist sommer24', 'Das Passwort ist [redacted: password]'],
    ['Das Kennwort: sommer24', 'Das Kennwort: [redacted: password]'],
    ['La contraseña es verano24', 'La contraseña es [redacted: password]'],
    ['their pwd=h7Gf!k29sLq', 'their pwd=[redacted: password]'],
    ['auth-token: 9f8e7d6c5b4a39281706f5e4', 'auth-token: [redacted: password]'],
    ['The PIN code is 4711', 'The PIN code is [redacted: pin]'],
    ['Authorization: Bearer q9W8e7R6t5Y4u3I2o1P0a9S8', 'Authorization: Bearer [redacted: bearer-token]'],
  ])('%s', (text, redacted) => {
    expect(redactSecrets(text)).toBe(redacted);
  });

  it.each([
    'password: string; token: number',
    'password=process.env.DB_PASSWORD',
    'api_key = "<your key here>"',
    'token = $TOKEN_OF_2026',
    'The password is in the vault.',
    'Her password is long; ask her for it.',
    'secret: getSecret(name)',
    'The password is sha256-hashed and salted.',
    'pin: GPIO 17 is the reset pin',
    'The password is 14 characters long.',
    'sk-learn is a library, and task-oriented too',
    'commit 3f2504e04f8941d39a0c0305e82c3301',
    'npm_config_registry and hf_hub are settings',
    'uuid 123e4567-e89b-12d3-a456-426614174000',
    'http://user@example.com and ssh://git@host/path',
  ])('%s holds none', (text) => {
    expect(findSecrets(text)).toEqual([]);
    expect(redactSecrets(text)).toBe(text);
  });

  it('the first look misses none of what the shapes find', () => {
    const random = seededRandom(5);
    const words =
      `password passwd Passphrase pwd secret API-KEY apikey access_key auth-token token client_secret Passwort Kennwort
      contraseña pin PIN-code bearer aws_secret aws is was ist es : = :// @ " ' my_ the a task- x.`.split(
        /\s+/,
      );
    const parts = [
      ...words,
      ' ',
      ' ',
      '\t',
      body,
      body.slice(0, 16),
      '4711',
      'hunter2x',
      ...SECRETS.map(([, secret]) => secret),
    ];
    const isThere = (text: string): boolean =>
      SECRET_SHAPES.some(({ shape, group = 0, accept = () => true }) =>
        [...text.matchAll(shape)].some((match) => accept(match[group]!)),
      );
    let there = 0;
    for (let i = 0; i < 5_000; i++) {
      const text = Array.from({ length: 1 + random.below(9) }, () => random.pick(parts)).join(
        random.pick(['', ' ']),
      );
      expect([text, findSecrets(text).length > 0]).toEqual([text, isThere(text)]);
      if (isThere(text)) there++;
    }
    expect(there).toBeGreaterThan(1_000);
  });

  it('several of one text are taken out in their order, whatever the order of their shapes', () => {
    const [github, aws, anthropic] = [SECRETS[3]![1], SECRETS[6]![1], SECRETS[2]![1]];
    const text = `a ${aws} b ${github} c ${anthropic} d`;
    expect(findSecrets(text).map(({ name }) => name)).toEqual([
      'aws-access-key',
      'github-token',
      'anthropic-key',
    ]);
    expect(redactSecrets(text)).toBe(
      'a [redacted: aws-access-key] b [redacted: github-token] c [redacted: anthropic-key] d',
    );
  });

  it.each([
    ['letters alone', 'abcdefghijklmnopqrstuvw', false],
    ['digits alone', '12345678901234567890123', false],
    ['two kinds, short', 'abcdef1234', false],
    ['two kinds, 15 long', 'abcdefgh1234567', false],
    ['two kinds, 16 long', 'abcdefgh12345678', true],
    ['three kinds, short', 'Abcdef1234', true],
    ['three kinds with a sign', 'abc-def123', true],
    ['little variety', 'Aa1Aa1Aa1Aa1Aa1Aa1', false],
    ['a placeholder', 'your-Key-12345678', false],
    ['a call', 'getKey1(Name)x', false],
  ])('a value of %s after api_key: %s', (_, value, isSecret) => {
    expect(findSecrets(`api_key = ${value}`).length > 0).toBe(isSecret);
  });

  it('several are found in the order of the text, none inside another', () => {
    const text = `token=${SECRETS[3]![1]} and ${SECRETS[6]![1]}`;
    const found = findSecrets(text);
    expect(found.map(({ name }) => name)).toEqual(['github-token', 'aws-access-key']);
    expect(found[0]!.end).toBeLessThanOrEqual(found[1]!.start);
    expect(redactSecrets(redactSecrets(text))).toBe(redactSecrets(text));
  });
});

describe('what becomes of a secret', () => {
  const key = SECRETS[6]![1];

  it('is left out before anything is stored, and nowhere on disk', async () => {
    const { memory, client, bytes } = testAgent();
    const { id } = await memory.add({ content: `The key is ${key}.`, tags: ['deploy', key] });
    expect(await memory.get(id)).toMatchObject({
      content: 'The key is [redacted: aws-access-key].',
      tags: ['deploy', '[redacted: aws-access-key]'],
    });
    expect(await memory.update(id, { content: `Now it is ${key}!` })).toMatchObject({
      content: 'Now it is [redacted: aws-access-key]!',
      version: 2,
    });
    await client.close();
    expect(bytes()).not.toContain(key);
  });

  it('block: the text is refused, and waits in quarantine without it', async () => {
    const { memory, client, bytes } = testAgent({ config: { guard: { secrets: 'block' } } });
    await expect(memory.add({ content: `The key is ${key}.` })).rejects.toMatchObject({
      code: 'BLOCKED',
      details: { reasons: ['secret:aws-access-key'] },
    });
    const { quarantine } = await client.open();
    expect(await quarantine.list({}, { viewer: { role: 'admin' }, via: 'sdk' })).toMatchObject([
      { content: 'The key is [redacted: aws-access-key].', reasons: ['secret:aws-access-key'] },
    ]);
    await client.close();
    expect(bytes()).not.toContain(key);
  });

  it('allow: it is stored as it is', async () => {
    const { memory } = testAgent({ config: { guard: { secrets: 'allow' } } });
    expect(await memory.add({ content: key })).toMatchObject({ content: key });
  });

  it('a category is a name, and cannot hold one', () => {
    const guard = createGuard({ secrets: 'redact' });
    const verdict = guard.inspect({ content: 'x', category: key, tags: [], origin: 'user' });
    expect(verdict).toMatchObject({ allowed: false, reasons: ['secret:aws-access-key'] });
  });
});
