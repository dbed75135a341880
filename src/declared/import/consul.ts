/**
 * Takes access control over from Consul, of either edition, by its own API and a token of it: policies, roles, tokens with their
 * IDs and secrets, auth methods, binding rules, namespaces and partitions.
 */
import { keyOf } from "../kinds.ts";
import { readAll } from "../export.ts";
import type { Live } from "../object.ts";
import { objectOf, type Declared } from "../object.ts";
import { ruleIdentities } from "../rule-identity.ts";
import { HIDDEN, mapSecrets } from "../secrets.ts";
import { isUnknown, type Server } from "../server.ts";
import { isRecord, type FileContent } from "../shape.ts";
import type { FileValue } from "../documents.ts";
import { createLeft, createVault, type Left, type ImportOrigin, type Taken, type Vault } from "./source.ts";

/** Types of auth methods that there are here. */
const TYPES = new Set(["jwt", "oidc", "kubernetes", "aws-iam"]);

interface Taking {
  readonly left: Left;
  readonly vault: Vault;
  /** Secrets of tokens, by AccessorID. */
  readonly tokens: Map<string, string>;
}

/** Reads all that the token may see. @throws what the client throws */
export async function takeFromConsul(source: Server): Promise<Taken> {
  const taking: Taking = { left: createLeft(), vault: createVault(), tokens: new Map() };
  const { left, tokens, vault } = taking;
  const all = await readAll(source, {
    isOnlyAccess: true,
    onToken({ id, secret, isOfLogin }) {
      if (isOfLogin) left.add("tokens created by logins; log in again", id);
      else if (secret !== undefined) tokens.set(id, secret);
    },
  });
  const behind = new Set(all.filter(isForeign).map(({ key }) => key));
  const objects: Declared[] = [];
  for (const live of all) {
    const { kind, content, path } = live;
    if (behind.has(live.key))
      left.add(`auth methods of the type ${text(content["type"])}, which Tessera does not support`, path);
    else if (kind.name === "binding-rule" && behind.has(methodKey(live)))
      left.add("binding rules of auth methods that are not imported", path);
    else objects.push(declaredOf(live, taking));
  }
  return {
    seen: all.length,
    objects: ruleIdentities(objects),
    from: await originOf(source),
    left: left.lines(),
    secrets: vault.secrets,
  };
}

/** Whether it is one of this product: that has this route. */
async function originOf(source: Server): Promise<ImportOrigin> {
  const { api, signal, isCommunity } = source;
  if (!(await isUnknown(api, "readOverview", { signal }))) return "tessera";
  return isCommunity ? "consul-community" : "consul";
}

function isForeign({ kind, content }: Live): boolean {
  return kind.name === "auth-method" && !TYPES.has(text(content["type"]));
}

function methodKey({ where, content }: Live): string {
  return keyOf("auth-method", where, text(content["auth-method"]));
}

function declaredOf({ kind, where, name, content, id, path }: Live, { left, vault, tokens }: Taking): Declared {
  if (kind.name === "auth-method") return objectOf(kind, where, name, withConfig(content, path, { left, vault }));
  const declared = objectOf(kind, where, name, content);
  if (kind.name !== "token" || isBuiltin(id)) return declared;
  const secret = tokens.get(id);
  if (secret !== undefined) return { ...declared, content: { ...declared.content, secret: vault.keep(secret) } };
  left.add("secrets of tokens that the import token may not read; the tokens get new secrets", id);
  return declared;
}

function isBuiltin(id: string): boolean {
  return id.startsWith("00000000-0000-0000-0000-0000000000");
}

function withConfig(content: FileContent, path: string, { left, vault }: Pick<Taking, "left" | "vault">): FileContent {
  const { config } = content;
  if (!isRecord(config)) return content;
  const kept = mapSecrets(config, (name, value) => {
    if (typeof value !== "string" || value === "") return undefined;
    if (value !== HIDDEN) return vault.keep(value);
    left.add("secrets of auth methods that are not visible; set them manually", `${path} ${name}`);
    return undefined;
  });
  return { ...content, config: kept };
}

function text(value: FileValue | undefined): string {
  return typeof value === "string" ? value : "";
}
