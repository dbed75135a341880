/** Greets callers that are not signed in: ways to sign in, and on a new server the place of its first token. */
import { OIDC } from "../acl/auth-methods/validators.ts";
import { listMethodsOfType } from "../acl/auth-methods/store.ts";
import type { RenderScope, Scope } from "../rights/scope.ts";
import { wasSignedIn } from "../acl/sessions/store.ts";
import { wasBootstrapped } from "../acl/tokens/bootstrap.ts";
import type { Config } from "../config.ts";
import type { Database } from "../storage/database.ts";

export interface Greeted {
  /** Whether no user has ever signed in to the console of this database. */
  FirstRun: boolean;
  /** Place of the management token in that case. */
  Where: string | undefined;
  Methods: object[];
}

export type Greeting = (scope: Scope) => Promise<Greeted>;

interface GreetingOptions {
  db: Database;
  config: Partial<Pick<Config, "bootstrap" | "initialManagementToken" | "consoleMethods">>;
  renderScope: RenderScope;
}

/** Maximum number of methods of a type on a page from which users choose. */
const MOST_LISTED = 100;

export function createGreeting({ db, config, renderScope }: GreetingOptions): Greeting {
  async function methods(scope: Scope): Promise<object[]> {
    if (config.consoleMethods === "off") return [];
    const lists = await Promise.all([OIDC, "jwt"].map((type) => listMethodsOfType(db, scope, type, MOST_LISTED)));
    return lists.flat().map((method) => ({
      Name: method.name,
      DisplayName: method.displayName || method.name,
      Type: method.type,
      ...renderScope(method.scope),
    }));
  }

  async function where(): Promise<string> {
    if (config.initialManagementToken !== undefined) return GIVEN;
    if (config.bootstrap !== "manual") return MADE;
    return (await wasBootstrapped(db)) ? SHOWN : MISSING;
  }

  return async (scope) => {
    const [isSignedIn, found] = await Promise.all([wasSignedIn(db), methods(scope)]);
    return { FirstRun: !isSignedIn, Where: isSignedIn ? undefined : await where(), Methods: found };
  };
}

const MADE =
  "The server created a management token at its first start, in the file management-token of its data directory (--data-dir).";
const GIVEN =
  "The management token was set when the server was started: --initial-management-token, or the file that " +
  "--initial-management-token-file names.";
const MISSING = "No management token yet. `tessera server bootstrap` creates it, and shows it once.";
const SHOWN = "`tessera server bootstrap` created the management token and showed it once.";
