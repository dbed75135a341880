/** Commands that only tokens have: clone, rotate, disable, revoke many, find leaked ones. */
import { plain } from "../output/values.ts";
import { daysAsHours } from "../../../declared/duration.ts";
import { BODY_FLAGS, membersOf, fullTextOfFile } from "../body.ts";
import type { Call } from "../spec.ts";
import { CliError, EXIT, usage } from "../exit.ts";
import { each, objectOf } from "../kit/answers.ts";
import { wholeId } from "../kit/ids.ts";
import { queryOf, shownAs } from "../kit/v1.ts";
import type { OutputColumn, Item } from "../output/types.ts";
import type { Verb } from "../spec.ts";
import { tokenLookups } from "./token-lookups.ts";
import { counted } from "../output/counted.ts";

const TOKEN_COLUMNS: readonly OutputColumn[] = [
  { title: "AccessorID", value: "AccessorID" },
  { title: "SecretID", value: "SecretID" },
  { title: "Description", value: "Description" },
  { title: "Policies", value: "Policies" },
  { title: "Roles", value: "Roles" },
  { title: "Expires", value: "ExpirationTime" },
];

/** A token whose secret is what was asked for. */
const WITH_SECRET = shownAs({ columns: TOKEN_COLUMNS, idMember: "AccessorID", nameMember: "AccessorID" });

/** A token as reads show it. */
const WITHOUT_SECRET = shownAs({
  columns: [...TOKEN_COLUMNS.filter(({ title }) => title !== "SecretID"), { title: "Disabled", value: "DisabledTime" }],
  idMember: "AccessorID",
  nameMember: "AccessorID",
});

const ACCESSOR = {
  name: "token",
  help: "AccessorID, or the first four or more characters of the ID.",
  complete: "token",
} as const;

/** The AccessorID that a word means. */
async function accessorOf(call: Call): Promise<string> {
  const identified = {
    noun: "token",
    idMember: "AccessorID",
    nameMember: "AccessorID",
    operations: { list: "listTokens" },
  };
  return wholeId(call, identified, call.arg("token"));
}

const clone: Verb = {
  name: "clone",
  summary: "Create a token with the permissions of another token and show its secret.",
  operations: ["cloneToken"],
  args: [ACCESSOR],
  flags: [{ name: "description", value: "TEXT", member: "Description", help: "Description." }, ...BODY_FLAGS],
  async run(call) {
    const input = { path: { accessor: await accessorOf(call) }, body: await membersOf(call) };
    const answer = await call.write("cloneToken", input);
    if (answer !== undefined) await call.out.item(objectOf(answer), WITH_SECRET);
  },
};

const self: Verb = {
  name: "self",
  summary: "Show the current token without its secret.",
  operations: ["readOwnToken"],
  flags: [{ name: "expanded", query: "expanded", help: "Include the effective policies and roles." }],
  async run(call) {
    const { SecretID: _secret, ...token } = objectOf(await call.read("readOwnToken", { query: queryOf(call) }));
    await call.out.item(
      token,
      shownAs({
        columns: TOKEN_COLUMNS.filter(({ title }) => title !== "SecretID"),
        idMember: "AccessorID",
        nameMember: "AccessorID",
      }),
    );
  },
};

const rotate: Verb = {
  name: "rotate",
  summary: "Rotate the secret of a token and show the new secret.",
  operations: ["readToken", "rotateToken"],
  args: [ACCESSOR],
  flags: [
    {
      name: "overlap",
      value: "DURATION",
      member: "Overlap",
      read: daysAsHours,
      help: "How long the old secret stays valid, for example 1h or 2d. Maximum: 7d. Default: revoked immediately.",
    },
  ],
  async run(call) {
    const path = { accessor: await accessorOf(call) };
    const body = await membersOf(call);
    if (body["Overlap"] === undefined) {
      const { Description: text } = objectOf(await call.read("readToken", { path }));
      await call.confirm(
        "Rotate this token? The old secret stops working immediately; use --overlap 1h to keep it valid for a while.",
        [`${path.accessor} ${plain(text, "")}`],
      );
    }
    const answer = await call.write("rotateToken", { path, body });
    if (answer !== undefined) await call.out.item(objectOf(answer), WITH_SECRET);
  },
};

const disable: Verb = {
  name: "disable",
  summary: "Disable a token. The server rejects its secrets until you enable the token.",
  operations: ["readToken", "disableToken"],
  args: [ACCESSOR],
  async run(call) {
    const path = { accessor: await accessorOf(call) };
    const { Description: text } = objectOf(await call.read("readToken", { path }));
    await call.confirm(
      "Disable this token? The server rejects requests with this token and ends its console sessions.",
      [`${path.accessor} ${plain(text, "")}`],
    );
    const answer = await call.write("disableToken", { path });
    if (answer !== undefined) await call.out.item(objectOf(answer), WITHOUT_SECRET);
  },
};

const enable: Verb = {
  name: "enable",
  summary: "Enable a disabled token.",
  operations: ["enableToken"],
  args: [ACCESSOR],
  async run(call) {
    const answer = await call.write("enableToken", { path: { accessor: await accessorOf(call) } });
    if (answer !== undefined) await call.out.item(objectOf(answer), WITHOUT_SECRET);
  },
};

