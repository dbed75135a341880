/**
 * Members of a request that are present and empty. Published clients send `""` and `{}` for whatever their user did not say,
 * so where a member may be null, these say null: the one rule for all bodies of `/api/v2`, by their schemas. A text that
 * has a least length in its schema decides for itself: there `""` is a value, or refused as one.
 */
import type { TSchema } from "typebox";

/** The part of a JSON schema that says which values there may be. */
interface Form {
  type?: string | readonly string[];
  properties?: Readonly<Record<string, TSchema>>;
  items?: TSchema;
  anyOf?: readonly TSchema[];
  allOf?: readonly TSchema[];
  enum?: readonly unknown[];
  const?: unknown;
  minLength?: number;
}

/** Puts null in place of empty members in what is not empty itself. */
type Emptier = (value: unknown) => void;

/** Gives what puts null in place of the empty members of a body of this schema; undefined where it has none that may be null. */
export function emptierOf(schema: TSchema): Emptier | undefined {
  const forms = formsOf(schema);
  const ofMembers = forms.flatMap(({ properties = {} }) => Object.entries(properties).flatMap(emptierOfMember));
  const ofEntries = forms.flatMap(({ items }) => (items === undefined ? [] : (emptierOf(items) ?? [])));
  if (ofMembers.length + ofEntries.length === 0) return undefined;
  return (value) => {
    if (Array.isArray(value)) for (const entry of value) for (const empty of ofEntries) empty(entry);
    else if (isObject(value)) for (const empty of ofMembers) empty(value);
  };
}

function emptierOfMember([name, schema]: [string, TSchema]): [] | [(holder: Record<string, unknown>) => void] {
  const forms = formsOf(schema);
  const mayBeNull = forms.some((form) => isAnything(form) || isOf(form, "null"));
  const mayBeObject = forms.some((form) => isAnything(form) || isOf(form, "object"));
  const texts = forms.filter((form) => isAnything(form) || isText(form));
  const isEmptied = texts.length > 0 && texts.every(({ minLength }) => minLength === undefined);
  const inner = emptierOf(schema);
  if (!mayBeNull && inner === undefined) return [];
  return [
    (holder) => {
      const value = holder[name];
      const isEmpty =
        (isEmptied && value === "") || (mayBeObject && isObject(value) && Object.keys(value).length === 0);
      if (mayBeNull && isEmpty) holder[name] = null;
      else inner?.(value);
    },
  ];
}

/** The forms that a value may have, and of a form in parts its parts. */
function formsOf(schema: TSchema): Form[] {
  const form = schema as Form;
  const parts = form.anyOf ?? form.allOf;
  return parts === undefined ? [form] : parts.flatMap(formsOf);
}

function isOf({ type }: Form, name: string): boolean {
  return [type].flat().includes(name);
}

function isText(form: Form): boolean {
  return isOf(form, "string") || form.enum?.some((value) => typeof value === "string") === true;
}

/** Nothing is said of it. */
function isAnything(form: Form): boolean {
  return form.type === undefined && form.enum === undefined && form.const === undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
