/** The environment variables that the commands for people read, beside those of `serve`, which knows them too. */

/** Name and meaning of each. */
export const VARIABLES = {
  TESSERA_ADDR: "the server's address, such as https://tessera.example.com",
  TESSERA_TOKEN: "the token's SecretID",
  TESSERA_TOKEN_FILE: "a file that holds it",
  TESSERA_NAMESPACE: "the namespace to work in, under /v1",
  TESSERA_PARTITION: "the partition to work in, under /v1",
  TESSERA_ORGANIZATION: "the organization to work in, under /api/v2",
  TESSERA_CA_FILE: "certificates of authorities in PEM, beside the system's",
  TESSERA_CLIENT_CERT: "a client certificate in PEM",
  TESSERA_CLIENT_KEY: "its private key",
  TESSERA_CONTEXT: "the context to use",
  TESSERA_OUTPUT: "the form of results, as --output",
} as const;

/** One of them. */
export type Variable = keyof typeof VARIABLES;
