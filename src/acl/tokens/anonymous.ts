import { RESERVED_PREFIX } from "../uuid.ts";

/** SecretID and AccessorID of the token that a request without one runs as. */
export const ANONYMOUS = { secretId: "anonymous", accessorId: `${RESERVED_PREFIX}02` };
