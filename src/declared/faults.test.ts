/** A connection or a server that fails in the middle of an apply: what was made is not made twice, and what was not is told. */
import { expect, test } from "vitest";
import { createClient, TesseraError } from "@tessera-server/client";
import {
  addressOf,
  applyOf,
  declare,
  linesOf,
  makeSo,
  planOf,
  SECRETS,
  serverOf,
} from "../../test/support/declared.ts";
import { forEachEngine } from "../../test/support/engines.ts";
import { MANAGEMENT, useV1, type V1 } from "../../test/support/v1.ts";
import { makePlan } from "./plan.ts";
import { openServer, type Server } from "./server.ts";

/** The server behind something that spoils answers. @param spoil gives another answer, or throws as a broken connection does */
async function behind(
  v1: V1,
  spoil: (method: string, url: string, answer: Response) => Response | undefined,
): Promise<Server> {
  const address = await addressOf(v1);
  const api = createClient({
    address,
    token: MANAGEMENT,
    retries: 0,
    fetch: async (input, init) => {
      const answer = await fetch(input, init);
      return spoil(init?.method ?? "GET", new Request(input).url, answer) ?? answer;
    },
  });
  return openServer(api);
}

const cut = () => {
  throw Object.assign(new TypeError("fetch failed"), {
    cause: Object.assign(new Error("reset"), { code: "ECONNRESET" }),
  });
};

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  test("a write whose answer is lost is looked for, and is not made twice", async () => {
    let lost = 0;
    const server = await behind(v1, (method, url) => {
      if (method !== "PUT" || !/policy|role|auth-method|binding-rule/.test(url)) return undefined;
      lost++;
      return cut();
    });
    const files = {
      "a.yaml": `
- { kind: policy, name: lost }
- { kind: role, name: lost, policies: [lost] }
- { kind: auth-method, name: lost, type: aws-iam, config: { BoundIAMPrincipalARNs: ["arn:aws:iam::111122223333:role/web"] } }
- { kind: binding-rule, auth-method: lost, bind-type: service, bind-name: web }
`,
    };
    const { failure, done } = await applyOf(server, await planOf(server, declare(files)));
    expect([failure, done.length, lost]).toEqual([undefined, 4, 4]);
    const { body } = await v1.get("/acl/binding-rules?authmethod=lost");
    expect(body).toHaveLength(1);
    expect(linesOf(await planOf(server, declare(files)))).toEqual([]);
  });

  test("an outcome that the server itself does not know is looked for too", async () => {
    let times = 0;
    const server = await behind(v1, (method, url) => {
      if (method !== "PUT" || !url.includes("/policy")) return undefined;
      times++;
      return new Response("The outcome of the write is unknown", { status: 503 });
    });
    const { failure } = await applyOf(
      server,
      await planOf(server, declare({ "a.yaml": "kind: policy\nname: unknown\n" })),
    );
    expect([failure, times]).toEqual([undefined, 1]);
  });

  test("a list that is cut in the middle ends the plan, and nothing is taken to be missing", async () => {
    await makeSo(
      await serverOf(v1),
      declare({ "a.yaml": "kind: directory\nowner: cut\n---\nkind: policy\nname: cut\n" }),
    );
    const server = await behind(v1, (_method, url) => (url.includes("/acl/policies") ? cut() : undefined));
    await expect(planOf(server, declare({ "a.yaml": "kind: policy\nname: cut\n" }))).rejects.toThrow(
      /before the response was complete|unreachable|could not/,
    );
  });

  test("a token that is gone in the middle ends the apply with what was made, and another one goes on", async () => {
    const { accessor, secret } = await v1.token({ Policies: [{ Name: "global-management" }] });
    const server = await serverOf(v1, { token: secret });
    const many = Array.from({ length: 40 }, (_, n) => `- { kind: policy, name: expires-${n} }`).join("\n");
    const declared = declare({ "a.yaml": many });
    const plan = await planOf(server, declared);
    let isGone: Promise<unknown> | undefined;
    const applied = await applyOf(server, plan, {
      onDone: (_change, done) => {
        if (done === 5) isGone = v1.delete(`/acl/token/${accessor}`);
      },
    });
    await isGone;
    const { error } = applied.failure ?? {};
    expect(error).toBeInstanceOf(TesseraError);
    expect((error as TesseraError).status).toBe(403);
    expect(applied.done.length).toBeGreaterThanOrEqual(5);
    const next = await planOf(await serverOf(v1), declared);
    expect(next.changes).toHaveLength(applied.left.length);
  });

  test("an older server, which keeps no owners and looks through nothing, is told of as such", async () => {
    const unknown = () => new Response("Invalid URL path: not a recognized HTTP API endpoint\n", { status: 404 });
    const server = await behind(v1, (_method, url) =>
      url.includes("/declaration") || url.includes("/check") ? unknown() : undefined,
    );
    const owned = declare({ "a.yaml": "kind: directory\nowner: x\n---\nkind: policy\nname: old\n" });
    await expect(planOf(server, owned)).rejects.toThrow(
      "the server is older than this tessera and does not support owners: remove the owner and --prune",
    );
    const plan = await makePlan(
      server,
      { ...owned, owner: undefined },
      {
        prune: false,
        selector: undefined,
        secrets: SECRETS,
        partition: "default",
      },
    );
    const { lint } = await import("./lint.ts");
    expect((await lint(server, plan.changes)).gap).toContain("the server is older than this tessera");
  });

  test("what the server says of rules has the place in their own file", async () => {
    const { lint } = await import("./lint.ts");
    const server = await serverOf(v1);
    const files = {
      "a.yaml": "kind: policy\nname: linted\nrules-file: rules/x.hcl\n",
      "rules/x.hcl": 'key "a" {\n  policy = "read"\n}\norganisation "acme" {\n  policy = "read"\n}\n',
    };
    const { changes } = await planOf(server, declare(files));
    const { warnings } = await lint(server, changes);
    expect(warnings.map(({ place, message }) => [place, message])).toEqual([
      [{ file: "rules/x.hcl", line: 4, column: 1 }, expect.stringContaining("organization")],
    ]);
  });
});
