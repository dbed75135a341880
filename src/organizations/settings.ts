/**
 * Attributes of an organization that are stored and echoed, and have no effect
 * here. Kept as one JSON object of those that were given, by wire name, so that
 * a new one needs no migration.
 */
import { Type, type Static, type TSchema } from "typebox";

/** A setting: what a request may say, where null goes back to the default, and that default. */
function setting<T extends TSchema, D extends Static<T> | null>(type: T, byDefault: D, description?: string) {
  const words = description === undefined ? {} : { description };
  return { type, byDefault, schema: Type.Optional(Type.Union([type, Type.Null()], words)) };
}

const flag = (byDefault: boolean, description = "Echoed.") => setting(Type.Boolean(), byDefault, description);
/** How often a member has to sign in; null stands for the usual value of 20160. */
const minutes = (description: string) =>
  setting(Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), null, description);

const SETTINGS = {
  "collaborator-auth-policy": setting(Type.Enum(["password", "two_factor_mandatory"]), "password"),
  "session-timeout": minutes("Minutes without activity after which a session ends."),
  "session-remember": minutes("Minutes after which a session ends."),
  "user-tokens-enabled": flag(true, "Echoed. It has no effect: there are no user tokens."),
  "cost-estimation-enabled": flag(false),
  "stacks-enabled": flag(false),
  "assessments-enforced": flag(false),
  "send-passing-statuses-for-untriggered-speculative-plans": flag(false),
  "aggregated-commit-status-enabled": flag(false),
  "speculative-plan-management-enabled": flag(false),
  "allow-force-delete-workspaces": flag(false),
  "max-ttl-enabled": flag(false),
  "enforce-hyok": flag(false),
  "owners-team-saml-role-id": setting(Type.String({ maxLength: 255 }), null),
};

type Declared = typeof SETTINGS;
type Name = keyof Declared;

type OrganizationSettings = { [N in Name]: Static<Declared[N]["type"]> | Declared[N]["byDefault"] };

/** What a request says about them. */
export type SettingsChange = { [N in Name]?: Static<Declared[N]["schema"]> | undefined };

function each<M extends "byDefault" | "schema">(member: M) {
  return Object.fromEntries(Object.entries(SETTINGS).map(([name, declared]) => [name, declared[member]])) as {
    [N in Name]: Declared[N][M];
  };
}

/** The settings as members of a request. */
export const settingSchemas = each("schema");

const DEFAULTS: OrganizationSettings = each("byDefault");

/** All settings, from what is stored. */
export function readSettings(stored: string): OrganizationSettings {
  return stored === "{}" ? DEFAULTS : { ...DEFAULTS, ...(JSON.parse(stored) as Partial<OrganizationSettings>) };
}

/** What is to be stored after a change. Attributes that are not settings are passed over. */
export function changeSettings(stored: string, change: SettingsChange): string {
  const settings = JSON.parse(stored) as Partial<Record<Name, unknown>>;
  for (const name of Object.keys(DEFAULTS) as Name[]) {
    const value = change[name];
    if (value === null) delete settings[name];
    else if (value !== undefined) settings[name] = value;
  }
  return JSON.stringify(settings);
}
