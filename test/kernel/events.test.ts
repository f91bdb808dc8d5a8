/** Listeners hear every event in order and cannot disturb one another. */
import { setImmediate as nextTick } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { EventHub, type KeepsakeEvent } from '../../src/kernel/events.ts';

const event = (seq: number): KeepsakeEvent => ({
  type: 'memory.forgotten',
  id: 'mem_1',
  at: 0,
  via: 'sdk',
  seq,
});

describe('the event hub', () => {
  it('tells every listener every event in order', () => {
    const hub = new EventHub();
    const heard: string[] = [];
    hub.subscribe(({ seq }) => heard.push(`a${seq}`));
    hub.subscribe(({ seq }) => heard.push(`b${seq}`));
    hub.publish([event(1), event(2)]);
    expect(heard).toEqual(['a1', 'b1', 'a2', 'b2']);
  });

  it('goes on when a listener throws, and hands over its error', () => {
    const errors: unknown[] = [];
    const hub = new EventHub((error) => errors.push(error));
    const heard: number[] = [];
    const broken = new Error('broken listener');
    hub.subscribe(() => {
      throw broken;
    });
    hub.subscribe(({ seq }) => heard.push(seq));
    hub.publish([event(1), event(2)]);
    expect(heard).toEqual([1, 2]);
    expect(errors).toEqual([broken, broken]);
  });

  it('survives a throwing listener without anyone to tell', () => {
    const hub = new EventHub();
    hub.subscribe(() => {
      throw new Error('broken listener');
    });
    expect(() => hub.publish([event(1)])).not.toThrow();
  });

  it('hands over the error of an asynchronous listener too', async () => {
    const errors: unknown[] = [];
    const hub = new EventHub((error) => errors.push(error));
    const broken = new Error('broken later');
    hub.subscribe(async () => {
      throw broken;
    });
    hub.publish([event(1)]);
    await nextTick();
    expect(errors).toEqual([broken]);
  });

  it('stops telling who unsubscribed, also in the middle of an event', () => {
    const hub = new EventHub();
    const heard: string[] = [];
    const stop = hub.subscribe(({ seq }) => {
      heard.push(`a${seq}`);
      stop();
    });
    hub.subscribe(({ seq }) => heard.push(`b${seq}`));
    hub.publish([event(1), event(2)]);
    expect(heard).toEqual(['a1', 'b1', 'b2']);
  });
});
