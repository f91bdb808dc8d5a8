/** Decodes the character references of HTML: all numbers, and the names that occur in practice. */

/** Names of the characters 160 to 255, in order. */
const LATIN =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';

const OTHERS =
  'amp:26 lt:3c gt:3e quot:22 apos:27 ndash:2013 mdash:2014 lsquo:2018 rsquo:2019 sbquo:201a ldquo:201c rdquo:201d bdquo:201e dagger:2020 Dagger:2021 bull:2022 hellip:2026 permil:2030 prime:2032 Prime:2033 lsaquo:2039 rsaquo:203a euro:20ac trade:2122 larr:2190 uarr:2191 rarr:2192 darr:2193 harr:2194 rArr:21d2 hArr:21d4 forall:2200 part:2202 exist:2203 empty:2205 isin:2208 notin:2209 sum:2211 minus:2212 radic:221a infin:221e cap:2229 cup:222a asymp:2248 ne:2260 equiv:2261 le:2264 ge:2265 check:2713 cross:2717 alpha:3b1 beta:3b2 gamma:3b3 delta:3b4 epsilon:3b5 lambda:3bb mu:3bc pi:3c0 sigma:3c3 tau:3c4 phi:3c6 omega:3c9 Delta:394 Sigma:3a3 Omega:3a9 OElig:152 oelig:153 Scaron:160 scaron:161 fnof:192 ensp:2002 emsp:2003 thinsp:2009 zwnj:200c zwj:200d NewLine:a Tab:9 lbrace:7b rbrace:7d lbrack:5b rbrack:5d num:23 sol:2f bsol:5c lowbar:5f grave:60 verbar:7c commat:40';

const NAMES = new Map<string, string>([
  ...LATIN.split(' ').map((name, i): [string, string] => [name, String.fromCodePoint(160 + i)]),
  ...OTHERS.split(' ').map((pair): [string, string] => {
    const [name, code] = pair.split(':') as [string, string];
    return [name, String.fromCodePoint(Number.parseInt(code, 16))];
  }),
]);

const REPLACEMENT = '\ufffd';

function fromNumber(code: number): string {
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : REPLACEMENT;
}

/** The text that was meant. What is not a reference stays as it is. */
export function decodeEntities(text: string): string {
  // Bounded, so that a run of ampersands costs no more than its length.
  return text.replace(
    /&(?:#(\d{1,8})|#[xX]([\da-fA-F]{1,8})|([A-Za-z][A-Za-z\d]{0,31}));?/g,
    (all, decimal, hex, name) => {
      if (decimal !== undefined) return fromNumber(Number.parseInt(decimal, 10));
      if (hex !== undefined) return fromNumber(Number.parseInt(hex, 16));
      return all.endsWith(';') ? (NAMES.get(name) ?? all) : all;
    },
  );
}
