/** Shape of an account on the wire. */
import { Type, type Static } from "typebox";
import { documentOf } from "../http/jsonapi-schema.ts";

export const userResource = Type.Object({
  id: Type.String(),
  type: Type.Literal("users"),
  attributes: Type.Object({
    username: Type.String({ description: "The token's AccessorID." }),
    email: Type.String({ description: "Made up, in a domain that no mail reaches." }),
    "is-service-account": Type.Boolean(),
    "auth-method": Type.String(),
    "avatar-url": Type.Null(),
    "v2-only": Type.Boolean(),
    "unconfirmed-email": Type.Null(),
    "two-factor": Type.Object({ enabled: Type.Boolean(), verified: Type.Boolean() }),
    permissions: Type.Record(Type.String(), Type.Boolean()),
  }),
  relationships: Type.Object({}),
  links: Type.Object({ self: Type.String() }),
});

export type UserResource = Static<typeof userResource>;

const USER: UserResource = {
  id: "user-8f1a2c34-56d7-4e89-90ab-cdef01234567",
  type: "users",
  attributes: {
    username: "8f1a2c34-56d7-4e89-90ab-cdef01234567",
    email: "8f1a2c34-56d7-4e89-90ab-cdef01234567@tokens.invalid",
    "is-service-account": true,
    "auth-method": "token",
    "avatar-url": null,
    "v2-only": true,
    "unconfirmed-email": null,
    "two-factor": { enabled: false, verified: false },
    permissions: { "can-create-organizations": true },
  },
  relationships: {},
  links: { self: "/api/v2/users/user-8f1a2c34-56d7-4e89-90ab-cdef01234567" },
};

export const userDocument = documentOf(userResource, "The token's own account.", USER);
