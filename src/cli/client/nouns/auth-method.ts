import { daysAsHours } from "../../../declared/duration.ts";
import { parseText, textOrFile } from "../body.ts";
import { checkVerb } from "../kit/check.ts";
import { usage } from "../exit.ts";
import { each, listOf } from "../kit/answers.ts";
import { historyVerbs } from "../kit/history.ts";
import { textColumns, textFlags } from "../kit/texts.ts";
import { kindVerbs, type CliKind } from "../kit/v1.ts";
import type { Noun, Verb } from "../spec.ts";

/** Auth methods. */
export const AUTH_METHOD: CliKind = {
  noun: "auth-method",
  plural: "auth methods",
  pathName: "name",
  idMember: "Name",
  check: { operation: "checkAuthMethod", bodyOf: (members, isWhole) => (isWhole ? members : undefined) },
  nameMember: "Name",
  operations: {
    list: "listAuthMethods",
    read: "readAuthMethod",
    create: "createAuthMethod",
    replace: "replaceAuthMethod",
    update: "updateAuthMethod",
    remove: "deleteAuthMethod",
  },
  columns: [
    { title: "Name", value: "Name" },
    { title: "Type", value: "Type" },
    ...textColumns("auth-method"),
    { title: "Token TTL", value: "MaxTokenTTL" },
    { title: "Locality", value: "TokenLocality", wide: true },
    { title: "Config", value: "Config", wide: true },
    { title: "Namespace", value: "Namespace", wide: true },
    { title: "Index", value: "ModifyIndex", wide: true },
  ],
  needs: ["Type"],
  memberFlags: [
    {
      name: "type",
      value: "TYPE",
      member: "Type",
      choices: ["jwt", "oidc", "kubernetes", "aws-iam"],
      help: "Auth method type.",
    },
    ...textFlags("auth-method"),
    { name: "display-name", value: "TEXT", member: "DisplayName", help: "Display name on the sign-in page." },
    {
      name: "max-token-ttl",
      value: "DURATION",
      member: "MaxTokenTTL",
      read: daysAsHours,
      help: "TTL of login tokens, for example 15m or 1d.",
    },
    {
      name: "token-locality",
      value: "local|global",
      member: "TokenLocality",
      help: "Value of Local in login tokens. No other effect.",
    },
    {
      name: "config",
      value: "JSON",
      member: "Config",
      read: config,
      help: "Configuration. Use @FILE to keep secrets out of the command line.",
    },
  ],
};

function config(text: string, call: Parameters<typeof textOrFile>[1]): unknown {
  const content = textOrFile(text, call);
  try {
    return JSON.parse(content);
  } catch {
    throw usage("invalid --config: expected JSON, or @FILE with JSON; use --file for YAML");
  }
}

const choices: Verb = {
  name: "choices",
  summary: "List the auth methods for browser login. No token required.",
  operations: ["listOidcAuthMethods"],
  async run(call) {
    const columns = [
      { title: "Name", value: "Name" },
      { title: "Display name", value: "DisplayName" },
      { title: "Type", value: "Type" },
    ];
    await call.out.list(each(listOf(await call.read("listOidcAuthMethods"))), {
      columns,
      name: (item) => item["Name"],
    });
  },
};

export const noun: Noun = {
  name: "auth-method",
  summary: "Auth methods: identity providers for login.",
  verbs: [
    ...kindVerbs(AUTH_METHOD),
    ...historyVerbs(AUTH_METHOD, "auth-method"),
    choices,
    checkVerb({
      operation: "checkAuthMethod",
      summary: "Check an auth method without saving it.",
      argument: {
        name: "file",
        help: "File with the auth method in JSON or YAML. Use - to read stdin.",
        complete: "file",
      },
      bodyOf: async (text) => parseText(text, "the file"),
    }),
  ],
};
