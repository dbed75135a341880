/** Search for identities that have an access. Runs with other long reads. */
import { methodStore } from "../acl/auth-methods/store.ts";
import { identityKey } from "../acl/login/limits.ts";
import { findLoginSubject } from "../acl/tokens/login-subject.ts";
import { listLoginTokens, newestOfIdentities, type TokensOfIdentity } from "../acl/tokens/identity-store.ts";
import type { Token } from "../acl/tokens/store.ts";
import { AccessDecider } from "../explain/access/decider.ts";
import type { Scope } from "../rights/scope.ts";
import type { ApartSource, ApartWork } from "../storage/database.ts";
import { idIn } from "../templates/name-template.ts";
import { startTurn } from "../turns.ts";
import type { FoundSubject, SubjectSearch } from "./find.ts";
import { MAX_TEXT } from "./request.ts";
import { MAX_TOKENS } from "./subjects.ts";

/** Input of a search for identities of a scope; see `SubjectSearch`. */
export type IdentitySearch = Omit<SubjectSearch, "kind">;

/** Tokens that one statement reads, and identities whose tokens one reads. */
const SLICE = 500;
const IDENTITIES = 50;

export const IDENTITIES_WITH_ACCESS: ApartWork<IdentitySearch, FoundSubject[]> = {
  name: "identities with an access",
  async run(source, { question, options, scope, place, after, size, now }) {
    const decider = new AccessDecider(source, question, options);
    const found: FoundSubject[] = [];
    const turn = startTurn();
    for (let at = after; ;) {
      const tokens = await listLoginTokens(source, scope, { after: at, search: "", size: SLICE }, now);
      for await (const all of identitiesOf(source, scope, tokens, now)) {
        await decider.prepare(
          scope,
          all.flatMap((each) => each.tokens),
        );
        for (const identity of all) {
          if (turn.isOver()) await turn.next();
          if (!(await isAllowed(decider, identity.tokens))) continue;
          const name = await nameOf(source, scope, identity);
          const id = name === undefined || place === undefined ? name : idIn(place, name);
          if (id !== undefined) found.push({ id, key: identity.first });
          if (found.length >= size) return found;
        }
      }
      const last = tokens.at(-1);
      if (last === undefined || tokens.length < SLICE) return found;
      at = last.accessorId;
    }
  },
};

/** Identities in the order of their first tokens. One with several tokens is found at the first of them alone, on whichever page. */
async function* identitiesOf(
  source: ApartSource,
  scope: Scope,
  tokens: readonly Token[],
  now: number,
): AsyncGenerator<readonly TokensOfIdentity[]> {
  const keys = [...new Set(tokens.map(({ loginIdentity }) => loginIdentity))];
  for (let start = 0; start < keys.length; start += IDENTITIES) {
    const some = keys.slice(start, start + IDENTITIES);
    const read = await newestOfIdentities(source, scope, some, MAX_TOKENS, now);
    const firsts = new Set(tokens.map(({ accessorId }) => accessorId));
    yield some.flatMap((key) => {
      const identity = read.get(key);
      return identity !== undefined && firsts.has(identity.first) ? [identity] : [];
    });
  }
}

async function isAllowed(decider: AccessDecider, tokens: readonly Token[]): Promise<boolean> {
  for (const token of tokens) if ((await decider.decide(token)) !== undefined) return true;
  return false;
}

/**
 * Returns `METHOD/SUBJECT`, by which evaluations know the identity; undefined where the record of its newest login is not kept any
 * more, or its subject is not the whole one.
 */
async function nameOf(source: ApartSource, scope: Scope, { tokens }: TokensOfIdentity): Promise<string | undefined> {
  const [newest] = tokens;
  if (newest === undefined) return undefined;
  const [method] = await methodStore.all(source, scope, [newest.methodId]);
  const subject = method && (await findLoginSubject(source, newest));
  if (subject === undefined || identityKey(newest.methodId, subject) !== newest.loginIdentity) return undefined;
  const name = `${method?.name ?? ""}/${subject}`;
  return name.length > MAX_TEXT ? undefined : name;
}
