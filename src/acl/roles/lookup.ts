/** What other features may ask about roles. */
export { findRoleByName, findRoleIds, findRoleNames, findRoles, type Role } from "./store.ts";

/** Name under which changes of roles are told. */
export const ROLES = "roles";
