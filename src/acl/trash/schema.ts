import { Type } from "typebox";
import { oneOf } from "../../http/v1/body-schema.ts";
import { SHOWN_SCOPE } from "../kit/answer-schema.ts";
import { TRASH_KINDS } from "./kinds.ts";

const KINDS = Object.keys(TRASH_KINDS);
const ROLE = {
  ID: "5f2a0a9e-7f0c-4a0c-8f5a-4c1f9a0f3b1d",
  Kind: "role",
  ObjectID: "237be9ef-e3af-4c08-a0c8-2d294a0f5598",
  Name: "web-team",
  DeleteTime: "2026-11-28T09:12:00.000Z",
  DeletedBy: "4790b712-08ff-4c92-85df-006937ca5567",
  ExpirationTime: "2026-12-05T09:12:00.000Z",
  Namespace: "default",
  Partition: "default",
};
const LINK = { Kind: "policy", ID: "06acc965-df4b-5a99-58cb-3250930c6324", Name: "web" };

const time = (description: string) => Type.String({ format: "date-time", description });
const leftOut = Type.Array(
  Type.Object(
    {
      Kind: oneOf(["policy", "role"]),
      ID: Type.String(),
      Name: Type.String({ description: "Empty if the trash does not contain the object." }),
    },
    { title: "LostLink" },
  ),
  { description: "Links to objects that no longer exist." },
);
const objectId = Type.Optional(
  Type.String({ description: "ID that the object has again; absent for auth methods and namespaces." }),
);
const name = Type.String({ description: "Name; the description of a token or binding rule." });

export const trashAnswer = Type.Array(
  Type.Object(
    {
      ID: Type.String({ description: "ID of the entry." }),
      Kind: oneOf(KINDS),
      ObjectID: objectId,
      Name: name,
      DeleteTime: time("Time of the deletion."),
      DeletedBy: Type.String({ description: "AccessorID of the token that deleted the object." }),
      ExpirationTime: time("End of the time in which the object can be restored."),
      LeftOut: Type.Optional(leftOut),
      NameTaken: Type.Optional(Type.Boolean({ description: "Whether another object has the name." })),
      ...SHOWN_SCOPE,
    },
    { title: "TrashEntry" },
  ),
  {
    description: "Deleted objects, latest deletion first. `LeftOut` and `NameTaken` are present with `id`.",
    examples: [[ROLE]],
  },
);

export const restoreBody = Type.Object(
  { Name: Type.Optional(Type.String({ description: "New name. Default: the name that the object had." })) },
  { title: "RestoreBody", examples: [{ Name: "web-team-2" }] },
);

export const restoreAnswer = Type.Object(
  {
    Kind: oneOf(KINDS),
    ID: objectId,
    Name: name,
    SecretID: Type.Optional(Type.String({ description: "New secret of a token." })),
    LeftOut: leftOut,
    ...SHOWN_SCOPE,
  },
  {
    title: "RestoredObject",
    description: "The restored object. Read it with its own route.",
    examples: [
      {
        Kind: "role",
        ID: ROLE.ObjectID,
        Name: "web-team",
        LeftOut: [LINK],
        Namespace: "default",
        Partition: "default",
      },
    ],
  },
);
