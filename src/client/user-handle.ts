/** The SDK handle of one user: what is known about a person, across all agents. */
import type { Call } from './call.ts';
import { AgentMemory, type ProfileOptions } from './sdk/index.ts';

export class UserHandle {
  /** As it was given; ids are compared character by character. */
  readonly id: string;
  /** Everything about this user. What is added here holds with every agent that serves this user. */
  readonly memory: AgentMemory;

  constructor(id: string, call: Call) {
    this.id = id;
    this.memory = new AgentMemory(call);
  }

  /** What is known about this user, as a short text in sections, with the memories that it rests on. */
  profile(options: ProfileOptions = {}): ReturnType<AgentMemory['profile']> {
    return this.memory.profile(options);
  }
}
