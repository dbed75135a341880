/** A random world of access control in which every name is a word of its own, so that no answer can tell one unnoticed. */
import { expect } from "vitest";
import { tagNames } from "./api.ts";
import { at, loginIn, makeIn, makeMethodIn, makeNamespace, makePartition, type Place } from "./scopes.ts";
import type { Random } from "./seeded.ts";
import type { V1 } from "./v1.ts";

/** Words that stand for one thing, and the request that shows whether somebody may read it. */
export interface Canary {
  words: string[];
  /** A path of `/v1`, or one that begins with `/api/v2`. */
  read: string;
  /** Whether its text, with all the words in it, is shown to who may read it. */
  isText: boolean;
}

/** Contents of one namespace. */
export interface CanaryPlace {
  place: Required<Place>;
  policies: string[];
  role: string;
  roleName: string;
  method: string;
  tokens: string[];
}

export interface World {
  canaries: Canary[];
  places: CanaryPlace[];
  organizations: string[];
  workspaces: { id: string; name: string }[];
  tags: string[];
  /** `X-Request-Id` of requests that were refused. */
  refused: string[];
}

const data = (type: string, name: string) => ({ data: { type, attributes: { name, email: "a@example.com" } } });

/** Makes a world. */
export class WorldMaker {
  readonly world: World = { canaries: [], places: [], organizations: [], workspaces: [], tags: [], refused: [] };
  readonly #v1: V1;
  readonly #random: Random;
  #words = 0;

  constructor(v1: V1, random: Random) {
    this.#v1 = v1;
    this.#random = random;
  }

