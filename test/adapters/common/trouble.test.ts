/** Memory that fails or is late must not break the call of the program, and what it could not store is stored later. */
import { describe, expect, it, vi } from 'vitest';
import { Trouble } from '../../../src/adapters/common/trouble.ts';
import { KeepsakeError } from '../../../src/kernel/errors.ts';

const unavailable = () => Promise.reject(new KeepsakeError('UNAVAILABLE', 'The server does not answer.'));

describe('reading', () => {
  it('returns what memory answers', async () => {
    expect(await new Trouble('test', {}).read(async () => 7)).toBe(7);
  });

  it('goes on without memory that fails, and reports it once until it works again', async () => {
    const onTrouble = vi.fn();
    const trouble = new Trouble('test', { onTrouble });
    expect(await trouble.read(unavailable)).toBeUndefined();
    expect(await trouble.read(unavailable)).toBeUndefined();
    expect(onTrouble).toHaveBeenCalledTimes(1);
    await trouble.read(async () => 'works');
    await trouble.read(unavailable);
    expect(onTrouble).toHaveBeenCalledTimes(2);
  });

  it('goes on without memory that is late, and cancels what it waited for', async () => {
    const onTrouble = vi.fn();
    const trouble = new Trouble('test', { onTrouble, timeoutMs: 5 });
    let wasCancelled = false;
    const answer = await trouble.read(
      (signal) => new Promise(() => signal.addEventListener('abort', () => (wasCancelled = true))),
    );
    expect(answer).toBeUndefined();
    expect(wasCancelled).toBe(true);
    expect(onTrouble.mock.calls[0]?.[0]).toMatchObject({ code: 'TIMEOUT' });
  });

  it('throws with strict', async () => {
    await expect(new Trouble('test', { strict: true }).read(unavailable)).rejects.toThrow('does not answer');
  });

  it('warns the process when nobody else listens', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    try {
      await new Trouble('keepsake/test', {}).read(unavailable);
      expect(warn.mock.calls[0]?.[0]).toBe(
        'keepsake/test continues without memory: The server does not answer.',
      );
    } finally {
      warn.mockRestore();
    }
  });
});

describe('writing', () => {
  it('keeps what could not be stored and stores it, in order, before the next write', async () => {
    const stored: string[] = [];
    let works = false;
    const store = (text: string) => async () => {
      if (!works) await unavailable();
      stored.push(text);
    };
    const trouble = new Trouble('test', { onTrouble: () => {} });
    await trouble.write(store('one'));
    await trouble.write(store('two'));
    expect(await trouble.settled()).toEqual({ waiting: 2 });
    works = true;
    await trouble.write(store('three'));
    expect(stored).toEqual(['one', 'two', 'three']);
    expect(await trouble.settled()).toEqual({ waiting: 0 });
  });

  it('does not let a write that can never succeed hold up the others', async () => {
    const stored: string[] = [];
    const trouble = new Trouble('test', { onTrouble: () => {} });
    await trouble.write(() => Promise.reject(new KeepsakeError('BLOCKED', 'The guard refused it.')));
    await trouble.write(async () => stored.push('next'));
    expect(stored).toEqual(['next']);
  });

  it('throws with strict', async () => {
    const trouble = new Trouble('test', { strict: true });
    await expect(trouble.write(unavailable)).rejects.toThrow('does not answer');
  });
});
