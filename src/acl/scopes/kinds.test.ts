/**
 * Tests that a rule without permission in a policy's place has no effect, also when a row contains it all the same, or
 * an identity makes it: kind × home × source.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { useV1, type V1 } from "../../../test/support/v1.ts";
import { MANAGEMENT_RULES, READ_ONLY_RULES } from "../../rights/rules/builtin.ts";

interface Place {
  partition: string;
  namespace: string;
}

const PARTITIONS = ["default", "p2"];
const places = (namespaces: readonly string[]): Place[] =>
  PARTITIONS.flatMap((partition) => namespaces.map((namespace) => ({ partition, namespace })));

/** Places of policies, roles and tokens. */
const HOMES = places(["default", "tenant"]);
/** Places of the questions about their grants. */
const PLACES = places(["default", "tenant", "other"]);

const ROOT_KINDS = ["keyring", "operator", "organization web", "workspace web/web"];
const PARTITION_KINDS = ["agent web", "event web", "mesh", "peering", "query web"];
const NAMESPACE_KINDS = ["acl", "intention web", "key web", "service web", "service other", "session web"];
/** `namespace` and `partition` without a name are about where they are asked. */
const RESOURCES = [...ROOT_KINDS, ...PARTITION_KINDS, ...NAMESPACE_KINDS, "node web", "namespace", "partition"];
const ACCESSES = ["read", "write"] as const;
type Access = (typeof ACCESSES)[number];

/** Whether something is allowed. */
type Wanted = (place: Place, resource: string, access: Access) => boolean;

/** All that is allowed, in words, in the order of asking. */
function listOf(wanted: Wanted): string[] {
  return PLACES.flatMap((place) =>
    RESOURCES.flatMap((resource) =>
      ACCESSES.filter((access) => wanted(place, resource, access)).map((access) => worded(place, resource, access)),
    ),
  );
}

function worded({ partition, namespace }: Place, resource: string, access: Access): string {
  return `${partition}/${namespace}: ${resource} ${access}`;
}

async function rightsOf(v1: V1, secret: string): Promise<string[]> {
  const asked = RESOURCES.flatMap((resource) => ACCESSES.map((access) => ({ resource, access })));
  const allowed: string[] = [];
  for (const place of PLACES) {
    const questions = asked.map(({ resource, access }) => {
      const [Resource, Segment] = resource.split(" ");
      return { Resource, Segment, Access: access, Namespace: place.namespace, Partition: place.partition };
    });
    const { status, text, body } = await v1.post("/acl/authorize", questions, secret);
    expect(status, text).toBe(200);
    const answers = body as unknown as { Allow: boolean }[];
    allowed.push(
      ...asked.filter((_, i) => answers[i]?.Allow === true).map((each) => worded(place, each.resource, each.access)),
    );
  }
  return allowed;
}

const isIn = (one: Place, other: Place): boolean =>
  one.partition === other.partition && one.namespace === other.namespace;

/** Permissions by a policy of this home with rules about everything, everywhere. */
function cutToHome(home: Place, level: Access): Wanted {
  const isRoot = isIn(home, { partition: "default", namespace: "default" });
  return (place, resource, access) => {
    if (level === "read" && access === "write") return false;
    if (isRoot) return true;
    if (place.partition !== home.partition || ROOT_KINDS.includes(resource)) return false;
    // By its namespace block, and by its partition block where that is about its own.
    if (home.namespace === "default") return true;
    if (place.namespace !== home.namespace) return false;
    if (resource === "namespace") return access === "read";
    // A rule that writes nodes is cut off whole.
    return NAMESPACE_KINDS.includes(resource) || (resource === "node web" && level === "read");
  };
}

/** Grants of an identity or template: resources with the access. */
interface Given {
  /** In the namespace of the token or role that holds it. */
  own?: Record<string, Access>;
  /** Grants in that namespace, from a namespace `default` only. */
  ofDefault?: Record<string, Access>;
  /** In the whole partition, from its namespace `default` only. */
  ofPartition?: Record<string, Access>;
  /** In all namespaces of the partition. */
  everywhere: Record<string, Access>;
}

const READ_NODES = { "node web": "read" } as const;
const READ_SERVICES = { "service web": "read", "service other": "read", "intention web": "read" } as const;
const WRITE_SERVICES = { "service web": "write", "service other": "write", "intention web": "read" } as const;
const READ_CATALOG = { ...READ_NODES, ...READ_SERVICES };
const SERVICE: Given = { own: { "service web": "write" }, everywhere: READ_CATALOG };

