/** Checks of what would be written: errors end the command, warnings do not. */
import { textOfFile } from "../body.ts";
import { CliError, EXIT } from "../exit.ts";
import type { Item } from "../output/types.ts";
import type { Argument, Verb } from "../spec.ts";
import { objectOf } from "./answers.ts";
import { warningText } from "./warnings.ts";

/** What is checked, and by which operation. */
export interface Check {
  readonly operation: string;
  readonly summary: string;
  readonly argument: Argument;
  /** The body for the text of the file. */
  bodyOf(text: string): object | Promise<unknown>;
}

/** A command that checks a file. */
export function checkVerb({ operation, summary, argument, bodyOf }: Check): Verb {
  return {
    name: "check",
    summary,
    operations: [operation],
    args: [argument],
    flags: [{ name: "strict", help: "Fail on warnings too." }],
    async run(call) {
      const path = call.arg(argument.name);
      const result = objectOf(await call.read(operation, { body: await bodyOf(await textOfFile(call, path)) }));
      const errors = listIn(result, "Errors");
      const warnings = listIn(result, "Warnings");
      if (call.out.isData) await call.out.value(result);
      else {
        for (const error of errors) await call.out.text(`${path}:${warningText(error)}\n`);
        for (const warning of warnings) await call.out.text(`${path}:${warningText(warning)} (warning)\n`);
      }
      if (errors.length > 0) throw new CliError(EXIT.failed, `${path} has ${counted(errors.length, "error")}`);
      if (warnings.length > 0 && call.isSet("strict"))
        throw new CliError(EXIT.failed, `${path} has ${counted(warnings.length, "warning")}`);
      await call.out.note(
        warnings.length > 0
          ? `${path} can be written, with ${counted(warnings.length, "warning")}`
          : `${path} is right`,
      );
    },
  };
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function listIn(result: Item, member: string): readonly unknown[] {
  const list = result[member];
  return Array.isArray(list) ? list : [];
}
