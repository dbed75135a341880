/** Names of access-control objects, each rule once. */

/** Name of an auth method, a decision mapping, and an owner of declared files. */
export const OBJECT_NAME = /^[A-Za-z0-9\-_]{1,128}$/;
export const ROLE_NAME = /^[A-Za-z0-9\-_]{1,256}$/;
/** Name of a policy. Consul allows one slash; built-in names have it. */
export const POLICY_NAME = /^[A-Za-z0-9\-_]+\/?[A-Za-z0-9\-_]*$/;
export const MAX_POLICY_NAME = 128;
