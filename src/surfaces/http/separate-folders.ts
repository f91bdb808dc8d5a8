/** Refuses operations on files if servers have separate folders, because results would depend on the server. */
import type { Engine } from '../../client/index.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import type { AnyVerb } from '../../kernel/verb.ts';

const IN_FILES = /^(sections|notes|archive)\./;

function refusal(what: string): KeepsakeError {
  return new KeepsakeError(
    'UNSUPPORTED',
    `${what} are files, and the servers of this database have separate folders.`,
    {
      hint: 'Give all servers one folder and leave server.folders out, or use memories instead.',
    },
  );
}

export function refuseFiles(verb: AnyVerb, { config }: Engine): void {
  if (config.server.folders === 'separate' && IN_FILES.test(verb.name))
    throw refusal(`${verb.name.split('.')[0]}`);
}

/** The same engine without its services for files, for surfaces that call them under other names. */
export function withoutFiles(engine: Engine): Engine {
  if (engine.config.server.folders !== 'separate') return engine;
  const refusing = (what: string): never =>
    new Proxy(
      {},
      {
        get: () => () => Promise.reject(refusal(what)),
      },
    ) as never;
  return { ...engine, sections: refusing('Sections'), notes: refusing('Notes') };
}
