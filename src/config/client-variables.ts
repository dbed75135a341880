/** The environment variables that the commands for people read, beside those of `serve`, which knows them too. */

/** Name and meaning of each. */
export const VARIABLES = {
  TESSERA_ADDR: "server address, for example https://tessera.example.com",
  TESSERA_TOKEN: "SecretID of the token",
  TESSERA_TOKEN_FILE: "file that contains the SecretID of the token",
  TESSERA_NAMESPACE: "namespace for /v1",
  TESSERA_PARTITION: "partition for /v1",
  TESSERA_ORGANIZATION: "organization for /api/v2",
  TESSERA_CA_FILE: "file with CA certificates in PEM, in addition to the system CAs",
  TESSERA_CLIENT_CERT: "file with a client certificate in PEM",
  TESSERA_CLIENT_KEY: "file with the private key of the client certificate",
  TESSERA_CONTEXT: "context name",
  TESSERA_OUTPUT: "output format, like `--output`",
} as const;

/** One of them. */
export type Variable = keyof typeof VARIABLES;
