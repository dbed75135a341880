/** Flags of tokens and roles for what they link to. */
import { link } from "../body.ts";
import type { Flag } from "../spec.ts";

export const POLICY_LINK: Flag = {
  name: "policy",
  value: "NAME",
  many: true,
  member: "Policies",
  read: link,
  help: "A policy that it holds, by name or ID; may be given several times.",
  complete: "policy",
};

export const ROLE_LINK: Flag = {
  name: "role",
  value: "NAME",
  many: true,
  member: "Roles",
  read: link,
  help: "A role that it holds, by name or ID; may be given several times.",
  complete: "role",
};
