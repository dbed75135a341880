/** Objects that a server makes with a partition, a namespace or an organization exist for the rest of the same plan. */
import { expect, test } from "vitest";
import { declare, linesOf, makeSo, planOf, serverOf, tryFiles } from "../../test/support/declared.ts";
import { forEachEngine } from "../../test/support/engines.ts";
import { MANAGEMENT, useV1 } from "../../test/support/v1.ts";

const [ONE, OTHER] = ["0a51f1c2-96f4-4c3d-8a6d-2b1f0f0b7a51", "0a51f1c2-96f4-4c3d-8a6d-2b1f0f0b7a52"];

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  test("a role, a token and a binding rule of a new namespace link to its namespace-management", async () => {
    const config = "{ BoundIAMPrincipalARNs: ['arn:aws:iam::111122223333:role/web'] }";
    const templated = "templated-policies: [{ template-name: builtin/service, template-variables: { name: api } }]";
    const files = {
      "a.yaml": `
- { kind: namespace, name: fresh }
- { kind: role, namespace: fresh, name: lead, policies: [Namespace-Management], ${templated} }
- { kind: token, namespace: fresh, accessor-id: ${ONE}, policies: [namespace-management], roles: [lead] }
- { kind: auth-method, namespace: fresh, name: door, type: aws-iam, config: ${config} }
- { kind: binding-rule, namespace: fresh, auth-method: door, description: d, bind-type: policy, bind-name: namespace-management }
- { kind: partition, name: isle }
- { kind: role, partition: isle, name: lead, policies: [namespace-management] }
- { kind: token, partition: isle, accessor-id: ${OTHER}, policies: [namespace-management] }
`,
    };
    expect(await tryFiles(v1, files, { token: MANAGEMENT })).toEqual({ errors: [], untried: [] });
    const server = await serverOf(v1);
    await makeSo(server, declare(files));
    const { body: role } = await v1.get("/acl/role/name/lead?ns=fresh");
    expect(role.Policies).toEqual([expect.objectContaining({ Name: "namespace-management" })]);
    expect(linesOf(await planOf(server, declare(files)))).toEqual([]);
  });

  test("a link to the namespace-management of a namespace that neither the files nor the server have ends the plan", async () => {
    const server = await serverOf(v1);
    const role = "{ kind: role, namespace: nowhere, name: lead, policies: [namespace-management] }\n";
    await expect(planOf(server, declare({ "a.yaml": role }))).rejects.toThrow(
      "which is neither in the files nor on the server",
    );
  });

  test("the namespace default of a new partition is changed, and the first project of a new organization has workspaces", async () => {
    const files = {
      "a.yaml": `
- { kind: partition, name: reef }
- { kind: policy, partition: reef, name: common }
- { kind: namespace, partition: reef, name: default, description: all, policy-defaults: [common] }
- { kind: organization, name: shipyard, email: ops@example.com }
- { kind: workspace, organization: shipyard, name: dock, project: Default Project }
`,
    };
    const server = await serverOf(v1);
    await makeSo(server, declare(files));
    expect((await v1.get("/namespace/default?partition=reef")).body).toMatchObject({
      Description: "all",
      ACLs: { PolicyDefaults: [{ Name: "common" }] },
    });
    expect(linesOf(await planOf(server, declare(files)))).toEqual([]);
  });
});
