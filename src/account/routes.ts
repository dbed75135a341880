import type { ApiRoutes } from "../http/jsonapi.ts";
import { renderAccount } from "./render.ts";
import { userDocument } from "./schema.ts";
import { readOwnAccount } from "./service.ts";

/** The account API. */
export const accountRoutes: ApiRoutes = (app, _options, done) => {
  app.get("/account/details", { schema: DETAILS }, (request, reply) => {
    void reply.send({ data: renderAccount(readOwnAccount(request.ctx)) });
  });
  done();
};

const DETAILS = {
  operationId: "readOwnAccount",
  summary: "The account of the token that asks",
  tags: ["Account"],
  response: { 200: userDocument },
};
