/** Environment of a server whose load comes from one address, and logs in as one identity. */
export const UNLIMITED = {
  TESSERA_LOGIN_FAILURE_LIMIT: "0",
  TESSERA_LOGIN_LIMIT_PER_IDENTITY: "0",
  TESSERA_LOGIN_LIMIT_PER_METHOD: "0",
  TESSERA_LOGIN_TOKENS_PER_IDENTITY: "0",
};
