import { Type } from "typebox";
import { SHOWN_SCOPE } from "../kit/answer-schema.ts";

const SESSION = {
  ID: "7d1c2a54-1f6e-4c0a-9b57-2f0f2d1b8f3e",
  AccessorID: "b1946ac9-2492-4d23-9c6f-0f1c9f1a7b11",
  Current: true,
  MadeByLogin: false,
  CreateTime: "2026-11-24T08:30:00.000Z",
  LastActive: "2026-11-24T09:12:00.000Z",
  IdleUntil: "2026-11-24T09:42:00.000Z",
  ExpirationTime: "2026-11-24T20:30:00.000Z",
  Address: "10.1.2.3",
  UserAgent: "Mozilla/5.0",
  Namespace: "default",
  Partition: "default",
};

const time = (description: string) => Type.String({ format: "date-time", description });

export const sessionsAnswer = Type.Array(
  Type.Object({
    ID: Type.String(),
    AccessorID: Type.String({ description: "AccessorID of the token of the session." }),
    Current: Type.Boolean({ description: "Whether the request uses this session." }),
    MadeByLogin: Type.Boolean({
      description: "Whether the token was created for the session and is deleted at sign-out.",
    }),
    CreateTime: time("Time of the sign-in."),
    LastActive: time("Time of the last activity, to the minute."),
    IdleUntil: time("Time of expiration without further activity."),
    ExpirationTime: time("Latest time of expiration."),
    Address: Type.String({ description: "Client address of the sign-in." }),
    UserAgent: Type.String({ description: "User agent of the sign-in." }),
    ...SHOWN_SCOPE,
  }),
  { title: "ConsoleSessions", description: "Sessions, most recently used first.", examples: [[SESSION]] },
);
