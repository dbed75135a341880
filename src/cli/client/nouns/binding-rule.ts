import { plain } from "../output/values.ts";
import { readFileSync } from "node:fs";
import { parseText, textOfFile } from "../body.ts";
import { CliError, EXIT, usage } from "../exit.ts";
import { objectOf } from "../kit/answers.ts";
import { checkVerb } from "../kit/check.ts";
import { historyVerbs } from "../kit/history.ts";
import { textFlags } from "../kit/texts.ts";
import { kindVerbs, type CliKind } from "../kit/v1.ts";
import type { Item } from "../output/types.ts";
import type { Noun, Verb } from "../spec.ts";

/** Binding rules. */
export const BINDING_RULE: CliKind = {
  noun: "binding-rule",
  plural: "binding rules",
  pathName: "id",
  idMember: "ID",
  check: { operation: "checkBindingRule", bodyOf: (members, isWhole) => (isWhole ? members : undefined) },
  nameMember: "ID",
  operations: {
    list: "listBindingRules",
    read: "readBindingRule",
    create: "createBindingRule",
    replace: "replaceBindingRule",
    update: "updateBindingRule",
    remove: "deleteBindingRule",
  },
  columns: [
    { title: "ID", value: "ID" },
    { title: "Auth method", value: "AuthMethod" },
    { title: "Gives", value: (item) => `${String(item["BindType"])} ${String(item["BindName"])}` },
    { title: "Selector", value: "Selector" },
    { title: "Description", value: "Description", wide: true },
    { title: "Namespace", value: "Namespace", wide: true },
    { title: "Index", value: "ModifyIndex", wide: true },
  ],
  isNamed: false,
  needs: ["AuthMethod", "BindType"],
  memberFlags: [
    {
      name: "auth-method",
      value: "NAME",
      member: "AuthMethod",
      help: "Auth method name.",
      complete: "auth-method",
    },
    {
      name: "selector",
      value: "TEXT",
      member: "Selector",
      help: "Selector. Default: matches every identity of the auth method.",
    },
    {
      name: "bind-type",
      value: "TYPE",
      member: "BindType",
      choices: ["service", "node", "role", "policy", "templated-policy"],
      help: "Bind type.",
    },
    { name: "bind-name", value: "NAME", member: "BindName", help: "Name of the bound object, or a template." },
    ...textFlags("binding-rule"),
  ],
  listFlags: [
    {
      name: "auth-method",
      value: "NAME",
      query: "authmethod",
      help: "Filter by auth method.",
      complete: "auth-method",
    },
  ],
};

const explain: Verb = {
  name: "explain",
  summary: "Simulate a login: matching rules, reasons and the resulting token.",
  operations: ["explainLogin"],
  args: [{ name: "auth-method", help: "Auth method name.", complete: "auth-method" }],
  flags: [
    {
      name: "identity",
      value: "PATH",
      help: "File with the selector fields of the identity in JSON or YAML. Use - to read stdin.",
      complete: "file",
    },
    {
      name: "jwt-file",
      value: "PATH",
      help: "File with a bearer token instead of --identity. Use - to read stdin.",
      complete: "file",
    },
  ],
  examples: [
    `echo '{"value":{"repository":"example/web"}}' |
    tessera binding-rule explain github-actions --identity -`,
  ],
  async run(call) {
    const body: Record<string, unknown> = { AuthMethod: call.arg("auth-method") };
    const identity = call.flag("identity");
    const jwt = call.flag("jwt-file");
    if ((identity === undefined) === (jwt === undefined))
      throw usage("specify the identity with --identity or --jwt-file");
    if (identity !== undefined) body["Identity"] = await parseText(await textOfFile(call, identity), identity);
    if (jwt !== undefined) body["BearerToken"] = secretIn(jwt);
    const answer = objectOf(await call.read("explainLogin", { body }));
    if (call.out.isData) return call.out.value(answer);
    const rules = Array.isArray(answer["Rules"]) ? (answer["Rules"] as Item[]) : [];
    for (const { ID: id, Verdict: verdict, Reason: reason } of rules) {
      await call.out.text(`${String(verdict)}: ${String(id)}${reason === undefined ? "" : `: ${plain(reason)}`}\n`);
    }
    const { Token: token, Refusal: refusal, Error: error } = answer;
    if (token !== undefined) return call.out.value({ Token: token });
    await call.out.text(`The login would be denied: ${plain(refusal ?? error, "no rule grants anything")}\n`);
  },
};

/** A secret in a file, or on standard input. */
function secretIn(path: string): string {
  try {
    return readFileSync(path === "-" ? 0 : path, "utf8").trim();
  } catch (error) {
    throw new CliError(EXIT.usage, `cannot read ${path} (${String((error as NodeJS.ErrnoException).code)})`);
  }
}

export const noun: Noun = {
  name: "binding-rule",
  summary: "Binding rules: permissions that a login receives.",
  verbs: [
    ...kindVerbs(BINDING_RULE),
    ...historyVerbs(BINDING_RULE, "binding-rule"),
    explain,
    checkVerb({
      operation: "checkBindingRule",
      summary: "Check a binding rule without saving it.",
      argument: {
        name: "file",
        help: "File with the binding rule in JSON or YAML. Use - to read stdin.",
        complete: "file",
      },
      bodyOf: async (text) => parseText(text, "the file"),
    }),
  ],
};
