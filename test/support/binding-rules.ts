/** Helpers for tests of compiled binding rules: an engine for patterns, identities, and rules. */
import type { StoredBindingRule } from "../../src/acl/bindings/compiled-binding-rules.ts";
import type { IdentityForm, VerifiedIdentity } from "../../src/identities/validator.ts";
import type { IdentityValue } from "../../src/selectors/identity.ts";
import type { RegularExpressions } from "../../src/selectors/regular-expression.ts";

/** JavaScript's own engine; a text that holds `too long` is beyond its limit. */
export const plainExpressions: RegularExpressions = {
  compile(pattern) {
    const expression = new RegExp(pattern, "u");
    return {
      matches(text) {
        if (text.includes("too long")) throw new Error("the value is too long");
        return expression.test(text);
      },
    };
  },
};

/** The form of an auth method that maps claims to these names. */
export function mappedForm(...names: readonly string[]): IdentityForm {
  const text = { kind: "text" } as const;
  return {
    shape: {
      kind: "structure",
      fields: new Map([
        ["value", { kind: "map", values: text }],
        ["list", { kind: "map", values: { kind: "list" } }],
      ]),
    },
    variables: new Set(names.map((name) => `value.${name}`)),
  };
}

/** An identity with mapped claims. */
export function identityOf(
  values: Readonly<Record<string, string>>,
  lists: Readonly<Record<string, readonly string[]>> = {},
): VerifiedIdentity {
  return {
    fields: new Map<string, IdentityValue>([
      ["value", new Map(Object.entries(values))],
      ["list", new Map(Object.entries(lists))],
    ]),
    variables: new Map(Object.entries(values).map(([name, value]) => [`value.${name}`, value])),
  };
}

/** A rule that gives the service `web` to everybody, but for what is said. */
export function storedRule(id: string, content: Partial<StoredBindingRule> = {}): StoredBindingRule {
  return { id, selector: "", bindType: "service", bindName: "web", bindVars: undefined, modifyIndex: 1, ...content };
}
