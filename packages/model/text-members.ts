/** Member of an object that is text without a further meaning: it is stored, shown and compared as it is. */
export interface TextMember {
  /** Name in the API. The column has the same name in snake case, the member of stored objects in camel case. */
  readonly wire: string;
  /** Name as a flag of commands, and as a key of declared files. */
  readonly flag: string;
  /** Sentence in the help of the flag. */
  readonly help: string;
  /** Label in the console, and title of the column in lists of commands. */
  readonly label: string;
  /** Example in the console's form. */
  readonly example?: string;
}

const DESCRIPTION = {
  wire: "Description",
  flag: "description",
  help: "Description.",
  label: "Description",
} as const satisfies TextMember;

/**
 * Text members by kind of `/v1`, in their order on the wire: the flags and columns of commands, the keys of declared files, and the
 * fields and commands of the console. The server reads those of policies and roles here too.
 */
export const TEXT_MEMBERS = {
  partition: [{ ...DESCRIPTION, example: "All teams of the subsidiary" }],
  namespace: [{ ...DESCRIPTION, example: "Cards and invoices" }],
  policy: [{ ...DESCRIPTION, example: "Deployments of the web services" }],
  role: [{ ...DESCRIPTION, example: "Members of the shop team" }],
  "auth-method": [DESCRIPTION],
  "binding-rule": [DESCRIPTION],
  token: [DESCRIPTION],
  "decision-mapping": [DESCRIPTION],
} as const satisfies Readonly<Record<string, readonly TextMember[]>>;

export type KindWithTexts = keyof typeof TEXT_MEMBERS;

/** Names of the text members of a kind in the API. */
export type TextWires<K extends KindWithTexts> = (typeof TEXT_MEMBERS)[K][number]["wire"];

/** Text members of a kind as stored objects and forms have them. */
export type TextsOf<K extends KindWithTexts> = Readonly<Record<Uncapitalize<TextWires<K>>, string>>;

/** Returns the text members of a kind. */
export function textMembersOf(kind: KindWithTexts): readonly TextMember[] {
  return TEXT_MEMBERS[kind];
}

/** Returns the name of a text member in stored objects and in forms: `displayName` for `DisplayName`. */
export function memberOf({ wire }: TextMember): string {
  return wire.charAt(0).toLowerCase() + wire.slice(1);
}
