/** Reasons of a proposal for a smaller policy or role, by their name on the wire, as the CLI and the console show them. */
export const TIGHTEN_REASONS: Readonly<Record<string, string>> = {
  used: "in use",
  "used-for-less": "used with less permission",
  "used-by-name": "used for these names only",
  unused: "not used",
  denies: "denies access",
  "asked-to-keep": "kept on request",
  hides: "overrides another policy rule",
  outranks: "rules for names would override another policy rule",
  "names-unknown": "used by lists, or for names that are not recorded",
  "too-many-names": "used for too many names",
  "names-hidden": "used for names that your token cannot read",
  needed: "needed by a recorded request",
  "not-editable": "this form of a rule is not supported",
};
