/** Member of an object that is text without a further meaning: it is stored, shown and compared as it is. */
export interface TextMember {
  /** Name in the API. */
  readonly wire: string;
  /** Name as a flag of commands, and as a key of declared files. */
  readonly flag: string;
  readonly help: string;
}

const DESCRIPTION: TextMember = { wire: "Description", flag: "description", help: "Description." };

/** Text members by kind of `/v1`: the flags of commands, the keys of declared files and the commands of the console. */
export const TEXT_MEMBERS = {
  partition: [DESCRIPTION],
  namespace: [DESCRIPTION],
  policy: [DESCRIPTION],
  role: [DESCRIPTION],
  "auth-method": [DESCRIPTION],
  "binding-rule": [DESCRIPTION],
  token: [DESCRIPTION],
  "decision-mapping": [DESCRIPTION],
} as const satisfies Readonly<Record<string, readonly TextMember[]>>;

export type KindWithTexts = keyof typeof TEXT_MEMBERS;
