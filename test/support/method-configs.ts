/** Configurations of auth methods of each type, such as their form alone is checked. */
import { type SigningKey, signToken } from "./key-server.ts";
import type { Answer } from "./api.ts";
import type { V1 } from "./v1.ts";

/** One that needs nobody to be asked. */
export function jwtConfig(key: Pick<SigningKey, "publicKey">, more: object = {}): object {
  return { JWTValidationPubKeys: [key.publicKey], ...more };
}

/** @param ca PEM */
export function kubernetesConfig(key: SigningKey, ca: string, more: object = {}): object {
  const ServiceAccountJWT = signToken(key, { sub: "system:serviceaccount:kube-system:reviewer" });
  return { Host: "https://192.0.2.1:6443", CACert: ca, ServiceAccountJWT, ...more };
}

export const AWS_CONFIG = { BoundIAMPrincipalARNs: ["arn:aws:iam::111122223333:role/web"] };

/** Every name of a namespace's methods, as the list shows them. */
export async function namesOf(v1: V1, query = ""): Promise<string[]> {
  const { body } = await v1.get(`/acl/auth-methods${query}`);
  return (body as { Name: string }[]).map(({ Name }) => Name);
}

/** Answer to a change of an auth method, without the index that the change has. */
export function withoutIndex({ body }: Answer): object {
  const { ModifyIndex: _index, ...rest } = body as { ModifyIndex: number };
  return rest;
}
