/** Agents on a real workspace that talk to a real server, which plays their model. */
import { onTestFinished } from 'vitest';
import type { AgentOptions, Client, ClientOptions } from '../../src/index.ts';
import type { ChatMessage } from '../../src/ports/language-model.ts';
import {
  type Script,
  type ScriptedModel,
  type ScriptedRequest,
  type ScriptedToolCall,
  scriptedModel,
} from '../../src/testing/index.ts';
import { type TestWorkspace, testWorkspace } from '../fixtures/workspace.ts';

export async function modelServer(script: Script = []): Promise<ScriptedModel> {
  const server = await scriptedModel(script);
  onTestFinished(() => server.close());
  return server;
}

export interface Scene extends TestWorkspace {
  readonly client: Client;
  readonly server: ScriptedModel;
  /** An agent that talks to the server. */
  agent(options?: Partial<AgentOptions>, client?: Client): ReturnType<Client['agent']>;
}

/** No pauses between attempts, and no attempts beyond the first unless a test wants them. */
export async function scene(script: Script = [], options: ClientOptions = {}): Promise<Scene> {
  const server = await modelServer(script);
  const workspace = testWorkspace();
  const client = workspace.open(options);
  return {
    ...workspace,
    client,
    server,
    agent: (given = {}, owner = client) =>
      owner.agent({ name: 'alice', model: server.model('scripted/model', { retries: 0 }), ...given }),
  };
}

export function textOf({ content }: ChatMessage): string {
  if (typeof content === 'string') return content;
  return content
    .map((part) =>
      part.type === 'text'
        ? part.text
        : part.type === 'toolCall'
          ? `${part.name}(${JSON.stringify(part.arguments)})`
          : `${part.name} → ${part.result}`,
    )
    .join(' | ');
}

/** The messages of a request as `role: text`, without the system message unless it is wanted. */
export function said(request: ScriptedRequest | undefined): string[] {
  return (request?.messages ?? [])
    .filter(({ role }) => role !== 'system')
    .map((message) => `${message.role}: ${textOf(message)}`);
}

export function systemOf(request: ScriptedRequest | undefined): string {
  return (request?.messages ?? [])
    .filter(({ role }) => role === 'system')
    .map(textOf)
    .join('\n\n');
}

export function toolNames(request: ScriptedRequest | undefined): string[] {
  return (request?.tools ?? []).map(({ name }) => name);
}

/** A reply that calls tools. */
export function calls(...toolCalls: readonly ScriptedToolCall[]): { toolCalls: readonly ScriptedToolCall[] } {
  return { toolCalls };
}

export function call(name: string, given: unknown = {}): { toolCalls: readonly [ScriptedToolCall] } {
  return { toolCalls: [{ name, arguments: given }] };
}
