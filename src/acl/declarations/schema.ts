import { Type, type Static } from "typebox";
import { boundedList, freeText, READ_ONLY_INDEXES } from "../../http/v1/body-schema.ts";
import { SHOWN_INDEXES, SHOWN_SCOPE } from "../kit/answer-schema.ts";
import type { RenderScope } from "../../rights/scope.ts";
import { SCOPE_MEMBERS } from "../kit/schema.ts";
import type { Declaration, DeclarationInput } from "./service.ts";

const EXAMPLE = {
  ID: "237be9ef-e3af-4c08-a0c8-2d294a0f5598",
  Name: "platform",
  Description: "github.com/example/access, by its pipeline",
  Objects: ["policy default/default/web", "role default/default/web-team"],
  Namespace: "default",
  Partition: "default",
  CreateIndex: 4,
  ModifyIndex: 4,
};

/** Bytes of what one directory owns, as JSON: some 15,000 objects. */
const OBJECTS_BYTES = 900 * 1024;

const MEMBERS = {
  ID: Type.Optional(Type.String()),
  Name: Type.Optional(Type.String()),
  Description: Type.Optional(freeText()),
  Objects: Type.Optional(boundedList(Type.String(), OBJECTS_BYTES)),
  ...SCOPE_MEMBERS,
  ...READ_ONLY_INDEXES,
};

export const declarationBody = Type.Object(MEMBERS, {
  examples: [{ Name: EXAMPLE.Name, Objects: EXAMPLE.Objects }],
});

const SHOWN = {
  ID: Type.String(),
  Name: Type.String(),
  Description: Type.String(),
  Objects: Type.Array(Type.String(), { description: "Kind and path of each object that the directory manages." }),
  ...SHOWN_SCOPE,
  ...SHOWN_INDEXES,
};

export const declarationAnswer = Type.Object(SHOWN, { description: "The declaration.", examples: [EXAMPLE] });

export function inputFrom({
  Name = "",
  Description = "",
  Objects = [],
}: Static<typeof declarationBody>): DeclarationInput {
  return { name: Name, description: Description, objects: Objects };
}

export function renderDeclaration(declaration: Declaration, renderScope: RenderScope) {
  const { id: ID, name: Name, description: Description, objects: Objects } = declaration;
  const indexes = { CreateIndex: declaration.createIndex, ModifyIndex: declaration.modifyIndex };
  return { ID, Name, Description, Objects, ...renderScope(declaration.scope), ...indexes };
}