function cutToHolder(home: Place, given: Given): Wanted {
  const fromDefault = home.namespace === "default";
  const gives = (rights: Record<string, Access> | undefined, resource: string, access: Access): boolean =>
    rights?.[resource] === "write" || rights?.[resource] === access;
  return (place, resource, access) => {
    if (place.partition !== home.partition) return false;
    const own = isIn(place, home);
    // Reads in all namespaces make only the holder's namespace visible.
    if (resource === "namespace") return own && access === "read";
    return (
      gives(given.everywhere, resource, access) ||
      (own && gives(given.own, resource, access)) ||
      (own && fromDefault && gives(given.ofDefault, resource, access)) ||
      (fromDefault && gives(given.ofPartition, resource, access))
    );
  };
}

/** Grants of a token or role. */
type Content = Record<string, unknown>;

const template = (name: string): Content => ({
  TemplatedPolicies: [{ TemplateName: `builtin/${name}`, TemplateVariables: { Name: "web" } }],
});
const NODE: Given = { ofDefault: { "node web": "write" }, everywhere: READ_SERVICES };
const SYNTHETIC: readonly [name: string, content: Content, given: Given][] = [
  ["the service identity web", { ServiceIdentities: [{ ServiceName: "web" }] }, SERVICE],
  ["the template builtin/service", template("service"), SERVICE],
  ["the template builtin/api-gateway", template("api-gateway"), { ...SERVICE, ofPartition: { mesh: "read" } }],
  ["the template builtin/dns", template("dns"), { ofPartition: { "query web": "read" }, everywhere: READ_CATALOG }],
  [
    "the template builtin/nomad-server",
    template("nomad-server"),
    { own: { acl: "write", ...WRITE_SERVICES }, ofPartition: { "agent web": "read" }, everywhere: READ_NODES },
  ],
  [
    "the template builtin/nomad-client",
    template("nomad-client"),
    { own: { "key web": "read", ...WRITE_SERVICES }, ofPartition: { "agent web": "read" }, everywhere: READ_NODES },
  ],
];
/** As rows hold what is refused outside of `default`. */
const FOR_NODES: readonly [name: string, column: "node_identities" | "templated_policies", json: string][] = [
  ["a node identity", "node_identities", JSON.stringify([{ nodeName: "web", datacenter: "dc1" }])],
  [
    "the template builtin/node",
    "templated_policies",
    JSON.stringify([{ templateName: "builtin/node", variableName: "web", datacenters: [] }]),
  ],
];

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  async function made(path: string, { partition, namespace }: Place, content: Content): Promise<Content> {
    const { status, text, body } = await v1.put(`${path}?ns=${namespace}&partition=${partition}`, content);
    expect(status, text).toBe(200);
    return body as Content;
  }
  const idOf = async (answer: Promise<Content>) => String((await answer)["ID"]);
  const makeRole = (home: Place, content: Content) =>
    idOf(made("/acl/role", home, { Name: v1.unique("role"), ...content }));
  const makeToken = (home: Place, content: Content) => made("/acl/token", home, content);
  const secretOf = async (home: Place, content: Content) => String((await makeToken(home, content))["SecretID"]);

  /** A policy whose rules are written past the application. */
  async function makePolicy(home: Place, rules: string): Promise<string> {
    const id = await idOf(made("/acl/policy", home, { Name: v1.unique("policy") }));
    await v1.write((sql) => sql.updateTable("policies").set({ rules }).where("id", "=", id));
    return id;
  }

  /** A token without any rights of its own, in a new namespace with these defaults. */
  async function tokenBehind(home: Place, defaults: { policies?: string[]; roles?: string[] }): Promise<string> {
    const { partition } = home;
    const namespace = v1.unique("space");
    await made("/namespace", home, { Name: namespace, Partition: partition });
    const { policies = [], roles = [] } = defaults;
    const columns = { default_policies: JSON.stringify(policies), default_roles: JSON.stringify(roles) };
    const id = `${partition}/${namespace}`;
    await v1.write((sql) =>
      sql
        .updateTable("namespaces")
        .set({ ...columns, has_defaults: 1 })
        .where("id", "=", id),
    );
    return secretOf({ partition, namespace }, {});
  }

  /** The ways to a token's rights; of a policy or identities of this home. */
  const SOURCES = {
    "the token": (home: Place, content: Content) => secretOf(home, content),
    "a role of the token": async (home: Place, content: Content) =>
      secretOf(home, { Roles: [{ ID: await makeRole(home, content) }] }),
    "a default role of the token's namespace": async (home: Place, content: Content) =>
      tokenBehind(home, { roles: [await makeRole(home, content)] }),
  };
  type Source = keyof typeof SOURCES;
  const sources = Object.keys(SOURCES) as Source[];
  /** Defaults lead to the namespace `default` alone; a link to anything else in a row leads nowhere. */
  const leadsNowhere = (home: Place, source: string): boolean =>
    home.namespace !== "default" && source.includes("default");
  const NOTHING: Wanted = () => false;

  beforeAll(async () => {
    await made("/partition", PLACES[0] ?? expect.fail(), { Name: "p2" });
    for (const place of places(["tenant", "other"])) {
      await made("/namespace", place, { Name: place.namespace, Partition: place.partition });
    }
  });

  describe.each(HOMES)("of $partition/$namespace", (home) => {
    const LEVELS = [
      ["writes", MANAGEMENT_RULES, "write"],
      ["reads", READ_ONLY_RULES, "read"],
    ] as const;

    test.each(LEVELS.flatMap((level) => sources.map((source) => [source, ...level] as const)))(
      "linked by %s, a policy that %s everything gives what its home allows",
      async (source, _verb, rules, level) => {
        const policy = await makePolicy(home, rules);
        const secret = await SOURCES[source](home, { Policies: [{ ID: policy }] });
        const wanted = leadsNowhere(home, source) ? NOTHING : cutToHome(home, level);
        expect(await rightsOf(v1, secret), source).toEqual(listOf(wanted));
      },
    );

    test.each(LEVELS)("a default policy that %s everything gives what its home allows", async (_verb, rules, level) => {
      const secret = await tokenBehind(home, { policies: [await makePolicy(home, rules)] });
      const wanted = leadsNowhere(home, "default") ? NOTHING : cutToHome(home, level);
      expect(await rightsOf(v1, secret)).toEqual(listOf(wanted));
    });

    describe.each(SYNTHETIC)("%s", (_name, content, given) => {
      test.each(sources)("given by %s gives what its home allows", async (source) => {
        const wanted = leadsNowhere(home, source) ? NOTHING : cutToHolder(home, given);
        expect(await rightsOf(v1, await SOURCES[source](home, content))).toEqual(listOf(wanted));
      });
    });

    describe.each(FOR_NODES)("%s", (_name, column, json) => {
      test("that stands in the row of a token writes nodes from a namespace default only", async () => {
        const { AccessorID, SecretID } = await makeToken(home, {});
        const id = String(AccessorID);
        await v1.write((sql) =>
          sql
            .updateTable("tokens")
            .set({ [column]: json })
            .where("accessor_id", "=", id),
        );
        expect(await rightsOf(v1, String(SecretID))).toEqual(listOf(cutToHolder(home, NODE)));
      });

      test("that stands in the row of a role writes nodes from a namespace default only", async () => {
        const id = await makeRole(home, {});
        await v1.write((sql) =>
          sql
            .updateTable("roles")
            .set({ [column]: json })
            .where("id", "=", id),
        );
        expect(await rightsOf(v1, await secretOf(home, { Roles: [{ ID: id }] }))).toEqual(
          listOf(cutToHolder(home, NODE)),
        );
      });
    });

    test.each(["the token", "a role of the token"] as const)(
      "a service identity of %s shows no other namespace, neither by name nor in the list",
      async (source) => {
        const secret = await SOURCES[source](home, { ServiceIdentities: [{ ServiceName: "web" }] });
        for (const { partition, namespace } of PLACES) {
          const { status } = await v1.get(`/namespace/${namespace}?partition=${partition}`, secret);
          expect([partition, namespace, status]).toEqual([
            partition,
            namespace,
            isIn({ partition, namespace }, home) ? 200 : 403,
          ]);
        }
        for (const partition of PARTITIONS) {
          const { body, headers } = await v1.get(`/namespaces?partition=${partition}`, secret);
          const names = (body as unknown as { Name: string }[]).map(({ Name }) => Name);
          expect(names).toEqual(partition === home.partition ? [home.namespace] : []);
          expect(headers).toMatchObject({ "x-service-results-filtered-by-acls": "true" });
        }
      },
    );
  });
});
