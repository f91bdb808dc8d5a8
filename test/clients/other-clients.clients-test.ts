/** Codex, opencode, Qwen Code, Gemini CLI, Continue and Cline from npm: installed with one command, they store in one session and recall in the next. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Machine, machine } from './support/machine.ts';

interface Subject {
  readonly program: string;
  prepare(world: Machine): void;
  args(prompt: string, world: Machine): string[];
}

const SUBJECTS: Readonly<Record<string, Subject>> = {
  codex: {
    program: 'codex',
    prepare: ({ write, model }) =>
      write(
        '.codex/config.toml',
        `# mine\nmodel = "gpt-5"\nmodel_provider = "loop"\napproval_policy = "never"\n\n[model_providers.loop]\nname = "loop"\nbase_url = "${model.url}/v1"\nwire_api = "responses"\n`,
      ),
    args: (prompt) => ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', prompt],
  },
  opencode: {
    program: 'opencode',
    prepare: ({ write, model }) => {
      const options = { baseURL: `${model.url}/v1`, apiKey: 'x' };
      const provider = { loop: { npm: '@ai-sdk/openai-compatible', options, models: { m: {} } } };
      write('.config/opencode/opencode.json', JSON.stringify({ provider, model: 'loop/m' }));
    },
    args: (prompt) => ['run', prompt],
  },
  qwen: {
    program: 'qwen',
    prepare: ({ write }) =>
      write('.qwen/settings.json', '{ "security": { "auth": { "selectedType": "openai" } } }'),
    args: (prompt) => ['--yolo', '-p', prompt],
  },
  gemini: {
    program: 'gemini',
    prepare: ({ write }) =>
      write('.gemini/settings.json', '{ "security": { "auth": { "selectedType": "gemini-api-key" } } }'),
    args: (prompt) => ['--skip-trust', '--yolo', '-m', 'gemini-2.5-pro', '-p', prompt],
  },
  continue: {
    program: 'cn',
    prepare: ({ write, model }) =>
      write(
        '.continue/config.yaml',
        `name: mine\nversion: 0.0.1\nschema: v1\nmodels:\n  - name: loop\n    provider: openai\n    model: m\n    apiBase: ${model.url}/v1\n    apiKey: x\n    capabilities: [tool_use]\n`,
      ),
    // Of the settings in the home it takes those of its own account unless they are named.
    args: (prompt, { home }) => ['--config', join(home, '.continue/config.yaml'), '--auto', '-p', prompt],
  },
  cline: {
    program: 'cline',
    prepare: ({ write, model }) => {
      const settings = {
        ...{ provider: 'openai-compatible', apiKey: 'x', model: 'm', baseUrl: `${model.url}/v1` },
      };
      const providers = {
        'openai-compatible': { settings, updatedAt: '2026-01-01T00:00:00.000Z', tokenSource: 'manual' },
      };
      write(
        '.cline/data/settings/providers.json',
        JSON.stringify({ version: 1, lastUsedProvider: 'openai-compatible', modes: {}, providers }),
      );
    },
    args: (prompt) => ['--auto-approve', 'true', prompt],
  },
};

const STORE = 'TOOL remember content=The staging server is called heron. END';
const ASK = 'TOOL recall query=name of the staging server END';

/** On a busy machine a client may ask its model before the server has listed its tools; then none was offered, and it is asked again. */
async function useTool(
  world: Machine,
  { program, args }: Subject,
  prompt: string,
  said: string,
): Promise<void> {
  const wasCalled = () =>
    world.model.requests.some(
      (request) =>
        request.includes(said) && /call_output|"role":"tool"|tool_result|"functionResponse":/.test(request),
    );
  for (let attempt = 0; attempt < 3 && !wasCalled(); attempt++)
    await world.client(program, args(prompt, world));
}

describe.each(Object.entries(SUBJECTS))('%s', (name, subject) => {
  const { prepare } = subject;

  it('lists the tools, stores, and recalls in another session, without a network', async () => {
    const world = await machine();
    prepare(world);
    const installed = await world.keepsake('mcp', 'install', name, '--yes');
    expect(installed.code, installed.stderr).toBe(0);
    await useTool(world, subject, STORE, STORE);
    const stored = await world.json<{ content: string }[]>('memory', 'list');
    expect(stored.map(({ content }) => content)).toEqual(['The staging server is called heron.']);
    const before = world.model.requests.length;
    await useTool(world, subject, ASK, ASK);
    const seen = world.model.requests.slice(before).filter((request) => request.includes('heron'));
    expect(seen.length).toBeGreaterThan(0);
    // The model reads a result once: as text or as data, whichever the client passes on.
    expect(seen[0]!.split('heron').length - 1).toBe(1);
    expect(seen[0]).toMatch(/mem_\w+/);
    const [status] = (
      await world.json<{ client: string; starts: boolean; lastUsed: number | null }[]>('mcp', 'status')
    ).filter(({ client }) => client === name);
    expect(status).toMatchObject({ starts: true, lastUsed: expect.any(Number) });
  });

  it('two sessions at once lose nothing', async () => {
    const world = await machine();
    prepare(world);
    await world.keepsake('mcp', 'install', name, '--yes');
    const store = (fact: string) => useTool(world, subject, `TOOL remember content=${fact} END`, fact);
    await Promise.all([store('Fact one of two.'), store('Fact two of two.')]);
    const stored = await world.json<{ content: string }[]>('memory', 'list');
    expect(stored.map(({ content }) => content).sort()).toEqual(['Fact one of two.', 'Fact two of two.']);
  });
});
