/** Agents in Markdown files that talk to a scripted model, in this process, as the command line opens them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { agentSettings, agentsFind } from '../../../src/administration/agent-definitions.ts';
import type { AgentHandle, Client, ClientOptions } from '../../../src/index.ts';
import type { Script } from '../../../src/testing/index.ts';
import { type Scene, scene } from '../fixture.ts';

export interface MarkdownScene extends Scene {
  write(path: string, text: string): void;
  /** The agent that agents/<name>.md defines. */
  defined(name: string, client?: Client): Promise<AgentHandle>;
}

export async function markdownScene(script: Script, options: ClientOptions = {}): Promise<MarkdownScene> {
  const world = await scene(script, options);
  const { folder, client, server } = world;
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  return {
    ...world,
    write,
    defined: async (name, owner = client) => {
      const { definition } = await agentsFind({ workspace: folder, name });
      const { config } = await owner.open();
      const model = server.model('scripted/model', { retries: 0 });
      return owner.agent({ ...agentSettings(definition, config), model });
    },
  };
}
