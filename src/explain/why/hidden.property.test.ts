import { beforeAll, expect, test } from "vitest";
import type { Answer } from "../../../test/support/api.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { refusalOf } from "../../../test/support/refusals.ts";
import { makeIn, makeMethodIn, makeNamespace, secretIn } from "../../../test/support/scopes.ts";
import { randomOfRun } from "../../../test/support/seeded.ts";
import { useV1 } from "../../../test/support/v1.ts";

/**
 * Permissions that readers of the namespace may have besides `acl = "read"`; none allows them to read the `default`
 * namespace.
 */
const MORE = [
  'key_prefix "" { policy = "write" }',
  'service_prefix "" { policy = "read" }',
  'session_prefix "" { policy = "deny" }',
  "",
];
const QUESTIONS = ["key", "service", "session", "acl", "namespace", "workspace", "organization", "operator", "mesh"];
const random = randomOfRun();
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const secretWords: string[] = [];
  const accessors: string[] = [];
  let refused: Answer;
  beforeAll(async () => {
    await makeNamespace(v1, { namespace: "team" });
    await makeMethodIn(v1, {});
    const policies: string[] = [];
    for (const [index, kind] of ["key", "service", "session"].entries()) {
      const Name = `canary-policy-${index}`;
      const rule = `${kind}_prefix "canary-${kind}" { policy = "${pick(["read", "write", "deny"])}" }`;
      policies.push(
        await v1.policy(
          `${rule}\nnamespace "team" { ${rule} ${kind}_prefix "" { policy = "${pick(["read", "deny"])}" } }`,
          Name,
        ),
      );
    }
    const role = await v1.role({
      Name: "canary-role",
      Policies: [{ ID: policies[0] }],
      ServiceIdentities: [{ ServiceName: "canary-web" }],
    });
    const { accessor } = await v1.token({ Description: "canary-token", Roles: [{ ID: role }] });
    secretWords.push(...policies, role, accessor, "canary-policy", "canary-role", "canary-token", "canary-web");
    await v1.put("/namespace/team", {
      ACLs: { RoleDefaults: [{ ID: role }], PolicyDefaults: policies.slice(1).map((ID) => ({ ID })) },
    });
    for (let count = 0; count < 4; count++) {
      const ServiceIdentities = random() < 0.5 ? [{ ServiceName: "own" }] : [];
      accessors.push(String((await makeIn(v1, { namespace: "team" }, "token", { ServiceIdentities })).AccessorID));
    }
    const attributes = { name: "canary-org", email: "a@example.com" };
    await v1.api(
      "POST",
      "/organizations",
      { data: { type: "organizations", attributes } },
      await v1.tokenWith('organization_prefix "" { policy = "write" }'),
    );
    secretWords.push("canary-org");
    const weak = await secretIn(v1, { namespace: "team" }, 'key "a" { policy = "read" }');
    const answer = await v1.api("GET", "/organizations/canary-org", undefined, weak);
    refused = answer;
  });

  test("no answer names what its caller may not read, whatever else they may", async () => {
    await refusalOf(v1.db, refused);
    const id = String(refused.headers["x-request-id"]);
    for (let round = 0; round < 4; round++) {
      const reader = await secretIn(v1, { namespace: "team" }, `acl = "read"\n${pick(MORE)}`);
      const asked = QUESTIONS.map((Resource) => ({
        Resource,
        Segment: `x-${pick(["a", "b"])}`,
        Access: pick(["read", "write"]),
        Namespace: "team",
      }));
      const answers = [await v1.get(`/acl/why/${id}`, reader)];
      for (const AccessorID of accessors)
        answers.push(await v1.post("/acl/explain", { AccessorID, Questions: asked }, reader));
      for (const { Resource, Segment, Access } of asked) {
        answers.push(
          await v1.get(`/acl/access?resource=${Resource}&segment=${Segment}&access=${Access}&ns=team`, reader),
        );
      }
      for (const { status, text } of answers) {
        expect(status, text).toBe(200);
        for (const word of secretWords) expect(text).not.toContain(word);
      }
    }
  });
});
