/** Shapes of reserved keys on the wire. */
import { Type } from "typebox";
import { documentOf, pageOf, pageQuery, resourceBody } from "../../../http/jsonapi/schema.ts";
import { renderReservedKey } from "./render.ts";

const EXAMPLE = renderReservedKey("acme")({
  id: "rtk-Ab3kXyZ12mNoPqRs",
  organizationId: "org-Ab3kXyZ12mNoPqRs",
  key: "cost-center",
  disableOverrides: 1,
  createdAt: "2026-01-02T03:04:05.678Z",
  updatedAt: "2026-01-02T03:04:05.678Z",
});

export const reservedKeyDocument = documentOf("The reserved key.", EXAMPLE);
export const reservedKeyList = pageOf("Page of reserved tag keys.", EXAMPLE);
export const listQuery = Type.Object(pageQuery);

const key = Type.String({ description: "Tag key." });
const disables = Type.Boolean({
  description: "Whether workspaces may not override the value of their project.",
});
const example = { attributes: { key: "cost-center", "disable-overrides": true } };

export const createBody = resourceBody(
  "reserved-tag-keys",
  { attributes: Type.Object({ key, "disable-overrides": Type.Optional(disables) }) },
  example,
);

export const updateBody = resourceBody(
  "reserved-tag-keys",
  {
    attributes: Type.Optional(Type.Object({ key: Type.Optional(key), "disable-overrides": Type.Optional(disables) })),
  },
  example,
);
