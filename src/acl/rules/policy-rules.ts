/** Policies as the authorizer takes them. */
import type { Scope } from "../scope.ts";
import type { Rule } from "./rule.ts";

/** How a policy came to a token. */
export type PolicyLink =
  | { readonly kind: "direct" }
  | { readonly kind: "role"; readonly id: string; readonly name: string }
  /** Made from a service or node identity or a templated policy of this name. */
  | { readonly kind: "identity"; readonly name: string }
  /** A default of the namespace; by a role of the defaults when there is one. */
  | {
      readonly kind: "default";
      readonly namespace: string;
      readonly role?: { readonly id: string; readonly name: string };
    };

/** A policy as it is named in an explanation. */
export interface Holder {
  readonly id: string;
  readonly name: string;
  readonly links: readonly PolicyLink[];
}

export interface PolicyRules extends Holder {
  readonly rules: readonly Rule[];
  /** Where it lies, which decides where its rules act; see `acting-rules.ts`. */
  readonly home: Scope;
  /** Made from an identity or a template: what it may read of the catalog it may read in the whole partition. */
  readonly isSynthetic?: boolean;
}
