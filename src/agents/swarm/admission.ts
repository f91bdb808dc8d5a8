/** Refuses model calls of a participant when the budget of its run is used up. */
import type { ChatModel } from '../../ports/language-model.ts';
import type { Models } from '../../ports/model-meter.ts';

/** The same models; `admit` throws when no further call may begin. */
export function admitted(models: Models, admit: () => void): Models {
  return {
    main: admittedModel(models.main, admit),
    light: admittedModel(models.light, admit),
    meter: models.meter,
    fork: (onCall) => admitted(models.fork(onCall), admit),
  };
}

function admittedModel(model: ChatModel, admit: () => void): ChatModel {
  return {
    id: model.id,
    chat: (request) => {
      admit();
      return model.chat(request);
    },
    generate: async (request) => {
      admit();
      return model.generate(request);
    },
  };
}
