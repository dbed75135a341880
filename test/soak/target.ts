/** Facts about the server under test that clients need; the process of the hostile clients gets them as JSON. */
export interface Target {
  readonly url: string;
  /**
   * Token of the operator. Attackers use it only for what they could reach without any right at all, and never to
   * write.
   */
  readonly management: string;
  /** Reads access control in the namespace `default`. */
  readonly reader: string;
  /** Administers the namespace `tenant`, and nothing else. */
  readonly tenant: string;
  /** A policy of the namespace `tenant` that its herd changes. */
  readonly herdPolicy: string;
  /** JWTs that are good for the method `people` as long as the soak lasts, one for each person. */
  readonly bearers: readonly string[];
  /** A JWT of one more person, for who uses it again and again. */
  readonly reused: string;
  /** Tags of the pool of the organization `acme`, and workspaces. */
  readonly tags: readonly string[];
  readonly workspaces: readonly string[];
  /** Policies of the namespace `default` that stay. */
  readonly policies: readonly string[];
}

/** Methods of type oidc of the namespace `tenant`: as many as one may hold. */
export const METHODS = 100;
