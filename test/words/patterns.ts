/** Patterns of docs/style.md: how sentences must not begin, and words that the trade does not use. */

/** Begins a line, a sentence or a table cell. */
const START = String.raw`(?:^|[.:;|]\s)`;

type Patterns = Readonly<Record<string, string>>;

/** Never right: a text with one of them is refused. */
const ERRORS: Patterns = {
  "clause-start": String.raw`${START}(?:What|Whatever|Who|Whoever|Whose|Whom)\b(?![^.\n]*\?)`,
  "of-start": String.raw`${START}Of\b(?! course)`,
  "the-same": String.raw`\b[Tt]he same (?:of|by|as|with|for|from|in)\b|${START}The same\b`,
  "so-many": String.raw`\b[Ss]o (?:many|much|long|often)\b(?! as\b)`,
  "those-start": String.raw`${START}(?:Those|That which|Only (?:those|these|this|of|what))\b`,
  counts: String.raw`\bcounts?(?= (?:for|beside|before|from|until|in|there|it|any|no|too|then|as usual|what)\b|[.,;])`,
  lies: String.raw`\bl(?:ie|ies|ay|ying)\b`,
  born: String.raw`\bborn\b|\bcom(?:e|es|ing) into being\b`,
  anew: String.raw`\banew\b`,
  "on-record": String.raw`\bon record\b`,
  "is-no": String.raw`\b(?:is|are|was|were) no (?!longer\b|more\b|one\b)[A-Za-z]+`,
  "since-present": String.raw`\b(?:is|are) (?:known|kept|recorded|supported) since\b`,
  "has-to": String.raw`\b(?:has|have) to be(?:gin)?\b`,
  "falls-short": String.raw`\bf[ae]ll(?:s|ing)? short\b`,
  "vouch-mend": String.raw`\bvouch\w*\b|\bmend\w*\b`,
  "take-back": String.raw`\bt(?:ake|akes|aken|aking)\b[^.\n]{0,25}\bback\b`,
  somebody: String.raw`\b(?:some|no|every)body\b`,
  "unless-given": String.raw`\bunless (?:given|set)\b|\bleft out\b`,
  "for-ever": String.raw`\bfor ever\b`,
  "cannot-odd": String.raw`\bcannot be (?:meant|said|told|understood|looked at|looked through|begun)\b`,
  image: String.raw`\bword against\b|\b[Ww]alls?\b|\bneeds? care\b|\b[Gg]ap\b|\bthrow-away\b`,
};

/** Never right in help, options, errors and the console; a sentence of a document may begin so. */
const ERRORS_IN_SHORT_TEXTS: Patterns = {
  "pronoun-start": String.raw`${START}(?:It|Its|They|Their) `,
};

/** Seldom right: a line that needs one has a comment with the reason. */
const WARNINGS: Patterns = {
  "those-that": String.raw`\b(?:those|all) (?:that|who|of those)\b`,
  "what-clause": String.raw`\b(?:of|to|by|for|with|as|from|in|on|and|but|than|shows?|says?|is|are) what (?:is|was|are|were|has|had|it|they|a|an|the|one|others|there|other)\b`,
  whoever: String.raw`\b[Ww]ho(?:ever|soever)\b|\b[Ww]hatever\b|\b(?:to|by|for|of|from|with) who\b`,
  begin: String.raw`\bbeg(?:in|ins|an|un|inning)\b(?! with)`,
  goes: String.raw`\b(?:goes|gone)\b`,
  "is-given": String.raw`\b(?:is|are|was|were|be) given\b|\bgiven to\b`,
  "is-made": String.raw`\b(?:is|are|was|were|be|been) made\b|\b[Mm]ade when\b`,
  "is-told": String.raw`\b(?:is|are|was|were|be|been) told\b`,
  says: String.raw`\bsa(?:y|ys|id)\b`,
  ask: String.raw`\bask(?:s|ed)? of\b|\bask(?:s|ed)? for(?! confirmation)\b|\bspeaks? of\b`,
  "any-more": String.raw`\b(?:any|no) more\b|\bany longer\b`,
  meanwhile: String.raw`\bmeanwhile\b`,
  "at-once": String.raw`\bat once\b`,
  lives: String.raw`\b(?:lives|lived|living)\b|\b(?:tokens?|it|they|that) live\b`,
  beside: String.raw`\bbeside\b`,
  "put-on": String.raw`\b[Pp]uts? (?:[a-z]+ ){0,2}on\b|\b[Tt]ak(?:e|es|en) (?:[a-z]+ ){0,2}off\b`,
  "goes-on": String.raw`\b(?:go|goes|going|went) on\b`,
  "comes-to": String.raw`\bcom(?:e|es) (?:to|of|along|by)\b`,
};

/** Words of a sentence in a document, and colons and semicolons in it. */
const MAX_WORDS = 25;
const MAX_COLONS = 1;

const compiled = (patterns: Patterns) =>
  Object.entries(patterns).map(([rule, pattern]) => [rule, new RegExp(pattern, "gm")] as const);
const EVERYWHERE = [...compiled(ERRORS), ...compiled(WARNINGS)];
const SHORT = [...EVERYWHERE, ...compiled(ERRORS_IN_SHORT_TEXTS)];

const ERROR_RULES: ReadonlySet<string> = new Set([...Object.keys(ERRORS), ...Object.keys(ERRORS_IN_SHORT_TEXTS)]);

export function isError(rule: string): boolean {
  return ERROR_RULES.has(rule);
}

/** A text as a reader sees it. */
export interface Text {
  readonly text: string;
  readonly line: number;
  /** A text of the program, not a paragraph of a document. */
  readonly isShort: boolean;
}

export interface Finding {
  readonly rule: string;
  readonly line: number;
  readonly words: string;
}

/** @returns where a text breaks the rules, in no order */
export function findingsIn({ text, line, isShort }: Text): Finding[] {
  const found: Finding[] = [];
  for (const [rule, pattern] of isShort ? SHORT : EVERYWHERE) {
    for (const { index } of text.matchAll(pattern)) found.push({ rule, line, words: around(text, index) });
  }
  // Cells of a table are fragments.
  return isShort || text.startsWith("|") ? found : [...found, ...longSentences(text, line)];
}

function longSentences(text: string, line: number): Finding[] {
  const sentences = text.split("\n").flatMap((each) => each.split(/(?<=[.!?])\s+/));
  return sentences.flatMap((sentence) => {
    const words = sentence.split(/\s+/).filter((word) => /\w/.test(word)).length;
    const colons = sentence.match(/[:;](?=\s)/g)?.length ?? 0;
    return [
      ...(words > MAX_WORDS ? [{ rule: "max-words", line, words: `${words} words: ${sentence.slice(0, 80)}` }] : []),
      ...(colons > MAX_COLONS ? [{ rule: "max-colons", line, words: sentence.slice(0, 80) }] : []),
    ];
  });
}

function around(text: string, index: number): string {
  return text
    .slice(Math.max(0, index - 20), index + 60)
    .replaceAll("\n", " ")
    .trim();
}
