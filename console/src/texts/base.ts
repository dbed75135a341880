/** Texts of the address and the session. */
export const addressLacks = (parameter: string) => `The URL has no ${parameter}`;
export const cookieBlocked =
  "The browser did not store the session cookie. Allow cookies for this site, then sign in again.";
