import { allowInsecureRequests, type Configuration } from "openid-client";

interface Named {
  issuer: string;
}

/** Whether the configuration trusts the network: everything else is asked for over HTTPS alone. */
export function isPlain({ issuer }: Named): boolean {
  return new URL(issuer).protocol === "http:";
}

/** What makes the library ask over HTTP where the configuration says so, and only there. */
export function transportRules(config: Named): ((configuration: Configuration) => void)[] {
  // oxlint-disable-next-line typescript/no-deprecated -- marked so that it stands out, which it does here
  return isPlain(config) ? [allowInsecureRequests] : [];
}
