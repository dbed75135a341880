import { isIdentityName } from "../identity-name.ts";
import { fold } from "../rules/fold.ts";

/** What a binding rule can give. */
export const BIND_TYPES = ["service", "node", "role", "policy", "templated-policy"] as const;

export type BindType = (typeof BIND_TYPES)[number];

const KNOWN: ReadonlySet<string> = new Set(BIND_TYPES);

export function isBindType(text: string): text is BindType {
  return KNOWN.has(text);
}

/** When a name is looked at: as a rule is written, or as it gives something to a login. */
export type Stage = "writing" | "login";

const ROLE_NAME = /^[A-Za-z0-9\-_]{1,256}$/;
const POLICY_NAME = /^[A-Za-z0-9\-_]+\/?[A-Za-z0-9\-_]*$/;
const MAX_POLICY_NAME = 128;
const RESERVED_PREFIX = "builtin/";

/** Whether what a template became can be the name of what is bound. A policy's name may hold a `/` only until a login asks for it. */
export function isBindName(type: Exclude<BindType, "templated-policy">, name: string, stage: Stage): boolean {
  switch (type) {
    case "service":
    case "node":
      return isIdentityName(name);
    case "role":
      return ROLE_NAME.test(name);
    case "policy":
      return stage === "login" ? ROLE_NAME.test(name) : isPolicyName(name);
  }
}

function isPolicyName(name: string): boolean {
  return name.length <= MAX_POLICY_NAME && POLICY_NAME.test(name) && !fold(name).startsWith(RESERVED_PREFIX);
}

const RESERVED: ReadonlySet<string> = new Set(["default", "global-management", "namespace-management"]);

/**
 * Whether a role or policy of this name is out of reach for a name that was computed: what stands in a claim is another
 * system's word, and must not lead to what rules over everything. Who writes the name out means it.
 */
export function isReservedComputed(name: string): boolean {
  const folded = fold(name);
  return RESERVED.has(folded) || folded.startsWith(RESERVED_PREFIX);
}