const reveal: Verb = {
  name: "reveal",
  summary: "Show a token and its secret. The server writes an audit record.",
  operations: ["revealToken"],
  args: [ACCESSOR],
  async run(call) {
    const answer = await call.read("revealToken", { path: { accessor: await accessorOf(call) } });
    await call.out.item(objectOf(answer), WITH_SECRET);
  },
};

const revoke: Verb = {
  name: "revoke",
  summary: "Delete all matching tokens in the background.",
  description:
    "Tokens must be in the namespace and match all filters. At least one filter is required. Shows the tokens first. --dry-run only shows them.",
  operations: ["revokeTokens", "readTokenRevocation"],
  flags: [
    {
      name: "unused-for",
      value: "DURATION",
      member: "UnusedFor",
      help: "Not used for this duration, for example 90d.",
    },
    {
      name: "auth-method",
      value: "NAME",
      member: "AuthMethod",
      help: "From logins with this auth method.",
      complete: "auth-method",
    },
    { name: "role", value: "NAME", member: "Role", help: "With this role, by name or ID.", complete: "role" },
    { name: "description", value: "TEXT", member: "Description", help: "With this text in the description." },
    { name: "no-wait", help: "Do not wait until the revocation ends." },
  ],
  examples: ["tessera token revoke --unused-for 90d --dry-run", "tessera token revoke --auth-method ci --yes"],
  async run(call) {
    const body = await membersOf(call);
    if (Object.keys(body).length === 0)
      throw usage("specify a filter: --unused-for, --auth-method, --role or --description");
    const preview = objectOf(await call.read("revokeTokens", { body, query: { preview: "true" } }));
    const { count, lines } = previewOf(preview);
    if (call.flags.dryRun === true || count === 0) {
      if (call.out.isData) return call.out.value(preview);
      await call.out.note(
        count === 0 ? "No matching tokens." : `Dry run: ${counted(count, "token")} would be deleted.`,
      );
      return call.out.text(lines.map((line) => `${line}\n`).join(""));
    }
    await call.confirm(`Delete ${count === 1 ? "this token" : `these ${count} tokens`}?`, lines);
    const job = objectOf(await call.read("revokeTokens", { body }));
    await follow(call, job);
  },
};

const revocation: Verb = {
  name: "revocation",
  summary: "Show the progress of a revocation.",
  operations: ["readTokenRevocation"],
  args: [{ name: "id", help: "Revocation ID, as shown by tessera token revoke." }],
  async run(call) {
    await call.out.value(objectOf(await call.read("readTokenRevocation", { path: { id: call.arg("id") } })));
  },
};

function previewOf(preview: Item): { count: number; lines: string[] } {
  const lines = Array.isArray(preview["AccessorIDs"]) ? preview["AccessorIDs"].map(String) : [];
  const count = Number(preview["Total"] ?? lines.length);
  return { count, lines: count > lines.length ? [...lines, `and ${count - lines.length} more`] : lines };
}

/** Waits until a revocation has ended, and shows it. @throws CliError when it failed */
async function follow(call: Call, first: Item): Promise<void> {
  let job = first;
  while (call.flags["wait"] !== false && ["queued", "running"].includes(String(job["Status"]))) {
    await call.out.progress(`revoking: ${plain(job["Revoked"], "0")} of ${plain(job["Total"], "?")}`);
    await call.sleep(500);
    job = objectOf(await call.read("readTokenRevocation", { path: { id: String(first["ID"]) } }));
  }
  await call.out.value(job);
  if (job["Status"] === "failed")
    throw new CliError(EXIT.failed, `the revocation failed: ${plain(job["Error"], "unknown reason")}`);
}

const leaked: Verb = {
  name: "leaked",
  summary: "Check which secrets in a file belong to active tokens. Secrets are not printed.",
  operations: ["findLeakedTokens"],
  args: [{ name: "file", help: "File with one secret per line. Use - to read stdin.", complete: "file" }],
  async run(call) {
    const text = await fullTextOfFile(call, call.arg("file"));
    const secrets = text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
    const found: Item[] = [];
    // The server takes a thousand at a time.
    for (let from = 0; from < secrets.length; from += 1000) {
      const answer = await call.read("findLeakedTokens", { body: { Secrets: secrets.slice(from, from + 1000) } });
      const live = (objectOf(answer)["Live"] ?? []) as Item[];
      for (const one of live) found.push({ ...one, Position: Number(one["Position"]) + from });
    }
    const columns: OutputColumn[] = [
      { title: "Position", value: "Position" },
      { title: "AccessorID", value: "AccessorID" },
      { title: "Namespace", value: "Namespace" },
      { title: "Partition", value: "Partition" },
      { title: "Rotated since", value: "Old" },
    ];
    await call.out.list(each(found), { columns, name: (item) => item["AccessorID"] });
  },
};

/** The commands. */
export const tokenActions: readonly Verb[] = [
  self,
  clone,
  rotate,
  disable,
  enable,
  reveal,
  revoke,
  revocation,
  leaked,
  ...tokenLookups,
];
