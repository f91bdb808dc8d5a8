/** One user, as the SDK shows them: what is known about a person, with whichever agent. */
import type { Call } from './call.ts';
import { AgentMemory } from './sdk/index.ts';

export class UserHandle {
  /** As it was given; ids are compared character by character. */
  readonly id: string;
  /** Everything about this user. What is added here holds with every agent that serves this user. */
  readonly memory: AgentMemory;

  constructor(id: string, call: Call) {
    this.id = id;
    this.memory = new AgentMemory(call);
  }
}
