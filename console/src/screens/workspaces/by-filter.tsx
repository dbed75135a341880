/** Puts tags on all workspaces that the list is asked for, or takes them off. */
import { Badge, Button, Group, SegmentedControl, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { Search } from "../../base/address.ts";
import { usePlace } from "../../base/place.ts";
import { Icon } from "../../kit/icons.tsx";
import { askedOf } from "../../kit/filter.ts";
import { listQuery } from "../../kit/list.ts";
import { JobDialog } from "../tag-jobs/job-dialog.tsx";
import { conditionsOf } from "../tag-jobs/words.ts";
import { TagsByName } from "../tags/tags-by-name.tsx";
import { fieldsOfAsked, filterOfFields } from "./filter.ts";
import { WORKSPACE_LIST } from "./list-of-workspaces.tsx";
import { useMayTagWorkspaces } from "./rights.ts";
import * as texts from "../../texts/workspaces.ts";

/** The button and its dialog. */
export function ByFilter() {
  const [isOpen, setOpen] = useState(false);
  const { search, filters } = askedOf(WORKSPACE_LIST, useSearch({ strict: false }));
  const mayTag = useMayTagWorkspaces({ ...filters, ...(search === "" ? {} : { "search[name]": search }) });
  if (!mayTag) return null;
  return (
    <>
      <Button variant="default" leftSection={<Icon name="tag" size={14} />} onClick={() => setOpen(true)}>
        {texts.tagAllMatching}
      </Button>
      {isOpen && <ByFilterDialog close={() => setOpen(false)} />}
    </>
  );
}

function ByFilterDialog({ close }: { close: () => void }) {
  const search = useSearch({ strict: false }) as Search;
  // The first page of the list, which tells how many workspaces match.
  const list = useInfiniteQuery(listQuery(WORKSPACE_LIST, usePlace(), { ...search, to: "" }));
  const count = list.data?.pages[0]?.total?.count;
  const [action, setAction] = useState<"add" | "remove">("add");
  const [names, setNames] = useState<readonly string[]>([]);
  const filter = { workspaces: filterOfFields(fieldsOfAsked(askedOf(WORKSPACE_LIST, search))) };
  const isAll = Object.keys(filter.workspaces).length === 0;
  return (
    <JobDialog
      title={action === "add" ? texts.addToAllTitle(count) : texts.removeFromAllTitle(count)}
      startLabel={action === "add" ? texts.tagAll(count) : texts.untagAll(count)}
      isOpen
      close={close}
      attributes={names.length === 0 ? undefined : { action, tags: names.map(tagOf), filter }}
    >
      <SegmentedControl
        size="xs"
        aria-label={texts.action}
        value={action}
        onChange={(next) => setAction(next === "remove" ? "remove" : "add")}
        data={[
          { value: "add", label: texts.add },
          { value: "remove", label: texts.remove },
        ]}
      />
      <TagsByName label={texts.tags} description={texts.tagsOrKeysHint} value={names} onChange={setNames} />
      {isAll ? (
        <Text size="sm">{texts.appliesToAll}</Text>
      ) : (
        <Group gap={6} role="list" aria-label={texts.filterOfJob}>
          {conditionsOf(filter.workspaces).map(({ label, value }) => (
            <Badge key={label} role="listitem" maw="100%">
              {label}: <bdi>{value}</bdi>
            </Badge>
          ))}
        </Group>
      )}
    </JobDialog>
  );
}

/** `env=prod` is a key with its value; a flat tag may not hold that sign in this field. */
function tagOf(text: string): { name: string; value?: string } {
  const at = text.indexOf("=");
  return at <= 0 ? { name: text } : { name: text.slice(0, at), value: text.slice(at + 1) };
}
