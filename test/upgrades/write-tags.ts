/** Writes keys and values, and what came with them; part of `write-history.ts`. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Caller } from "./caller.ts";

const ACME = "/api/v2/organizations/acme";

export async function writeTagsOf(
  call: Caller,
  { workspaces: [web = "", batch = "", tools = ""] }: { workspaces: readonly string[] },
): Promise<void> {
  const resource = (type: string, attributes: object) => ({ data: { type, attributes } });
  const bindings = (...pairs: [string, string][]) => ({
    data: pairs.map(([key, value]) => ({ type: "tag-bindings", attributes: { key, value } })),
  });
  const found = await call("GET", `${ACME}/projects?q=Platform`);
  const project = `/api/v2/projects/${found.data[0].id}`;
  await call(
    "PATCH",
    `${project}/tag-bindings`,
    bindings(["Cost.Center", "cc@1"], ["team-b", "inherited"], ["gone-tag", ""]),
  );
  await call("PATCH", `/api/v2/workspaces/${web}/tag-bindings`, bindings(["team-b", "own"], ["env:prod", ""]));
  await call("PATCH", `/api/v2/workspaces/${batch}/tag-bindings`, bindings(["only", "a=b"]));
  await call(
    "POST",
    `${ACME}/reserved-tag-keys`,
    resource("reserved-tag-keys", { key: "team-b", "disable-overrides": true }),
  );
  const consumers = { data: [{ type: "workspaces", id: tools }] };
  await call("POST", `/api/v2/workspaces/${web}/relationships/remote-state-consumers`, consumers);
  const target = { name: "hook", url: "https://hooks.example.com/", token: "secret", enabled: false };
  await call("POST", `${ACME}/tag-webhooks`, resource("tag-webhooks", target));
  const asked = { action: "add", tags: [{ name: "by-job" }], filter: { workspaces: { name: "tools" } } };
  const job = await call("POST", `${ACME}/tag-jobs`, resource("tag-jobs", asked));
  await untilDone(call, job.data.id as string);
  const record = { kind: "workspace", name: "tools", tags: ["by-import"] };
  const lines = { "content-type": "application/x-ndjson" };
  const imported = await call("POST", `${ACME}/tag-imports`, record, undefined, lines);
  await untilDone(call, imported.data.id as string);
  const rules = [{ name: "teams", key: "team-b", "allowed-values": ["inherited", "own"] }];
  await call("PUT", `${ACME}/tag-policy`, resource("tag-policies", { enforce: "advise", rules }));
}

async function untilDone(call: Caller, job: string): Promise<void> {
  for (;;) {
    const { data } = await call("GET", `/api/v2/tag-jobs/${job}`);
    if (data.attributes.status === "done") return;
    await sleep(50);
  }
}
