import { shortText, shortTexts } from "./limits.ts";

/**
 * Settings for the page after a logout. Consul's client sends them with every method since 1.35, empty or not. They are
 * accepted and have no effect: the server does not log anybody out of a provider.
 */
export const LOGOUT_KINDS = { OIDCLogoutURL: shortText, OIDCPostLogoutRedirectURIs: shortTexts };
