import { apiRoutes } from "../http/jsonapi/jsonapi.ts";
import { documentOf } from "../http/jsonapi/schema.ts";
import { renderAccount } from "./render.ts";
import { readOwnAccount } from "./service.ts";

const ACCOUNT = { accessorId: "8f1a2c34-56d7-4e89-90ab-cdef01234567", createsOrganizations: true };

export const userDocument = documentOf("The token's own account.", renderAccount(ACCOUNT), {
  attributes: {
    username: "The token's AccessorID.",
    email: "Made up, in a domain that no mail reaches.",
  },
});

/** The account API. */
export const accountRoutes = apiRoutes("Account", (on) => {
  on.readOwn("/account/details", {
    operationId: "readOwnAccount",
    summary: "The account of the token that asks",
    answer: userDocument,
    handle: ({ ctx }) => ({ data: renderAccount(readOwnAccount(ctx)) }),
  });
});
