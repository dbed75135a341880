/**
 * The attributes of an organization that are stored and echoed and otherwise
 * have no effect here. Kept as one JSON object of those that were given, by
 * wire name, so that a new one needs no migration.
 */

/** How often a member has to sign in, in minutes; null stands for the usual value of 20160. */
type Minutes = number | null;

export interface OrganizationSettings {
  "collaborator-auth-policy": "password" | "two_factor_mandatory";
  "session-timeout": Minutes;
  "session-remember": Minutes;
  "user-tokens-enabled": boolean;
  "cost-estimation-enabled": boolean;
  "stacks-enabled": boolean;
  "assessments-enforced": boolean;
  "send-passing-statuses-for-untriggered-speculative-plans": boolean;
  "aggregated-commit-status-enabled": boolean;
  "speculative-plan-management-enabled": boolean;
  "allow-force-delete-workspaces": boolean;
  "max-ttl-enabled": boolean;
  "enforce-hyok": boolean;
  "owners-team-saml-role-id": string | null;
}

const DEFAULTS: OrganizationSettings = {
  "collaborator-auth-policy": "password",
  "session-timeout": null,
  "session-remember": null,
  "user-tokens-enabled": true,
  "cost-estimation-enabled": false,
  "stacks-enabled": false,
  "assessments-enforced": false,
  "send-passing-statuses-for-untriggered-speculative-plans": false,
  "aggregated-commit-status-enabled": false,
  "speculative-plan-management-enabled": false,
  "allow-force-delete-workspaces": false,
  "max-ttl-enabled": false,
  "enforce-hyok": false,
  "owners-team-saml-role-id": null,
};

/** What a request says about them; null goes back to the default. */
export type SettingsChange = { [Name in keyof OrganizationSettings]?: OrganizationSettings[Name] | null | undefined };

/** All settings, from what is stored. */
export function readSettings(stored: string): OrganizationSettings {
  return stored === "{}" ? DEFAULTS : { ...DEFAULTS, ...(JSON.parse(stored) as Partial<OrganizationSettings>) };
}

/** What is to be stored after a change. Attributes that are not settings are passed over. */
export function changeSettings(stored: string, change: SettingsChange): string {
  const settings = JSON.parse(stored) as Partial<Record<keyof OrganizationSettings, unknown>>;
  for (const name of Object.keys(DEFAULTS) as (keyof OrganizationSettings)[]) {
    const value = change[name];
    if (value === null) delete settings[name];
    else if (value !== undefined) settings[name] = value;
  }
  return JSON.stringify(settings);
}
