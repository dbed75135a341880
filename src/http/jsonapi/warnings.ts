/** Warnings in the answer to a write: the write was made, although it breaks rules. */
import { Type } from "typebox";

/** A rule that what was written breaks. */
export interface Warning {
  rule: string;
  detail: string;
}

const warning = Type.Object({ rule: Type.String(), detail: Type.String() }, { title: "Warning" });

/** The members of a document that may carry warnings. */
export const WARNINGS = {
  meta: Type.Optional(
    Type.Object(
      { warnings: Type.Optional(Type.Array(warning)) },
      { description: "Violations of the tag policy, if any.", title: "Warnings" },
    ),
  ),
};

/** The answer of an operation that answers nothing, where there is something to warn of. */
export const warningsDocument = Type.Object(WARNINGS, {
  description: "Done, with violations of the tag policy.",
  title: "WarningsDocument",
  examples: [{ meta: { warnings: [{ rule: "owners", detail: "The key owner is missing" }] } }],
});

/** The document with `meta.warnings`, where there are any. */
export function warned<D extends object>(document: D, warnings: readonly Warning[]): D {
  return warnings.length === 0 ? document : { ...document, meta: { warnings } };
}

/** Whether an operation that answers nothing has warnings to answer. */
export function isWarned(document: unknown): boolean {
  return typeof document === "object" && document !== null && "meta" in document;
}
