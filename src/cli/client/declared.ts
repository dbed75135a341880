/** Functions that the commands for declared files share. */
import { statSync } from "node:fs";
import { isConflict } from "../../declared/apply.ts";
import { findLosses } from "../../declared/losses.ts";
import { lint } from "../../declared/lint.ts";
import { readDeclaration, type DeclaredDirectory } from "../../declared/model.ts";
import { makePlan } from "../../declared/plan.ts";
import { DeclarationError, textOf } from "../../declared/problem.ts";
import { emptyBrake, lockoutBrake, pruneBrake, replayBrake, untriedBrake, type Meant } from "../../declared/brakes.ts";
import { tryChanges } from "../../declared/trial.ts";
import { readSelector, strangeIn } from "../../declared/selector.ts";
import type { SecretSources } from "../../declared/secrets.ts";
import { openServer, trialsBy, type Server } from "../../declared/server.ts";
import { planJson, planLines, planMarkdown, type ShownPlan } from "../../declared/show.ts";
import { keepYoungHeapSmall } from "../../private-node.ts";
import { takesOver } from "./owners.ts";
import type { Call } from "./spec.ts";
import { CliError, EXIT, usage } from "./exit.ts";
import { visibleLines } from "./output/values.ts";
import type { Argument, Flag } from "./spec.ts";

// Ten thousand objects come and go as garbage.
keepYoungHeapSmall();

/** The operations that a plan asks. */
export const READS: readonly string[] = ["listDeclarations", "checkPolicy", "checkBindingRule", "checkAuthMethod"];
/** And those by which an apply keeps what a directory owns. */
export const OWNER_WRITES: readonly string[] = ["createDeclaration", "updateDeclaration"];

export const DIRECTORY: Argument = {
  name: "directory",
  help: "Directory of declared files, or one file.",
  complete: "file",
};

export const PLAN_FLAGS: readonly Flag[] = [
  {
    name: "owner",
    value: "NAME",
    help: "Owner of the declared objects. Overrides the owner in the file with `kind: directory`.",
  },
  {
    name: "selector",
    value: "NAME=VALUE",
    help: "Only objects with this label, kind, name, namespace, partition or organization. Comma-separated list.",
  },
  {
    name: "allow-commands",
    help: "Allow secret references that start with `command:` to run commands on this machine.",
  },
  {
    name: "allow-files",
    value: "DIR",
    help: "Directory that secret references with `file:` are allowed to read, in addition to the default. Comma-separated list.",
  },
  { name: "parallel", value: "N", help: "Maximum number of parallel requests. Default: 8." },
];
export const PRUNE: Flag = { name: "prune", help: "Delete owned objects that are no longer in the files." };
export const MAX_DELETES: Flag = {
  name: "max-deletes",
  value: "N",
  help: "Maximum number of objects that --prune deletes. Default: half of the owned objects.",
};
export const ALLOW_LOCKOUT: Flag = {
  name: "allow-lockout",
  help: "With --yes: continue even if your own token loses permissions.",
};
export const REQUIRE_TRIED: Flag = {
  name: "require-tried",
  help: "Exit with 2 if the server could not test every change.",
};
export const MAX_REFUSED: Flag = {
  name: "max-refused",
  value: "N",
  help: "Exit with 2 if the plan denies more than N recorded uses.",
};
export const MAX_UNREPLAYABLE: Flag = {
  name: "max-unreplayable",
  value: "N",
  help: "Exit with 2 if more than N recorded uses cannot be replayed.",
};
export const MARKDOWN: Flag = { name: "markdown", help: "Print Markdown, for example for a pull request comment." };

/** Reads the directory that the command names. @throws CliError with all that is wrong with it */
export async function declarationOf(call: Call): Promise<DeclaredDirectory> {
  const declaration = await inWords(async () => readDeclaration(call.arg("directory"), homeOf(call)));
  const owner = call.flag("owner");
  return owner === undefined ? declaration : { ...declaration, owner };
}

/** Returns the scope of objects that do not name one. */
export function homeOf({ settings }: Call): { partition: string; namespace: string } {
  return { partition: settings.partition ?? "default", namespace: settings.namespace ?? "default" };
}

export async function serverOf(call: Call): Promise<Server> {
  const text = call.flag("parallel") ?? "8";
  const parallel = Number(text);
  if (!/^\d+$/.test(text) || parallel < 1 || parallel > 64)
    throw usage(`invalid --parallel: expected an integer from 1 to 64, got ${JSON.stringify(text)}`);
  return openServer(call.client, { parallel, signal: call.io.signal, trials: trialsBy(call.clientAt) });
}

/** @param root of the files that name the secrets */
export function secretsOf(call: Call, root: string): SecretSources {
  const others = (call.flag("allow-files") ?? "").split(",").filter((each) => each !== "");
  const missing = others.find((each) => statSync(each, { throwIfNoEntry: false })?.isDirectory() !== true);
  if (missing !== undefined) throw usage(`--allow-files: directory ${JSON.stringify(missing)} not found`);
  return { env: call.io.env, allowCommands: call.isSet("allow-commands"), files: { root, others } };
}

