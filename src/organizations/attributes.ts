/** Attributes of an organization that are stored and echoed, and have no effect here. */
import { Type } from "typebox";
import { attribute, declareAttributes, flag } from "../attributes.ts";

/** How often a member has to sign in; null stands for the usual value of 20160. */
const minutes = (description: string) =>
  attribute(Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), null, `Minutes ${description}`);

export const ATTRIBUTES = declareAttributes({
  "collaborator-auth-policy": attribute(Type.Enum(["password", "two_factor_mandatory"]), "password"),
  "session-timeout": minutes("without activity after which a session ends."),
  "session-remember": minutes("after which a session ends."),
  "user-tokens-enabled": flag(true, "Stored and returned; no effect: user tokens are not supported."),
  "cost-estimation-enabled": flag(false, "Stored and returned; no effect."),
  "stacks-enabled": flag(false, "Stored and returned; no effect."),
  "assessments-enforced": flag(false, "Stored and returned; no effect."),
  "send-passing-statuses-for-untriggered-speculative-plans": flag(false, "Stored and returned; no effect."),
  "aggregated-commit-status-enabled": flag(true, "Stored and returned; no effect."),
  "speculative-plan-management-enabled": flag(false, "Stored and returned; no effect."),
  "allow-force-delete-workspaces": flag(false, "Stored and returned; no effect."),
  "max-ttl-enabled": flag(false, "Stored and returned; no effect."),
  "enforce-hyok": flag(false, "Stored and returned; no effect."),
  "owners-team-saml-role-id": attribute(Type.String({ maxLength: 255 }), null),
});

/** Attributes in a request. */
export type AttributesChange = Parameters<typeof ATTRIBUTES.change>[1];
