/** A swarm of two researchers and a lead on a real workspace, with a server that plays their models. */
import type { AgentOptions, Client, ClientOptions, SwarmOptions } from '../../../src/index.ts';
import type { ScriptedReply, ScriptedRequest } from '../../../src/testing/index.ts';
import { type Scene, scene } from '../fixture.ts';

export const TASK = 'How will Norway build its hydrogen economy?';
export const LEAD = 'editor';
export const WORKERS = ['researcher-1', 'researcher-2'];

export type Part = (request: ScriptedRequest, turn: number) => ScriptedReply | Promise<ScriptedReply>;

/** Who is asked is told by the model's name. */
export const askedAgent = ({ model }: ScriptedRequest): string => model;

export interface SwarmScene extends Scene {
  swarm(options?: Partial<SwarmOptions>, client?: Client): ReturnType<Client['swarm']>;
  member(name: string, options?: Partial<AgentOptions>): AgentOptions;
  /** The requests of one agent. */
  asked(agent: string): readonly ScriptedRequest[];
}

/** Each agent answers by its part; the turn counts its own requests. */
export async function swarmScene(
  parts: Readonly<Record<string, Part>>,
  options: ClientOptions = {},
): Promise<SwarmScene> {
  const turns = new Map<string, number>();
  const base = await scene((request) => {
    const agent = askedAgent(request);
    const turn = (turns.get(agent) ?? 0) + 1;
    turns.set(agent, turn);
    return parts[agent]?.(request, turn) ?? { status: 400, message: `${agent} has no part.` };
  }, options);
  const { server, client } = base;
  const member = (name: string, given: Partial<AgentOptions> = {}): AgentOptions => ({
    name,
    model: server.model(`scripted/${name}`, { retries: 0 }),
    ...given,
  });
  return {
    ...base,
    member,
    swarm: (given = {}, owner = client) =>
      owner.swarm({
        name: 'market',
        agents: WORKERS.map((name) => member(name)),
        lead: member(LEAD),
        ...given,
      }),
    asked: (agent) => server.requests.filter((request) => askedAgent(request) === agent),
  };
}
