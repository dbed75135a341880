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
        description: "How long the old secret stays valid, 0 to 168h. Default: 0.",
      }),
    ),
    ...SCOPE_MEMBERS,
  },
  { examples: [{ Overlap: "1h" }] },
);

const OLD = Type.Object({
  OldSecretExpirationTime: Type.Optional(
    Type.String({
      format: "date-time",
      description: "Time until which old secrets are valid; absent if there are none.",
    }),
  ),
});

export const rotateAnswer = Type.Intersect([tokenAnswer, OLD], {
  title: "RotatedToken",
  description: "Token with its new secret.",
  examples: [{ ...PLAIN_EXAMPLE, OldSecretExpirationTime: "2026-11-20T23:26:24.523Z" }],
});

export const leakedBody = Type.Object(
  { Secrets: Type.Optional(Type.Array(Type.String(), { description: "Maximum 1,000." })) },
  { examples: [{ Secrets: ["8ff82181-310d-41f3-ac40-3733f168539d", "b1946ac9-2492-4d23-9c6f-0f1c9f1a7b11"] }] },
);

export const leakedAnswer = Type.Object(
  {
    Live: Type.Array(
      Type.Object({
        Position: Type.Integer({ description: "Position in the list of the request, from 0." }),
        AccessorID: Type.String(),
        Old: Type.Boolean({
          description: "Whether the secret was rotated and is valid only for the overlap.",
        }),
        ...SHOWN_SCOPE,
      }),
    ),
  },
  {
    description: "Active tokens. The response contains no secrets.",
    examples: [{ Live: [{ Position: 0, AccessorID: "4790b712-08ff-4c92-85df-006937ca5567", Old: false }] }],
  },
);

const FILTER = {
  UnusedFor: Type.Optional(
    Type.String({
      description:
        "Tokens that were neither used nor created within this duration, in days, such as 90d. Returns 503 while the server " +
        "does not trust its system clock.",
    }),
  ),
  AuthMethod: Type.Optional(Type.String({ description: "Tokens that this auth method created." })),
  Role: Type.Optional(Type.String({ description: "Tokens with this role (ID or name)." })),
  Description: Type.Optional(Type.String({ description: "Tokens whose description contains this text." })),
};

export const revokeBody = Type.Object(
  { ...FILTER, ...SCOPE_MEMBERS },
  { examples: [{ UnusedFor: "90d", AuthMethod: "ci" }] },
);

const REVOCATION = {
  ID: Type.Optional(Type.String({ description: "ID of the job; absent in a preview." })),
  Status: Type.String({ description: "preview, queued, running, done or failed." }),
  Total: Type.Optional(Type.Integer({ description: "Number of tokens when the job started." })),
  Revoked: Type.Integer(),
  AccessorIDs: Type.Optional(Type.Array(Type.String(), { description: "First 100 tokens of a preview." })),
  Reason: Type.Optional(Type.String({ description: "Reason of the failure." })),
  CreateTime: Type.Optional(Type.String({ format: "date-time" })),
  FinishTime: Type.Optional(Type.String({ format: "date-time" })),
  ...SHOWN_SCOPE,
};

export const revokeAnswer = Type.Object(REVOCATION, {
  description: "Progress of the revocation.",
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
