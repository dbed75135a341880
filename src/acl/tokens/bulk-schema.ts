/** Bodies and answers of what is asked of many tokens at once, and of the rotation of one. */
import { Type } from "typebox";
import { goDuration } from "../../http/v1/body-schema.ts";
import { SHOWN_SCOPE } from "../kit/answer-schema.ts";
import { SCOPE_MEMBERS } from "../kit/schema.ts";
import { PLAIN_EXAMPLE, tokenAnswer } from "./schema.ts";

export const rotateBody = Type.Object(
  {
    Overlap: Type.Optional(
      goDuration({
        description: "For how long the secret of before counts beside the new one: 0, unless it is said, to 168h.",
      }),
    ),
    ...SCOPE_MEMBERS,
  },
  { examples: [{ Overlap: "1h" }] },
);

const OLD = Type.Object({
  OldSecretExpirationTime: Type.Optional(
    Type.String({ format: "date-time", description: "Until when secrets of before count; absent when they do not." }),
  ),
});

export const rotateAnswer = Type.Intersect([tokenAnswer, OLD], {
  title: "RotatedToken",
  description: "The token with its new secret.",
  examples: [{ ...PLAIN_EXAMPLE, OldSecretExpirationTime: "2026-11-20T23:26:24.523Z" }],
});

export const leakedBody = Type.Object(
  { Secrets: Type.Optional(Type.Array(Type.String(), { description: "At most 1,000." })) },
  { examples: [{ Secrets: ["8ff82181-310d-41f3-ac40-3733f168539d", "b1946ac9-2492-4d23-9c6f-0f1c9f1a7b11"] }] },
);

export const leakedAnswer = Type.Object(
  {
    Live: Type.Array(
      Type.Object({
        Position: Type.Integer({ description: "In the list that was asked, from 0 on." }),
        AccessorID: Type.String(),
        Old: Type.Boolean({
          description: "Whether the token has another secret since, and this one counts for a while.",
        }),
        ...SHOWN_SCOPE,
      }),
    ),
  },
  {
    description: "Those that live. No secret is in the answer.",
    examples: [{ Live: [{ Position: 0, AccessorID: "4790b712-08ff-4c92-85df-006937ca5567", Old: false }] }],
  },
);

const FILTER = {
  UnusedFor: Type.Optional(
    Type.String({ description: "Tokens that were not used, nor made, for that long, to the day, such as 90d." }),
  ),
  AuthMethod: Type.Optional(Type.String({ description: "Tokens that this auth method made." })),
  Role: Type.Optional(Type.String({ description: "Tokens that link to this role, by its ID or name." })),
  Description: Type.Optional(Type.String({ description: "Tokens whose description holds this." })),
};

export const revokeBody = Type.Object(
  { ...FILTER, ...SCOPE_MEMBERS },
  { examples: [{ UnusedFor: "90d", AuthMethod: "ci" }] },
);

const REVOCATION = {
  ID: Type.Optional(Type.String({ description: "Of the job; a preview has none." })),
  Status: Type.String({ description: "preview, queued, running, done or failed." }),
  Total: Type.Optional(Type.Integer({ description: "How many tokens there were when it began." })),
  Revoked: Type.Integer(),
  AccessorIDs: Type.Optional(Type.Array(Type.String(), { description: "Of a preview: the first 100." })),
  Reason: Type.Optional(Type.String({ description: "Why it failed." })),
  CreateTime: Type.Optional(Type.String({ format: "date-time" })),
  FinishTime: Type.Optional(Type.String({ format: "date-time" })),
  ...SHOWN_SCOPE,
};

export const revokeAnswer = Type.Object(REVOCATION, {
  description: "How far it is.",
  examples: [
    {
      ID: "6b1a4d0c-9f57-4d1e-8a76-6f0d4cf5a8a3",
      Status: "running",
      Total: 1200,
      Revoked: 300,
      CreateTime: "2026-11-24T10:00:00Z",
    },
  ],
});
