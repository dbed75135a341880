/** Flags of tokens and roles for what they link to. */
import { link } from "../body.ts";
import type { Flag } from "../spec.ts";

export const POLICY_LINK: Flag = {
  name: "policy",
  value: "NAME",
  many: true,
  member: "Policies",
  read: link,
  help: "Policy name or ID. Repeatable.",
  complete: "policy",
};

export const ROLE_LINK: Flag = {
  name: "role",
  value: "NAME",
  many: true,
  member: "Roles",
  read: link,
  help: "Role name or ID. Repeatable.",
  complete: "role",
};
