/** Text members on the wire, by the table of the model: schemas, and both ways between a body and a stored object. */
import { Type, type TOptional, type TString } from "typebox";
import {
  memberOf,
  textMembersOf,
  type KindWithTexts,
  type TextsOf,
  type TextWires,
} from "../../../packages/model/text-members.ts";
import { freeText } from "../../http/v1/body-schema.ts";

type Members<K extends KindWithTexts, T> = { [Wire in TextWires<K>]: T };

interface TextSchema<K extends KindWithTexts> {
  /** Members of a body. */
  readonly body: Members<K, TOptional<TString>>;
  /** Members of an answer. */
  readonly shown: Members<K, TString>;
  /** Reads a body; an absent text is empty. */
  readonly from: (body: { readonly [Wire in TextWires<K>]?: string | undefined }) => TextsOf<K>;
  /** Returns the members of an answer. */
  readonly render: (object: TextsOf<K>) => Members<K, string>;
}

/** The text members of a kind whose answers always have them. */
export function textSchema<K extends KindWithTexts>(kind: K): TextSchema<K> {
  const names = textMembersOf(kind).map((member) => [member.wire, memberOf(member)] as const);
  const each = <T>(make: () => T) => Object.fromEntries(names.map(([wire]) => [wire, make()])) as Members<K, T>;
  return {
    body: each(() => Type.Optional(freeText())),
    shown: each(() => Type.String()),
    from(body) {
      const texts: Readonly<Record<string, string | undefined>> = body;
      return Object.fromEntries(names.map(([wire, name]) => [name, texts[wire] ?? ""])) as TextsOf<K>;
    },
    // Lists call it for each row.
    render(object) {
      const shown: Record<string, unknown> = {};
      const texts: Readonly<Record<string, string>> = object;
      for (const [wire, name] of names) shown[wire] = texts[name];
      return shown as Members<K, string>;
    },
  };
}
