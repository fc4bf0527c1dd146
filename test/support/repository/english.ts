/** The longest sentence, in words. Text in backticks is one word. */
const longest = 25;

const heads = /^(what|whoever|whose|nobody|somebody|to what|by what)\b/i;

/** Phrases with a plainer word in the field. */
const phrases = [
  /\bgiv(?:es?|en|ing) back\b/,
  /\bt(?:akes?|aken|ook) (?:it |them )?back\b/,
  /\b(?:whoever|nobody|somebody)\b/,
  /\bcom(?:es?|ing) to\b/,
  /\b(?:is|are|was|were) told\b/,
  /\bgo(?:es)? on\b/,
  /\bcarr(?:y|ies|ied) out\b/,
  /\bstands?\b/,
  /\b(?:hold|holds|held)\b/,
  /\bmade up for\b/,
  /\bnews\b/,
  /\b(?:said|says)\b/,
  /\bbeside\b/,
  /\bpieces?\b/,
  /\blanes?\b/,
  /\bpayers?\b/,
  /\blast word\b/,
];

/** The mistakes in a text: long sentences, private words at their head, and private phrases. */
export function mistakesIn(text: string): readonly string[] {
  const plain = text.replaceAll(/`[^`]*`/g, 'code');
  const sentences = plain.split(/(?<=[.!?:;])\s+|\n\s*\n/).map((sentence) => sentence.trim());
  return [
    ...sentences
      .filter((sentence) => sentence.split(/\s+/).length > longest)
      .map((sentence) => `more than ${longest} words: ${sentence}`),
    ...sentences
      .filter((sentence) => heads.test(sentence))
      .map((sentence) => `a private head: ${sentence}`),
    ...phrases
      .filter((phrase) => phrase.test(plain))
      .map((phrase) => `${phrase.source}: ${plain.trim()}`),
  ];
}
