/** Text members of a kind in forms and on pages, by the table of the model. */
import { TextInput } from "@mantine/core";
import { memberOf, textMembersOf, type KindWithTexts } from "../../../packages/model/text-members.ts";
import { Field } from "./object-screen.tsx";
import { textIn } from "./plan.ts";

interface TextFieldsProps {
  readonly kind: KindWithTexts;
  /** Properties of the input of a value. */
  readonly inputOf: (name: string) => object;
}

/** One field of a form for each text member. */
export function TextFields({ kind, inputOf }: TextFieldsProps) {
  return textMembersOf(kind).map((member) => (
    <TextInput key={member.wire} label={member.label} placeholder={member.example} {...inputOf(memberOf(member))} />
  ));
}

interface TextFactsProps {
  readonly kind: KindWithTexts;
  /** An object as the API answers it. */
  readonly of: object;
}

/** The text members of an object, among its details. */
export function TextFacts({ kind, of }: TextFactsProps) {
  return textMembersOf(kind).map(({ wire, label }) => (
    <Field key={wire} name={label}>
      {textIn({ ...of }, wire)}
    </Field>
  ));
}
