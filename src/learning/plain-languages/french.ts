/** What a person plainly asks to keep, in French. */
import { capitalised, type PlainLanguage, rule } from './language.ts';

const POLITE = String.raw`(?:(?:s['’]il\s+(?:te|vous)\s+pla[iî]t|stp|svp|et|ok|merci|d['’]accord|aussi|au\s+fait|ah)\s*[,!]?\s+)*`;
const THAT = String.raw`(?:\s+que\s+|\s+qu['’]\s*|\s*:\s*)(?<said>.+)$`;
/** Orders to one person look like statements about somebody, so only those that are given often. */
const ORDER =
  '(?:lance|utilise|écris|exécute|vérifie|ajoute|mets|garde|fais|réponds|teste|commence|documente|nomme|préfère|demande|emploie|formate|relis|crée|choisis|explique|importe|évite|laisse|place|range|trie|valide|\\p{L}+ez)';

export const FRENCH: PlainLanguage = {
  requests: [
    rule(
      String.raw`^${POLITE}(?:retiens|retenez|souviens-toi|souvenez-vous|rappelle-toi|rappelez-vous|gardez?\s+(?:en\s+tête|à\s+l['’]esprit|en\s+mémoire))(?:\s+(?:bien|aussi|également))*${THAT}`,
    ),
    rule(String.raw`^${POLITE}n['’]oubliez?\s+(?:surtout\s+)?pas(?:\s+non\s+plus)?${THAT}`),
    rule(
      String.raw`^${POLITE}(?:peux-tu|pourrais-tu|pouvez-vous|pourriez-vous)\s+(?:te\s+souvenir|vous\s+souvenir|retenir|garder\s+en\s+tête)${THAT}`,
    ),
    rule(
      String.raw`^${POLITE}(?:désormais|dorénavant|à\s+partir\s+de\s+maintenant|à\s+l['’]avenir)\s*[,:]?\s+(?!(?:ça|cela|tout|il|elle)\s|c['’])(?<said>.+)$`,
    ),
  ],
  proposals: [
    rule(String.raw`^${POLITE}(?<said>${ORDER}\s+toujours\s+(?!pas\b|aussi\b|en\s+train).+)$`),
    rule(
      String.raw`^${POLITE}(?<said>n(?:e\s+|['’])(?!marche|fonctionne|passe|répond|termine|finit|compile|démarre|arrive|est\s|a\s|ai\s)\p{L}+(?:e|s|ez)\s+jamais\s+.+)$`,
    ),
    rule(
      String.raw`^${POLITE}(?<said>(?:nous\s+avons|on\s+a|l['’]équipe\s+a)\s+(?:décidé|convenu|choisi)\s+(?:de\s+|d['’]|que\s+|qu['’]).+)$`,
    ),
    rule(
      String.raw`^non\s*[,.:]?\s+(?<said>(?:c['’]est|ce\s+sont|(?:(?:le|la|les|notre|nos|mon|ma|mes)\s+|l['’])[\p{L}\d_ '’-]{1,60}?\s+(?:est|sont|s['’]appelle))\s+[^,]{1,80},\s*(?:et\s+)?(?:pas|non)\s+.+)$`,
    ),
  ],
  asksFor: /(?:peux-tu|pourrais-tu|pouvez-vous|pourriez-vous)\s/i,
  notMeant: /^\S+[.!]*$|^c['’]est\s+(?:bon|bien|ok|grave|fini|parfait|normal|clair)[\s,]/i,
  passing:
    /(?:pour le moment|pour l['’]instant|cette fois|aujourd['’]hui|ce soir|(?:dans|pour) cette (?:pr|session|branche|tâche|conversation)|(?:dans|pour) ce (?:fichier|commit|chat|cas)|jusqu['’]à ce que|quand tu (?:auras|as) fini)/i,
  sentence: (said) =>
    /(?:^|\s)(?:je\s|j['’]|me\s|m['’]|mon\s|ma\s|mes\s|moi[\s,.!])/i.test(said)
      ? `L'utilisateur dit : ${said}`
      : capitalised(said),
};
