/** Objects that depend on new objects of the same plan are tried as far as possible (incident 81). */
import { expect, test } from "vitest";
import { declare, planOf, serverOf, tracesOf, tryFiles } from "../../test/support/declared.ts";
import { forEachEngine } from "../../test/support/engines.ts";
import { createSigningKey } from "../../test/support/key-server.ts";
import { MANAGEMENT, useV1 } from "../../test/support/v1.ts";
import { lint } from "./lint.ts";

const ACCESSOR = "0a51f1c2-96f4-4c3d-8a6d-2b1f0f0b7a31";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const triedOf = (files: Readonly<Record<string, string>>, token = MANAGEMENT) => tryFiles(v1, files, { token });

  test("incident 81: what lies in a new namespace or partition is tried there, by the rights and the rules of that place", async () => {
    const before = await tracesOf(v1);
    const tenant = (...more: string[]) => ({
      "a.yaml": `
- { kind: namespace, name: tenant }
- { kind: policy, namespace: tenant, name: gate, rules: 'key_prefix "" { policy = "read" }' }
- { kind: role, namespace: tenant, name: gate, policies: [gate] }
- { kind: token, namespace: tenant, accessor-id: ${ACCESSOR}, roles: [gate], policies: [gate] }
- { kind: partition, name: island }
- { kind: namespace, partition: island, name: port, policy-defaults: [] }
- { kind: policy, partition: island, namespace: port, name: gate }
${more.join("\n")}
`,
    });
    expect(await triedOf(tenant())).toEqual({ errors: [], untried: [] });
    // In the namespace `default` each of these but the names could be made.
    const bad: Readonly<Record<string, RegExp>> = {
      [`- { kind: policy, namespace: tenant, name: wide, rules: 'operator = "read"' }`]:
        /cannot have these rules: operator/,
      "- { kind: role, namespace: tenant, name: bad name }": /^role default\/tenant\/bad name would be rejected/,
      "- { kind: role, partition: island, namespace: port, name: bad name }": /^role island\/port\/bad name would be/,
      "- { kind: namespace, partition: island, name: bad name }": /^namespace island\/bad name would be rejected/,
      "- { kind: role, namespace: tenant, name: r, node-identities: [{ node-name: n, datacenter: dc1 }] }":
        /^role default\/tenant\/r would be rejected/,
    };
    for (const [line, told] of Object.entries(bad)) {
      const { errors, untried } = await triedOf(tenant(line));
      expect([line, untried, errors]).toEqual([line, [], [expect.stringMatching(told)]]);
    }
    expect(await tracesOf(v1)).toEqual(before);
    const reads = 'operator = "read" partition_prefix "" { policy = "read" namespace_prefix "" { acl = "read" } }';
    const { secret } = await v1.token({ Policies: [{ ID: await v1.policy(reads) }] });
    const { errors, untried } = await triedOf(tenant(), secret);
    expect([errors, untried.length, new Set(untried.map((each) => each.replace(/^[^:]+: /, "")))]).toEqual([
      [],
      7,
      new Set(["your token may not write it, or may not read its scope"]),
    ]);
  });

  test("incident 81: a binding rule is looked at beside its auth method as the plan makes or changes it", async () => {
    const config = (claims: string) =>
      `{ JWTValidationPubKeys: [${JSON.stringify(createSigningKey("beside").publicKey)}], ClaimMappings: { ${claims} } }`;
    const files = (rule: string, namespace: string, claims: string) => ({
      "a.yaml": `
- { kind: namespace, name: beside }
- { kind: role, namespace: ${namespace}, name: crew }
- { kind: auth-method, namespace: ${namespace}, name: ci, type: jwt, config: ${config(claims)} }
- { kind: binding-rule, namespace: ${namespace}, auth-method: ci, description: d, ${rule} }
`,
    });
    const good = "bind-type: role, bind-name: crew, selector: 'value.team == web'";
    const service = `bind-type: service, bind-name: "s-\${value.team}"`;
    const bad: readonly (readonly [string, RegExp])[] = [
      [`bind-type: service, bind-name: "s-\${value.tribe}"`, /unknown variable accessed: value\.tribe/],
      ["bind-type: service, bind-name: x, selector: 'value.a =='", /Selector is invalid/],
    ];
    for (const namespace of ["default", "beside"]) {
      for (const rule of [good, service])
        expect(await triedOf(files(rule, namespace, "team: team"))).toEqual({ errors: [], untried: [] });
      for (const [rule, told] of bad) {
        const { errors, untried } = await triedOf(files(rule, namespace, "team: team"));
        expect([rule, untried, errors]).toEqual([rule, [], [expect.stringMatching(told)]]);
      }
    }
    // A method that is there and changes counts as it will be, not as it is.
    await v1.put("/acl/auth-method", {
      Name: "ci",
      Type: "jwt",
      Config: { JWTValidationPubKeys: [createSigningKey("beside").publicKey], ClaimMappings: { old: "old" } },
    });
    expect(await triedOf(files(service, "default", "team: team"))).toEqual({ errors: [], untried: [] });
    const old = await triedOf(files(`bind-type: service, bind-name: "s-\${value.old}"`, "default", "team: team"));
    expect(old).toEqual({ errors: [expect.stringMatching(/unknown variable accessed: value\.old/)], untried: [] });
    await v1.policy('acl = "read" operator = "read"', "reads-methods");
    const { secret } = await v1.token({ Policies: [{ Name: "reads-methods" }] });
    const { untried } = await triedOf(files(service, "default", "team: team"), secret);
    expect(untried.filter((each) => each.startsWith("binding-rule"))).toEqual([
      expect.stringContaining("your token may not write it"),
    ]);
  });

  test("more than 1,000 policies are looked through for warnings", async () => {
    const lines = Array.from({ length: 1_001 }, (_, at) => `- { kind: policy, name: p${at} }\n`);
    const last = `- { kind: policy, name: z, rules: 'acl = "Write"' }\n`;
    const plan = await planOf(await serverOf(v1), declare({ "a.yaml": lines.join("") + last }));
    const { warnings, gap } = await lint(await serverOf(v1), plan.changes);
    expect([warnings, gap]).toEqual([
      [expect.objectContaining({ message: expect.stringContaining("policy default/default/z") })],
      undefined,
    ]);
  });
});
