import { Type } from "typebox";

const content = Type.Optional(Type.Record(Type.String(), Type.Unknown()));

export const historyAnswer = Type.Array(
  Type.Object(
    {
      Version: Type.Integer({ description: "ModifyIndex of the object in this version." }),
      Time: Type.String({ format: "date-time" }),
      Action: Type.String({ description: "Action of the write, such as `create` or `update`." }),
      AccessorID: Type.String({ description: "Token of the write; empty for the server." }),
      RequestID: Type.String(),
      Content: content,
      Patch: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), {
          description: "Body of a PATCH that restores the version. Send it with `cas` and the present ModifyIndex.",
        }),
      ),
    },
    { title: "ObjectVersion" },
  ),
  {
    description: "Versions, newest first. `Content` and `Patch` are present with `version`.",
    examples: [
      [
        {
          Version: 12,
          Time: "2026-11-20T23:26:24.523Z",
          Action: "update",
          AccessorID: "4790b712-08ff-4c92-85df-006937ca5567",
          RequestID: "a1",
        },
      ],
    ],
  },
);
