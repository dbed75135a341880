/** Shape of an account on the wire. */
import { documentOf } from "../http/jsonapi-schema.ts";
import { renderAccount } from "./render.ts";

const ACCOUNT = { accessorId: "8f1a2c34-56d7-4e89-90ab-cdef01234567", createsOrganizations: true };

export const userDocument = documentOf("The token's own account.", renderAccount(ACCOUNT), {
  attributes: {
    username: "The token's AccessorID.",
    email: "Made up, in a domain that no mail reaches.",
  },
});
