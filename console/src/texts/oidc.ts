/** Texts of the return from an identity provider. */
export const signingIn = "Signing in…";
export const failedTitle = "Sign-in failed";
export const back = "Back to sign-in";

// Errors of the identity provider
export const accessDenied = "The identity provider denied access. Sign in again and approve the request.";
export const loginRequired = "Sign in at the identity provider first, then retry.";
export const interactionRequired = "The identity provider needs your input. Sign in at the provider, then retry.";
export const consentRequired = "The identity provider requires your consent. Sign in again and give consent.";
export const providerBusy = "The identity provider is busy. Retry in a minute.";
export const providerError = "The identity provider failed. Retry in a minute.";
export const clientRejected =
  "The identity provider rejected this client. Ask an administrator to check the auth method.";
export const openedDirectly = "Open this page only from the identity provider.";
export const rejected = (code: string) =>
  `The identity provider rejected the sign-in${code === "" ? "" : `: ${code}`}. Ask an administrator to check the logs of the provider.`;
