const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const MAX_SUBDOMAIN_LENGTH = 253;

/** What Kubernetes allows as the name of a namespace. */
export function isDnsLabel(text: string): boolean {
  return LABEL.test(text);
}

/** What Kubernetes allows as the name of a service account. */
export function isDnsSubdomain(text: string): boolean {
  return text.length <= MAX_SUBDOMAIN_LENGTH && text.split(".").every(isDnsLabel);
}
