/** Reads a line of the JSON form: one record. Members that are not known are refused, since they would be lost. */
import { Type, type Static, type TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { invalid } from "../../errors.ts";
import { readRules } from "../rules/read-rules.ts";
import { CarriedParts, checkName, pooledName } from "./check-record.ts";
import { policyRecord } from "./policy-record.ts";
import type { FileRecord } from "./records.ts";

const bindings = Type.Optional(
  Type.Array(Type.Object({ key: Type.String(), value: Type.Optional(Type.String()) }, { additionalProperties: false })),
);

function shape<P extends Record<string, TSchema>>(members: P) {
  return Compile(
    Type.Object({ kind: Type.String(), name: Type.String(), ...members }, { additionalProperties: false }),
  );
}

const TAG = shape({ pinned: Type.Optional(Type.Boolean()) });
const WORKSPACE = shape({ tags: Type.Optional(Type.Array(Type.String())), bindings });
const PROJECT = shape({ bindings });
const RESERVED = shape({ "disable-overrides": Type.Optional(Type.Boolean()) });

const texts = Type.Optional(Type.Array(Type.String()));
const text = Type.Optional(Type.String());
const rule = Type.Object(
  {
    name: Type.String(),
    project: text,
    "required-keys": texts,
    key: text,
    "allowed-values": texts,
    "value-pattern": text,
    "naming-pattern": text,
  },
  { additionalProperties: false },
);
const POLICY = shape({
  enforce: Type.Optional(Type.Union([Type.Literal("advise"), Type.Literal("refuse")])),
  rules: Type.Optional(Type.Array(rule)),
});

/** @throws AppError `invalid` */
export function readJsonLine(line: string): FileRecord {
  const value = parse(line);
  const kind = typeof value === "object" && value !== null && "kind" in value ? value.kind : undefined;
  switch (kind) {
    case "tag": {
      const { name, pinned = true } = fitting(TAG, value);
      checkName(kind, name);
      return { kind, name: pooledName(name, pinned), pinned };
    }
    case "workspace": {
      const record = fitting(WORKSPACE, value);
      checkName(kind, record.name);
      const { tags, bindings: bound } = partsOf(record);
      return { kind, name: record.name, tags, bindings: bound };
    }
    case "project": {
      const record = fitting(PROJECT, value);
      checkName(kind, record.name);
      return { kind, name: record.name, bindings: partsOf(record).bindings };
    }
    case "reserved-tag-key": {
      const { name, "disable-overrides": disableOverrides } = fitting(RESERVED, value);
      checkName(kind, name);
      return { kind, name, disableOverrides };
    }
    case "tag-policy": {
      const { name, enforce, rules = [] } = fitting(POLICY, value);
      checkName(kind, name);
      return policyRecord(enforce, readRules(rules));
    }
    default:
      throw invalid("Unknown kind. Use tag, workspace, project, reserved-tag-key or tag-policy");
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw invalid("The line is not JSON");
  }
}

function fitting<S extends TSchema>(checks: ReturnType<typeof Compile<S>>, value: unknown): Static<S> {
  if (checks.Check(value)) return value;
  const [first] = checks.Errors(value);
  const place = first?.instancePath ?? "";
  throw invalid(`The record is malformed${place === "" ? "" : ` at ${place.slice(0, 100)}`}: ${first?.message ?? ""}`);
}

function partsOf({
  tags = [],
  bindings: bound = [],
}: {
  tags?: readonly string[];
  bindings?: readonly { key: string; value?: string }[];
}): CarriedParts {
  const parts = new CarriedParts();
  for (const tag of tags) parts.addTag(tag);
  for (const { key, value } of bound) parts.addBinding({ key, value });
  return parts;
}