/** Compares a declaration with the server, has it looked through, and finds who loses something. @throws CliError */
export async function planFor(call: Call, server: Server, declaration: DeclaredDirectory): Promise<ShownPlan> {
  return inWords(async () => {
    const text = call.flag("selector");
    const prune = call.isSet("prune");
    if (prune && text !== undefined)
      throw usage("--prune and --selector cannot be combined: --prune applies to all owned objects");
    if (prune && declaration.owner === undefined) {
      throw usage(
        "--prune requires an owner, which identifies the objects of the directory",
        "add kind: directory and owner: NAME to one of the files, or set --owner NAME",
      );
    }
    await call.out.progress("comparing…");
    const selector = text === undefined ? undefined : readSelector(text);
    for (const strange of selector === undefined ? [] : strangeIn(selector, declaration.objects))
      await call.out.warn(`warning: ${strange}`);
    const plan = await makePlan(server, declaration, {
      prune,
      selector,
      secrets: secretsOf(call, declaration.root),
      partition: homeOf(call).partition,
      // To look whether the server is as the files say takes nothing from anybody.
      takeOver: takesOver(call) || call.verb.name === "drift",
    });
    const empty = emptyBrake(plan, declaration.objects.length);
    if (empty !== undefined) throw usage(empty, "check the directory and the name of the owner");
    for (const { object, owner } of takesOver(call) ? plan.taken : [])
      await call.out.warn(
        `${object.kind.name} ${object.path} is managed by ${owner}: its next apply reverts this change`,
      );
    const found = await lint(server, plan.changes);
    const known = new Set(found.errors.flatMap(({ key }) => key ?? []));
    const tried = await tryChanges(server, plan.changes, {
      secrets: secretsOf(call, declaration.root),
      known,
      besideMethods: found.besideMethods,
      onTried: (done, of) => void call.out.progress(`testing: ${done} of ${of}`),
    });
    const errors = [...found.errors, ...tried.errors];
    if (errors.length > 0) throw new DeclarationError(errors);
    return { plan, looked: found, losses: await findLosses(server, plan.changes), untried: tried.untried };
  });
}

/** Reads from the command line what is meant. @throws CliError */
export function meantBy(call: Call): Meant {
  return {
    maxDeletes: countIn(call, "max-deletes"),
    isLockout: call.isSet("allow-lockout"),
    isTried: call.isSet("require-tried"),
    maxRefused: countIn(call, "max-refused"),
    maxUnreplayable: countIn(call, "max-unreplayable"),
  };
}

function countIn(call: Call, flag: string): number | undefined {
  const text = call.flag(flag);
  if (text !== undefined && !/^\d{1,9}$/.test(text))
    throw usage(`invalid --${flag}: expected an integer, got ${JSON.stringify(text)}`);
  return text === undefined ? undefined : Number(text);
}

/** Refuses a plan that would delete more than is likely to be meant. @throws CliError */
export function checkPrune(call: Call, told: ShownPlan): void {
  const reason = pruneBrake(told, meantBy(call));
  if (reason !== undefined) throw usage(reason, "nothing was deleted");
}

/** Ends a plan of which the server has not tried all. @throws CliError */
export function checkTried(call: Call, told: ShownPlan): void {
  const reason = untriedBrake(told, meantBy(call));
  if (reason !== undefined) throw usage(reason, "nothing was changed");
}

/** Ends a plan that refuses more recorded use than is meant, or that cannot tell. @throws CliError */
export function checkReplay(call: Call, told: ShownPlan): void {
  const reason = replayBrake(told, meantBy(call));
  if (reason !== undefined) throw usage(reason, "nothing was changed");
}

/** Refuses a plan that nobody is asked about and that takes rights from the token of the command. @throws CliError */
export function checkLockout(call: Call, told: ShownPlan): void {
  const reason = call.flags.yes === true ? lockoutBrake(told, meantBy(call)) : undefined;
  if (reason !== undefined) throw usage(reason, "nothing was changed");
}

/** Shows a plan in the form that is asked for. */
export async function showPlan(call: Call, told: ShownPlan): Promise<void> {
  const { out } = call;
  if (call.isSet("markdown")) await out.text(visibleLines(planMarkdown(told)));
  else if (out.isData) await out.value(planJson(told));
  else
    await out.text(
      `${planLines(told)
        .map((line) => coloured(call, visibleLines(line)))
        .join("\n")}\n`,
    );
}

/** One line of a plan, in its colour. */
function coloured({ out }: Call, line: string): string {
  const sign = /^\s*([+~-]) /.exec(line)?.[1];
  if (sign === undefined) return line;
  return out.colour(line, sign === "+" ? 32 : sign === "-" ? 31 : 33);
}

/**
 * Runs `work`, and converts faults in files and conflicts to errors of commands.
 *
 * @throws CliError; other errors of `work`
 */
export async function inWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DeclarationError) {
      const { problems } = error;
      const [first] = problems;
      if (problems.length === 1 && first !== undefined) throw new CliError(EXIT.usage, textOf(first));
      throw new CliError(EXIT.usage, `${error.count} errors in the declared files`, ...error.message.split("\n"));
    }
    if (error instanceof Error && isConflict(error))
      throw new CliError(EXIT.conflict, error.message, "run tessera plan again to see what has changed");
    throw error;
  }
}
