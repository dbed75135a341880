/** Finds what the subjects of the ledger hold now, and what a draft leaves them. */
import { sql, type SqlBool } from "kysely";
import { identityKey } from "../../acl/login/limits.ts";
import { NO_GRANTS } from "../../acl/grants.ts";
import { methodLives, tokenStore, type Token } from "../../acl/tokens/store.ts";
import type { ResolvedGrants } from "../../acl/tokens/service.ts";
import type { AccessHolder } from "../../explain/access/held.ts";
import type { HolderPair } from "../../explain/effect/drafted-rights.ts";
import { thoughtOf } from "../../explain/effect/find.ts";
import { fold } from "../../fold.ts";
import type { Scope } from "../../rights/scope.ts";
import type { Reader } from "../../storage/database.ts";
import { isIntact } from "../../storage/proofs/proofs.ts";
import { defineQuery, oneOf } from "../../storage/reads/query.ts";
import type { UseSubject } from "../../records/uses/row.ts";
import { keyOfSubject, type Reason } from "./entry.ts";
import type { LoginDrafts } from "./logins.ts";

/** A subject with its grants, or why it cannot be asked again. */
export type ReplayedSubject = FoundHolder | { reason: Reason };

export interface FoundHolder {
  holder: HolderPair;
  /** Description of a token. */
  name: string;
  /** Whether the subject may hold more than this: of logins that were folded to their roles nothing else is known. */
  isPart: boolean;
}

type Identity = Extract<UseSubject, { kind: "identity" }>;

/** Objects that one statement reads. */
const AT_ONCE = 128;
const GONE: ReplayedSubject = { reason: "subject" };

/** Reads subjects of one scope by the hundred. */
export class SubjectReader {
  readonly #db: Reader;
  readonly #tokens: ReadonlyMap<string, ResolvedGrants>;
  readonly #logins: LoginDrafts;
  readonly #now: number;

  /** @param now milliseconds since the epoch */
  constructor(db: Reader, tokens: ReadonlyMap<string, ResolvedGrants>, logins: LoginDrafts, now: number) {
    this.#db = db;
    this.#tokens = tokens;
    this.#logins = logins;
    this.#now = now;
  }

  /** @returns by `keyOfSubject`, each subject that was asked for */
  async read(scope: Scope, subjects: readonly UseSubject[]): Promise<Map<string, ReplayedSubject>> {
    const found = new Map<string, ReplayedSubject>(subjects.map((subject) => [keyOfSubject(subject), GONE]));
    const ids = subjects.flatMap((each) => (each.kind === "token" ? [each.accessorId] : []));
    for (const some of sliced(ids))
      for (const token of await tokenStore.all(this.#db, scope, some))
        found.set(keyOfSubject({ kind: "token", accessorId: token.accessorId }), await this.#ofToken(token));
    const identities = subjects.filter((each) => each.kind === "identity");
    for (const identity of identities)
      if (isNameless(identity)) found.set(keyOfSubject(identity), { reason: "claims" });
    for (const some of sliced(identities))
      for (const [identity, token] of await this.#newestOf(scope, some))
        found.set(keyOfSubject(identity), await this.#ofToken(token));
    for (const subject of subjects) {
      if (subject.kind !== "roles") continue;
      const { authMethod, roles } = subject;
      const holder: AccessHolder = { ...NO_GRANTS, roles, scope };
      const isKnown = roles.length > 0 && !this.#logins.concern(authMethod);
      const given = { holder: { before: holder, after: holder }, name: "", isPart: true };
      found.set(keyOfSubject(subject), isKnown ? given : { reason: "claims" });
    }
    return found;
  }

  async #ofToken(token: Token): Promise<ReplayedSubject> {
    if (token.expiresAt !== undefined && token.expiresAt <= this.#now) return GONE;
    const draft = this.#tokens.get(token.accessorId);
    const after = draft === undefined ? await this.#logins.after(this.#db, token) : thoughtOf(token, draft);
    if (after === undefined) return { reason: "claims" };
    return { holder: { before: token, after }, name: token.description, isPart: false };
  }

  /** The newest active token stands for an identity: the next login is most like it. */
  async #newestOf(scope: Scope, identities: readonly Identity[]): Promise<Map<Identity, Token>> {
    const methods = new Map<string, string[]>();
    const names = [...new Set(identities.map(({ authMethod }) => fold(authMethod)))];
    for (const { id, name } of await this.#db.run(methodsByName, { partition: scope.partition, names }))
      methods.set(fold(name), [...(methods.get(fold(name)) ?? []), id]);
    const keys = new Map<string, Identity>();
    for (const each of identities) {
      // The ledger has the digest instead if the login's record was not kept any more.
      keys.set(each.identity, each);
      for (const id of methods.get(fold(each.authMethod)) ?? []) keys.set(identityKey(id, each.identity), each);
    }
    const rows = await this.#db.run(tokensOfIdentities, { ...scope, keys: [...keys.keys()], now: this.#now });
    const newest = new Map<Identity, Token>();
    for (const row of rows) {
      const identity = keys.get(row.login_identity ?? "");
      // They come oldest first.
      if (identity !== undefined && isIntact("tokens", row)) newest.set(identity, tokenStore.of(row));
    }
    return newest;
  }
}

/** Whether a login proved no subject, so that its identity are its claims, which no record shows. */
function isNameless({ identity }: Identity): boolean {
  return identity.endsWith(',""]');
}

const methodsByName = defineQuery((db, p: { partition: string; names: readonly string[] }, engine) =>
  db
    .selectFrom("auth_methods")
    .select(["id", "name"])
    .where("partition", "=", p.partition)
    .where(oneOf(engine, sql.ref("name_key"), p.names)),
);

const tokensOfIdentities = defineQuery((db, p: Scope & { keys: readonly string[]; now: number }, engine) =>
  db
    .selectFrom("tokens")
    .selectAll()
    .where(oneOf(engine, sql.ref("login_identity"), p.keys))
    .where("partition", "=", p.partition)
    .where("namespace", "=", p.namespace)
    .where(sql<SqlBool>`(expires_at is null or expires_at > ${p.now})`)
    .where(methodLives)
    .orderBy("create_index")
    .orderBy("accessor_id"),
);

function sliced<T>(all: readonly T[]): T[][] {
  const slices: T[][] = [];
  for (let start = 0; start < all.length; start += AT_ONCE) slices.push(all.slice(start, start + AT_ONCE));
  return slices;
}
