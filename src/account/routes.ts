import { apiRoutes } from "../http/jsonapi/jsonapi.ts";
import { documentOf } from "../http/jsonapi/schema.ts";
import { renderAccount } from "./render.ts";
import { readOwnAccount } from "./service.ts";

const ACCOUNT = { accessorId: "8f1a2c34-56d7-4e89-90ab-cdef01234567", createsOrganizations: true };

export const userDocument = documentOf("Account of the token.", renderAccount(ACCOUNT), {
  attributes: {
    username: "AccessorID of the token.",
    email: "Placeholder in a domain without mail.",
  },
});

/** The account API. */
export const accountRoutes = apiRoutes("Account", (on) => {
  on.readOwn("/account/details", {
    operationId: "readOwnAccount",
    summary: "Read the account of the token",
    answer: userDocument,
    handle: ({ ctx }) => ({ data: renderAccount(readOwnAccount(ctx)) }),
  });
});
