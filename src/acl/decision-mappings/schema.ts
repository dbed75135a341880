import { Type, type Static } from "typebox";
import { boundedList, freeText, oneOf, READ_ONLY_INDEXES } from "../../http/v1/body-schema.ts";
import type { RenderScope } from "../../rights/scope.ts";
import { SHOWN_INDEXES, SHOWN_SCOPE } from "../kit/answer-schema.ts";
import { SCOPE_MEMBERS } from "../kit/schema.ts";
import { SUBJECT_TYPES } from "./check.ts";
import type { DecisionMapping, MappingInput } from "./service.ts";
import type { MappedAction, Scalars } from "./store.ts";

const EXAMPLE = {
  Name: "records",
  Description: "Questions of the record service",
  SubjectTypes: [{ Type: "user", As: "role", Template: "user-${id}" }],
  ResourceTypes: [
    {
      Type: "record",
      Actions: [
        { Action: "read", Kind: "key", Segment: "records/${id}", Access: "read" },
        { Action: "delete", ActionProperties: { soft: true }, Kind: "key", Segment: "records/${id}", Access: "write" },
        { Action: "delete", Kind: "key", Segment: "purges/${id}", Access: "write" },
      ],
    },
  ],
  Namespace: "default",
  Partition: "default",
  CreateIndex: 4,
  ModifyIndex: 4,
};

/** Bytes of all own types of subjects of a mapping, as JSON. */
const SUBJECTS_BYTES = 64 * 1024;
/** Bytes of all own types of resources of a mapping, as JSON. */
const RESOURCES_BYTES = 128 * 1024;

const text = Type.Optional(Type.String());
const scalars = Type.Optional(Type.Record(Type.String(), Type.Unknown()));

const subjectTypes = boundedList(
  Type.Object(
    { Type: text, As: Type.Optional(oneOf(["", ...SUBJECT_TYPES])), Template: text },
    { title: "SubjectTypeBody" },
  ),
  SUBJECTS_BYTES,
);
const actions = Type.Array(
  Type.Object(
    { Action: text, Properties: scalars, ActionProperties: scalars, Kind: text, Segment: text, Access: text },
    { title: "MappedActionBody" },
  ),
);
const resourceTypes = boundedList(
  Type.Object({ Type: text, Actions: Type.Optional(actions) }, { title: "ResourceTypeBody" }),
  RESOURCES_BYTES,
);

export const mappingBody = Type.Object(
  {
    Name: text,
    Description: Type.Optional(freeText()),
    SubjectTypes: Type.Optional(subjectTypes),
    ResourceTypes: Type.Optional(resourceTypes),
    ...SCOPE_MEMBERS,
    ...READ_ONLY_INDEXES,
  },
  {
    title: "DecisionMappingBody",
    examples: [{ Name: EXAMPLE.Name, SubjectTypes: EXAMPLE.SubjectTypes, ResourceTypes: EXAMPLE.ResourceTypes }],
  },
);

const shown = Type.String();
const shownScalars = (what: string) =>
  Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: `Properties of the ${what} to compare.` }));

export const mappingAnswer = Type.Object(
  {
    Name: shown,
    Description: text,
    SubjectTypes: Type.Array(
      Type.Object({ Type: shown, As: oneOf(SUBJECT_TYPES), Template: shown }, { title: "SubjectType" }),
    ),
    ResourceTypes: Type.Array(
      Type.Object(
        {
          Type: shown,
          Actions: Type.Array(
            Type.Object(
              {
                Action: shown,
                Properties: shownScalars("resource"),
                ActionProperties: shownScalars("action"),
                Kind: shown,
                Segment: shown,
                Access: shown,
              },
              { title: "MappedAction" },
            ),
          ),
        },
        { title: "ResourceType" },
      ),
    ),
    ...SHOWN_SCOPE,
    ...SHOWN_INDEXES,
  },
  { title: "DecisionMapping", description: "The decision mapping.", examples: [EXAMPLE] },
);

export function inputFrom({
  Description = "",
  SubjectTypes = [],
  ResourceTypes = [],
}: Static<typeof mappingBody>): MappingInput {
  return {
    description: Description,
    subjectTypes: SubjectTypes.map(({ Type: type = "", As = "", Template = "" }) => ({ Type: type, As, Template })),
    resourceTypes: ResourceTypes.map(({ Type: type = "", Actions = [] }) => ({
      Type: type,
      Actions: Actions.map(actionFrom),
    })),
  };
}

/** Properties are checked by the service. */
function actionFrom({
  Action = "",
  Properties = {},
  ActionProperties = {},
  Kind = "",
  Segment = "",
  Access = "",
}: Static<typeof actions>[number]): MappedAction {
  return {
    Action,
    ...(Object.keys(Properties).length > 0 && { Properties: Properties as Scalars }),
    ...(Object.keys(ActionProperties).length > 0 && { ActionProperties: ActionProperties as Scalars }),
    Kind,
    Segment,
    Access,
  };
}

export function renderMapping(mapping: DecisionMapping, renderScope: RenderScope) {
  const { name: Name, description, subjectTypes: SubjectTypes, resourceTypes: ResourceTypes } = mapping;
  const indexes = { CreateIndex: mapping.createIndex, ModifyIndex: mapping.modifyIndex };
  return {
    Name,
    Description: description || undefined,
    SubjectTypes,
    ResourceTypes,
    ...renderScope(mapping.scope),
    ...indexes,
  };
}
