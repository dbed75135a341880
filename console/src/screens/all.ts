/** All screens, in the order of the navigation. */
import type { Screen } from "../kit/screen.ts";
import { AUTH_METHODS } from "./auth-methods/screen.ts";
import { BINDING_RULES } from "./binding-rules/screen.ts";
import { OWN_PERMISSIONS } from "./effective/screen.ts";
import { HOME } from "./home/screen.ts";
import { NAMESPACES } from "./namespaces/screen.ts";
import { PARTITIONS } from "./partitions/screen.ts";
import { AUDIT, ORGANIZATION_AUDIT } from "./audit/screen.ts";
import { LOGIN } from "./login/screen.ts";
import { OIDC } from "./oidc/screen.ts";
import { ORGANIZATIONS, THIS_ORGANIZATION } from "./organizations/screen.ts";
import { POLICIES } from "./policies/screen.ts";
import { PROJECTS } from "./projects/screen.ts";
import { JOBS } from "./tag-jobs/screen.ts";
import { TAG_GOVERNANCE } from "./tag-governance/screen.ts";
import { TAG_POLICIES, TAG_RULES } from "./tag-policies/screen.ts";
import { TAG_WEBHOOKS } from "./tag-webhooks/screen.ts";
import { TAGS } from "./tags/screen.ts";
import { RESERVED_TAG_KEYS } from "./reserved-tag-keys/screen.ts";
import { ROLES } from "./roles/screen.ts";
import { SESSIONS } from "./sessions/screen.ts";
import { TEMPLATED_POLICIES } from "./templated-policies/screen.ts";
import { TOKENS } from "./tokens/screen.ts";
import { UNUSED } from "./unused/screen.ts";
import { TRASH } from "./trash/screen.ts";
import { WORKSPACES } from "./workspaces/screen.ts";
import { WHY, WHY_REFUSED } from "./why/screen.ts";

export const SCREENS: readonly Screen[] = [
  HOME,
  TAGS,
  WORKSPACES,
  PROJECTS,
  TAG_RULES,
  TAG_POLICIES,
  TAG_GOVERNANCE,
  RESERVED_TAG_KEYS,
  JOBS,
  TAG_WEBHOOKS,
  THIS_ORGANIZATION,
  ORGANIZATIONS,
  TOKENS,
  POLICIES,
  ROLES,
  AUTH_METHODS,
  BINDING_RULES,
  LOGIN,
  TEMPLATED_POLICIES,
  UNUSED,
  NAMESPACES,
  PARTITIONS,
  SESSIONS,
  OWN_PERMISSIONS,
  TRASH,
  WHY,
  WHY_REFUSED,
  AUDIT,
  ORGANIZATION_AUDIT,
  OIDC,
];
