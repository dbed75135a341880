import { plain } from "../output/values.ts";
import { membersOf } from "../body.ts";
import type { Call } from "../spec.ts";
import { each, listOf, objectOf } from "../kit/answers.ts";
import type { OutputColumn, Item } from "../output/types.ts";
import type { Noun, Verb } from "../spec.ts";

/** A question about the server that has one answer. */
function ask(name: string, summary: string, operation: string): Verb {
  return {
    name,
    summary,
    operations: [operation],
    async run(call) {
      const { body } = await call.read(operation);
      if (typeof body === "object" && body !== null) return call.out.value(body);
      if (call.out.format === "json") return call.out.value(body ?? null);
      await call.out.text(body === undefined ? "ok\n" : `${plain(body).trimEnd()}\n`);
    },
  };
}

const MEMBERS: readonly OutputColumn[] = [
  { title: "Name", value: "Name" },
  { title: "Address", value: "Addr" },
  { title: "Port", value: "Port" },
  { title: "Status", value: (item) => (item["Status"] === 1 ? "alive" : item["Status"]) },
];

const members: Verb = {
  name: "members",
  summary: "List the cluster members.",
  operations: ["listMembers"],
  async run(call) {
    await call.out.list(each(listOf(await call.read("listMembers"))), {
      columns: MEMBERS,
      name: (item) => item["Name"],
    });
  },
};

const checks: Verb = {
  name: "checks",
  summary: "List the health checks of a server.",
  operations: ["listNodeChecks"],
  args: [{ name: "node", help: "Node name, as shown by tessera server members." }],
  async run(call) {
    const columns: OutputColumn[] = [
      { title: "Check", value: "CheckID" },
      { title: "Status", value: "Status" },
      { title: "Output", value: "Output" },
    ];
    await call.out.list(each(listOf(await call.read("listNodeChecks", { path: { node: call.arg("node") } }))), {
      columns,
      name: (item) => item["CheckID"],
    });
  },
};

const bootstrap: Verb = {
  name: "bootstrap",
  summary: "Create the first management token and show its secret.",
  operations: ["bootstrap"],
  flags: [
    {
      name: "secret-file",
      value: "PATH",
      help: "File with the SecretID of the new token. Use - to read stdin. Default: generated.",
      complete: "file",
    },
  ],
  async run(call) {
    const secret = await secretOf(call);
    const answer = await call.write("bootstrap", {
      body: { ...(await membersOf(call)), ...(secret === undefined ? {} : { BootstrapSecret: secret }) },
    });
    if (answer === undefined) return;
    const columns: OutputColumn[] = [
      { title: "AccessorID", value: "AccessorID" },
      { title: "SecretID", value: "SecretID" },
      { title: "Policies", value: "Policies" },
    ];
    await call.out.item(objectOf(answer), { columns, name: (item: Item) => item["AccessorID"] });
  },
};

async function secretOf(call: Call): Promise<string | undefined> {
  const path = call.flag("secret-file");
  if (path === undefined) return undefined;
  const { textOfFile } = await import("../body.ts");
  return (await textOfFile(call, path)).trim();
}

export const noun: Noun = {
  name: "server",
  summary: "Server: health, version, members, metrics and bootstrap.",
  verbs: [
    ask("health", "Show whether the server is running.", "getHealth"),
    ask("ready", "Show whether the server can serve reads and writes.", "getReadiness"),
    ask("version", "Show the version of the server.", "readVersion"),
    ask("self", "Show server information.", "readSelf"),
    ask("ping", "Show whether /api/v2 responds.", "ping"),
    ask("leader", "Show the address of the leader.", "getLeader"),
    ask("peers", "Show the addresses of the servers.", "listPeers"),
    members,
    checks,
    ask("datacenters", "List the names of the datacenters.", "listDatacenters"),
    ask("replication", "Show the replication status.", "readReplication"),
    ask("metrics", "Show the metrics in Prometheus format.", "getMetrics"),
    ask("discovery", "Show the Terraform service discovery document.", "discoverServices"),
    bootstrap,
  ],
};
