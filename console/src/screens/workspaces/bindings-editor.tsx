/** Keys and values of a workspace or a project, changed in place, and what a workspace inherits beside them. */
import { Group, Stack, TagsInput, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { usePlace } from "../../base/place.ts";
import { Card } from "../../kit/object-screen.tsx";
import { commandOf, type Plan } from "../../kit/plan.ts";
import { Race } from "../../kit/race.tsx";
import { Refusal } from "../../kit/refusal.tsx";
import { projectNamesQuery } from "../projects/project-input.tsx";
import { Draft } from "./draft.tsx";
import { keyValueOf, textOf, type KeyValue } from "./key-texts.ts";
import { bindingsQuery, effectiveQuery, pathOfHolder, type TagHolder } from "./queries.ts";
import * as texts from "../../texts/workspaces.ts";

/** A change, and what it rests on. */
interface KeyDraft {
  readonly base: readonly string[];
  readonly known: readonly KeyValue[];
  readonly etag: string;
  readonly after: readonly string[];
}

/** The cards of keys. */
export function BindingsEditor({ holder, mayWrite }: { holder: TagHolder; mayWrite: boolean }) {
  const place = usePlace();
  const own = useQuery(bindingsQuery(place, holder));
  const [draft, setDraft] = useState<KeyDraft>();
  if (own.isError) return <Refusal error={own.error} retry={() => void own.refetch()} />;
  const known = (own.data?.rows ?? []).map(({ attributes }) => attributes);
  const now = known.map(textOf);
  const etag = own.data?.etag ?? "";
  const { base, after } = draft ?? { base: now, after: now };
  const isChanged = !isSameSet(after, now);
  const isOvertaken = isChanged && draft !== undefined && draft.etag !== etag;
  // A change rests on what was seen when it was begun.
  const change = (next: string[]) =>
    setDraft(isSameSet(next, now) ? undefined : { base, known, etag, ...draft, after: next });
  return (
    <Card title={texts.tagKeysCount(now.length)}>
      {mayWrite && (
        <TagsInput
          label={texts.tagKeys}
          description={holder.of === "workspace" ? texts.workspaceKeysHint : texts.projectKeysHint}
          placeholder={after.length === 0 ? texts.keyValueExample : ""}
          value={[...after]}
          onChange={change}
          size="sm"
        />
      )}
      {isOvertaken && (
        <Race
          base={{ [texts.tagKeys]: base }}
          theirs={{ [texts.tagKeys]: now }}
          mine={{ [texts.tagKeys]: after }}
          merge={({ [texts.tagKeys]: keys }) =>
            setDraft({ base: now, known: [...known, ...(draft?.known ?? [])], etag, after: keys })
          }
        />
      )}
      {isChanged && !isOvertaken && (
        <Draft
          what={texts.tagKeys}
          before={now}
          after={after}
          plans={[rebindPlan(holder, after, draft?.known ?? known, etag)]}
          reset={() => setDraft(undefined)}
        />
      )}
      {(holder.of === "workspace" || !mayWrite) && <Effective holder={holder} />}
    </Card>
  );
}

/** Effective tag keys and values, each with its source. */
function Effective({ holder }: { holder: TagHolder }) {
  const place = usePlace();
  const effective = useQuery(effectiveQuery(place, holder));
  const projects = useQuery(projectNamesQuery(place));
  const rows = effective.data ?? [];
  return (
    <Stack gap={6} mt="md">
      <Text size="sm" fw={600}>
        {texts.effectiveKeys}
      </Text>
      {effective.isError && <Refusal error={effective.error} />}
      {effective.isSuccess && rows.length === 0 && (
        <Text size="sm" c="dimmed">
          {holder.of === "workspace" ? texts.noEffectiveKeys : texts.noKeys}
        </Text>
      )}
      {rows.map(({ id, attributes, relationships }) => {
        const from = relationships?.["inherited-from"].data.id;
        return (
          <Group key={id} justify="space-between" wrap="nowrap" gap="sm" align="baseline">
            <Text size="sm" style={{ overflowWrap: "anywhere" }}>
              <b>{attributes.key}</b> {attributes.value === "" ? "" : `= ${attributes.value}`}
            </Text>
            <Text size="xs" c="dimmed" style={{ whiteSpace: "nowrap" }}>
              {from === undefined
                ? texts.own
                : texts.inheritedFrom(
                    projects.data?.find(({ value }) => value === from)?.label ?? texts.projectWithoutName,
                  )}
            </Text>
          </Group>
        );
      })}
    </Stack>
  );
}

function rebindPlan(holder: TagHolder, entries: readonly string[], known: readonly KeyValue[], etag: string): Plan {
  const wanted = entries.map((text) => keyValueOf(text, known));
  return {
    operation: holder.of === "workspace" ? "replaceWorkspaceTagBindings" : "replaceProjectTagBindings",
    path: pathOfHolder(holder),
    ifMatch: etag,
    body: {
      data: wanted.map((attributes) => ({ type: "tag-bindings", attributes })),
    },
    // A command ends a key at its first sign.
    command: wanted.some(({ key }) => key.includes("="))
      ? []
      : commandOf([holder.of, "rebind"], [holder.id, ...entries], []),
  };
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return [...one].sort().join("\n") === [...other].sort().join("\n");
}
