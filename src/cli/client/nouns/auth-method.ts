import { parseText, textOrFile } from "../body.ts";
import { checkVerb } from "../kit/check.ts";
import { usage } from "../exit.ts";
import { each, listOf } from "../kit/answers.ts";
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
    { title: "Description", value: "Description" },
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
      help: "Who vouches.",
    },
    { name: "description", value: "TEXT", member: "Description", help: "What it is for." },
    { name: "display-name", value: "TEXT", member: "DisplayName", help: "What people choose it by." },
    { name: "max-token-ttl", value: "DURATION", member: "MaxTokenTTL", help: "How long its tokens live, such as 15m." },
    { name: "token-locality", value: "local|global", member: "TokenLocality", help: "What its tokens show as Local." },
    {
      name: "config",
      value: "JSON",
      member: "Config",
      read: config,
      help: "Its configuration; @FILE reads it from a file, which keeps secrets out of the command line.",
    },
  ],
};

function config(text: string, call: Parameters<typeof textOrFile>[1]): unknown {
  const content = textOrFile(text, call);
  try {
    return JSON.parse(content);
  } catch {
    throw usage("--config takes JSON, or @FILE with JSON in it; --file takes YAML too");
  }
}

const choices: Verb = {
  name: "choices",
  summary: "List the methods that people can log in by; no token is needed.",
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
  summary: "Auth methods: who vouches for whom logs in.",
  verbs: [
    ...kindVerbs(AUTH_METHOD),
    choices,
    checkVerb({
      operation: "checkAuthMethod",
      summary: "Check an auth method without writing it.",
      argument: { name: "file", help: "The auth method, in JSON or YAML; - is standard input.", complete: "file" },
      bodyOf: async (text) => parseText(text, "the file"),
    }),
  ],
};
