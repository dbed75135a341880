/** Texts of sessions of the console. */
// Kind and screens
export const singular = "session";
export const about = "Revoke your console sessions. With acl:read, the list contains the last 1,000 of the namespace.";
export const emptyHint = "Users who sign in to the console are listed here.";
export const named = (browser: string, address: string) => `${browser} at ${address}`;

// List and its filters
export const browser = "Browser";
export const unknownBrowser = "Unknown";
export const current = "this session";
export const token = "Token";
export const address = "Address";
export const signIn = "Sign-in";
export const withLogin = "auth method";
export const withToken = "token";
export const lastActive = "Last active";
export const started = "Started";
export const owner = "Owner";
export const ownerSelf = "my token";
export const ownerOthers = "other tokens";

// Revoke
export const revoke = "Revoke";
export const revokeLabel = (accessor: string, address: string) => `Revoke session of token ${accessor} at ${address}`;
export const revoked = "Revoked the session";
export const revokeFailed = "Could not revoke the session";
