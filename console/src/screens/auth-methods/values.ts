/** Form values of an auth method. */
export interface AuthMethodValues {
  readonly name: string;
  readonly type: string;
  readonly displayName: string;
  readonly description: string;
  readonly ttl: string;
  readonly locality: string;
  /** JSON. */
  readonly config: string;
  /** One in a line: `NAMESPACE` or `NAMESPACE: SELECTOR`. */
  readonly namespaces: string;
}
