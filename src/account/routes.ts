import { apiRoutes } from "../http/jsonapi-routes.ts";
import { renderAccount } from "./render.ts";
import { userDocument } from "./schema.ts";
import { readOwnAccount } from "./service.ts";

/** The account API. */
export const accountRoutes = apiRoutes("Account", (on) => {
  on.readOwn("/account/details", {
    operationId: "readOwnAccount",
    summary: "The account of the token that asks",
    answer: userDocument,
    handle: ({ ctx }) => ({ data: renderAccount(readOwnAccount(ctx)) }),
  });
});