  /** One word is never a part of another. */
  word(kind: string): string {
    this.#words += 1;
    return `${kind}q${String(this.#words).padStart(3, "0")}x`;
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)] as T;
  }

  chance(of: number): boolean {
    return this.#random() < of;
  }

  async organization(): Promise<void> {
    const { world } = this;
    const [name, workspaceName, tag] = [this.word("org"), this.word("ws"), this.word("tag")];
    expect((await this.#v1.api("POST", "/organizations", data("organizations", name))).status).toBe(201);
    const made = await this.#v1.api("POST", `/organizations/${name}/workspaces`, data("workspaces", workspaceName));
    const id = String(made.body.data.id);
    await this.#v1.api("POST", `/workspaces/${id}/relationships/tags`, tagNames(tag));
    const tags = await this.#v1.api("GET", `/organizations/${name}/tags`);
    world.organizations.push(name);
    world.workspaces.push({ id, name: `${name}/${workspaceName}` });
    world.tags.push(String(tags.body.data[0].id));
    world.canaries.push({ words: [name], read: `/api/v2/organizations/${name}`, isText: false });
    world.canaries.push({ words: [workspaceName], read: `/api/v2/workspaces/${id}`, isText: false });
    world.canaries.push({ words: [tag], read: `/api/v2/organizations/${name}/tags`, isText: false });
  }

  async partition(): Promise<string> {
    const name = this.word("part");
    await makePartition(this.#v1, name);
    this.world.canaries.push({ words: [name], read: `/partition/${name}`, isText: false });
    return name;
  }

  /** A namespace with something of each kind in it; that of the name `default` is there already. */
  async namespace(partition: string, name = this.word("ns")): Promise<void> {
    const place = { partition, namespace: name };
    if (name !== "default") {
      const home = this.world.places.find(({ place: other }) => isHomeOf(other, partition));
      const ACLs = {
        PolicyDefaults: home?.policies.filter(() => this.chance(0.5)).map((ID) => ({ ID })),
        RoleDefaults: home !== undefined && this.chance(0.5) ? [{ ID: home.role }] : [],
      };
      await makeNamespace(this.#v1, place, { ACLs });
      this.world.canaries.push({ words: [name], read: at(`/namespace/${name}`, { partition }), isText: true });
    }
    this.world.places.push(await this.#fill(place));
  }

  async #fill(place: Required<Place>): Promise<CanaryPlace> {
    const v1 = this.#v1;
    const policies: string[] = [];
    for (let count = 0; count < 2; count += 1) {
      const Name = this.word("pol");
      const { ID } = await makeIn(v1, place, "policy", { Name, Rules: this.rules(place) });
      policies.push(String(ID));
      this.#knows([Name, String(ID)], at(`/acl/policy/${ID}`, place));
    }
    const [roleName, service] = [this.word("role"), this.word("svc")];
    const made = await makeIn(v1, place, "role", {
      Name: roleName,
      Policies: [{ ID: this.pick(policies) }],
      ServiceIdentities: [{ ServiceName: service }],
    });
    const role = String(made.ID);
    this.#knows([roleName, role, service], at(`/acl/role/${role}`, place));
    const method = this.word("method");
    await makeMethodIn(v1, place, { Name: method });
    this.#knows([method], at(`/acl/auth-method/${method}`, place));
    for (const [BindType, BindName] of [
      ["role", roleName],
      ["service", this.word("bound")],
    ]) {
      const Description = this.word("rule");
      const rule = await makeIn(v1, place, "binding-rule", { AuthMethod: method, BindType, BindName, Description });
      this.#knows([Description, String(rule.ID)], at(`/acl/binding-rule/${rule.ID}`, place));
    }
    return { place, policies, role, roleName, method, tokens: await this.#tokens(place, policies, role, method) };
  }

  async #tokens(place: Required<Place>, policies: string[], role: string, method: string): Promise<string[]> {
    const found: string[] = [];
    const Description = this.word("token");
    const ServiceName = this.word("svc");
    const links = this.chance(0.5) ? { Roles: [{ ID: role }] } : { Policies: policies.map((ID) => ({ ID })) };
    const made = await makeIn(this.#v1, place, "token", {
      Description,
      ...links,
      ServiceIdentities: [{ ServiceName }],
    });
    const { AccessorID, SecretID } = made;
    this.#knows([Description, String(AccessorID), ServiceName], at(`/acl/token/${AccessorID}`, place));
    const login = await loginIn(this.#v1, place, {}, method);
    this.#knows([String(login.AccessorID)], at(`/acl/token/${login.AccessorID}`, place));
    found.push(String(AccessorID), String(login.AccessorID));
    await this.#refuse(String(SecretID), place);
    await this.#refuse(String(login.SecretID), place);
    return found;
  }

  /** A login that a namespace rule of another namespace's method leads here. */
  async spread(from: CanaryPlace, to: CanaryPlace): Promise<void> {
    const Name = this.word("method");
    const NamespaceRules = [{ Selector: "", BindNamespace: to.place.namespace }];
    await makeMethodIn(this.#v1, from.place, { Name, NamespaceRules });
    this.#knows([Name], at(`/acl/auth-method/${Name}`, from.place));
    const Description = this.word("rule");
    const rule = await makeIn(this.#v1, from.place, "binding-rule", {
      AuthMethod: Name,
      BindType: "role",
      BindName: to.roleName,
      Description,
    });
    this.#knows([Description, String(rule.ID)], at(`/acl/binding-rule/${rule.ID}`, from.place));
    const login = await loginIn(this.#v1, from.place, {}, Name);
    this.#knows([String(login.AccessorID)], at(`/acl/token/${login.AccessorID}`, to.place));
    to.tokens.push(String(login.AccessorID));
    await this.#refuse(String(login.SecretID), to.place);
  }

  #knows(words: string[], read: string): void {
    this.world.canaries.push({ words, read, isText: !read.startsWith("/acl/token/") });
  }

  async #refuse(secret: string, { partition }: Required<Place>): Promise<void> {
    const { organizations, workspaces, places } = this.world;
    const answers = [
      await this.#v1.api("GET", `/organizations/${this.pick(organizations)}`, undefined, secret),
      await this.#v1.api("DELETE", `/workspaces/${this.pick(workspaces).id}`, undefined, secret),
      await this.#v1.get(
        at("/acl/policies", this.pick([{ partition, namespace: "default" }, ...places.map((each) => each.place)])),
        secret,
      ),
    ];
    for (const { status, headers } of answers) {
      if (status === 403 || status === 404) this.world.refused.push(String(headers["x-request-id"]));
    }
  }

  /** The text of a policy of a place: what it gives there and, from the first of them all, elsewhere. */
  rules({ partition, namespace }: Required<Place>): string {
    const { world } = this;
    const namespaces = world.places.filter(({ place }) => place.partition === partition);
    const choices = [
      'acl = "read"',
      `key_prefix "" { policy = "${this.pick(["read", "write", "deny"])}" }`,
      'service_prefix "" { policy = "read" }',
    ];
    if (namespace === "default") {
      const other = namespaces.length === 0 ? "none" : this.pick(namespaces).place.namespace;
      choices.push(`namespace "${other}" { policy = "read" acl = "read" }`, `namespace "${other}" { acl = "deny" }`);
      choices.push('namespace_prefix "ns" { key_prefix "" { policy = "read" } }');
      if (partition === "default") {
        choices.push('operator = "read"');
        choices.push(`organization "${this.pick(world.organizations)}" { policy = "read" }`);
        choices.push(`workspace "${this.pick(world.workspaces).name}" { policy = "deny" }`);
        choices.push('partition_prefix "part" { namespace_prefix "" { acl = "read" } }');
      }
    }
    return choices.filter(() => this.chance(0.35)).join("\n");
  }
}

function isHomeOf({ partition, namespace }: Required<Place>, wanted: string): boolean {
  return partition === wanted && namespace === "default";
}
