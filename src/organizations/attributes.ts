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
  "user-tokens-enabled": flag(true, "Echoed. It has no effect: there are no user tokens."),
  "cost-estimation-enabled": flag(false, "Echoed."),
  "stacks-enabled": flag(false, "Echoed."),
  "assessments-enforced": flag(false, "Echoed."),
  "send-passing-statuses-for-untriggered-speculative-plans": flag(false, "Echoed."),
  "aggregated-commit-status-enabled": flag(true, "Echoed."),
  "speculative-plan-management-enabled": flag(false, "Echoed."),
  "allow-force-delete-workspaces": flag(false, "Echoed."),
  "max-ttl-enabled": flag(false, "Echoed."),
  "enforce-hyok": flag(false, "Echoed."),
  "owners-team-saml-role-id": attribute(Type.String({ maxLength: 255 }), null),
});

/** Attributes in a request. */
export type AttributesChange = Parameters<typeof ATTRIBUTES.change>[1];
