/** Checks of what would be written: errors end the command, warnings do not. */
import { textOfFile } from "../body.ts";
import { CliError, EXIT } from "../exit.ts";
import type { Item } from "../output/types.ts";
import type { Argument, Verb } from "../spec.ts";
import { objectOf } from "./answers.ts";
import { warningText } from "./warnings.ts";
import { counted } from "../output/counted.ts";

/** Subject of a check, and the operation that makes it. */
export interface Check {
  readonly operation: string;
  readonly summary: string;
  readonly argument: Argument;
  /** The body for the text of the file. */
  bodyOf(text: string): object | Promise<unknown>;
  /** The one member that the file is, where it is not a whole body: what is found of others is passed over. */
  member?: string;
}

/** A command that checks a file. */
export function checkVerb({ operation, summary, argument, bodyOf, member }: Check): Verb {
  return {
    name: "check",
    summary,
    operations: [operation],
    args: [argument],
    flags: [{ name: "strict", help: "Fail on warnings as well." }],
    async run(call) {
      const path = call.arg(argument.name);
      const found = objectOf(await call.read(operation, { body: await bodyOf(await textOfFile(call, path)) }));
      const errors = listIn(found, "Errors").filter((each) => isAbout(each, member));
      const warnings = listIn(found, "Warnings");
      const result = { ...found, Errors: errors };
      if (call.out.isData) await call.out.value(result);
      else {
        for (const error of errors) await call.out.text(`${path}:${warningText(error)}\n`);
        for (const warning of warnings) await call.out.text(`${path}:${warningText(warning)} (warning)\n`);
      }
      if (errors.length > 0) throw new CliError(EXIT.failed, `${path} has ${counted(errors.length, "error")}`);
      if (warnings.length > 0 && call.isSet("strict"))
        throw new CliError(EXIT.failed, `${path} has ${counted(warnings.length, "warning")}`);
      await call.out.note(
        warnings.length > 0 ? `Valid with ${counted(warnings.length, "warning")}: ${path}` : `Valid: ${path}`,
      );
    },
  };
}

function isAbout(finding: unknown, member: string | undefined): boolean {
  return member === undefined || (finding as { Member?: unknown }).Member === member;
}

function listIn(result: Item, member: string): readonly unknown[] {
  const list = result[member];
  return Array.isArray(list) ? list : [];
}
