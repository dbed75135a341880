import { shortText, shortTexts } from "./limits.ts";

/**
 * Where somebody who logs out is sent: Consul's client sends it with every method since 1.35, empty or not. It is taken and does
 * nothing: nobody is logged out of a provider from here.
 */
export const LOGOUT_KINDS = { OIDCLogoutURL: shortText, OIDCPostLogoutRedirectURIs: shortTexts };
