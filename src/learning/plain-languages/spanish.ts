/** What a person plainly asks to keep, in Spanish. */
import { capitalised, type PlainLanguage, rule } from './language.ts';

const POLITE = String.raw`[¿¡]?(?:(?:por\s+favor|y|ok|gracias|vale|también|ah|oye|además|por\s+cierto)\s*[,!]?\s+[¿¡]?)*`;
const THAT = String.raw`(?:\s+(?:de\s+)?que\s+|\s*:\s*)(?<said>.+)$`;
/** Orders to one person look like statements about somebody, so only those that are given often. */
const ORDER =
  '(?:usa|ejecuta|escribe|comprueba|revisa|añade|agrega|pon|haz|responde|prueba|documenta|nombra|prefiere|pregunta|formatea|elige|explica|importa|evita|valida|lanza|utiliza|verifica|mantén|incluye|guarda|use|utilice|ejecute|escriba|revise)';
/** Orders not to do something have a form of their own. */
const FORBIDDEN = String.raw`(?:(?!eres\s|puedes\s|tienes\s|quieres\s|sabes\s|haces\s|dices\s|ves\s|entiendes\s)\p{L}+es|hagas|escribas|pongas|subas|añadas|rompas|metas|digas|traduzcas|abras|use|edite|toque|borre|haga)`;

export const SPANISH: PlainLanguage = {
  requests: [
    rule(
      String.raw`^${POLITE}(?:recuerda|recuerde|recuerden|acuérdate|acuérdese|ten(?:ga)?\s+(?:en\s+cuenta|presente))(?:\s+(?:también|bien|siempre))*${THAT}`,
    ),
    rule(String.raw`^${POLITE}no\s+(?:(?:te|se)\s+)?(?:olvides|olvide)${THAT}`),
    rule(
      String.raw`^${POLITE}(?:puedes|podrías|puede|podría)\s+(?:recordar|acordarte|tener\s+en\s+cuenta)${THAT}`,
    ),
    rule(
      String.raw`^${POLITE}(?:a\s+partir\s+de\s+ahora|de\s+ahora\s+en\s+adelante|en\s+adelante|en\s+el\s+futuro)\s*[,:]?\s+(?!(?:esto|eso|todo|va|será|funciona|podría|podríamos|quizás?)\s)(?<said>.+)$`,
    ),
  ],
  proposals: [
    rule(String.raw`^${POLITE}(?<said>(?:${ORDER}\s+siempre|siempre\s+${ORDER})\s+.+)$`),
    rule(String.raw`^${POLITE}(?<said>(?:nunca\s+${FORBIDDEN}|no\s+${FORBIDDEN}\s+nunca)\s+.+)$`),
    rule(
      String.raw`^${POLITE}(?<said>(?:hemos\s+(?:decidido|acordado)|decidimos|acordamos|el\s+equipo\s+(?:ha\s+decidido|decidió|ha\s+acordado|acordó))\s+.+)$`,
    ),
    rule(
      String.raw`^no[,.:]\s+(?<said>(?:(?:el|la|los|las|nuestr[oa]s?|mis?)\s+[\p{L}\d_ -]{1,60}?\s+)?(?:es|son|se\s+llama)\s+[^,]{1,80},\s*(?:y\s+)?no\s+.+)$`,
    ),
  ],
  asksFor: /^[¿¡]?.{0,20}(?:puedes|podrías|puede|podría)\s/i,
  notMeant:
    /^\S+[.!]*$|^es\s+(?:broma|igual|normal|verdad|suficiente)[\s,]|^siempre\s+usa\s+(?:much|demasiad)/i,
  passing:
    /(?:por ahora|de momento|por el momento|esta vez|hoy|esta noche|en est[ea] (?:pr|rama|sesión|tarea|commit|archivo|chat|conversación|caso)|hasta que|cuando (?:termines|acabes))/i,
  sentence: (said) =>
    /(?:^|\s)(?:yo|me|mi|mis|mí)\s|^(?:uso|prefiero|trabajo|vivo|soy|tengo|quiero|necesito|estoy)\s/i.test(
      said,
    )
      ? `El usuario dice: ${said}`
      : capitalised(said),
};
