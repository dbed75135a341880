/** Tags whose names are nearly the same, each group with the one that it could be merged into. */
import { Button, Checkbox, Group, Radio, Stack, Text } from "@mantine/core";
import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { usePlace, type Place } from "../../base/place.ts";
import { organizationKey } from "../../base/queries.ts";
import { Icon } from "../../kit/icons.tsx";
import { A } from "../../kit/link.tsx";
import { v2Source } from "../../kit/list-source.ts";
import { PageHead } from "../../kit/page-head.tsx";
import { Refusal } from "../../kit/refusal.tsx";
import { useMay } from "../../kit/rights.ts";
import { ObjectSkeleton } from "../../kit/skeletons.tsx";
import "./alike.css";
import { MergeDialog } from "./dialogs.tsx";
import { MergeAll, mergeOf, type Merge } from "./merge-all.tsx";
import type { AlikeGroup } from "./queries.ts";
import classes from "./tags.module.css";
import { visible } from "../../kit/visible.ts";
import * as texts from "../../texts/tags.ts";
import { screenNames } from "../../texts/names.ts";

const ALL = { search: "", sort: "", filters: {}, here: [] };

/** Groups, page by page. */
export function alikeQuery(place: Place) {
  const organization = place.organization ?? "";
  const source = v2Source<AlikeGroup>(
    place.client,
    "listAlikeTags",
    { organization_name: organization },
    { "page[size]": 20 },
  );
  return infiniteQueryOptions({
    queryKey: organizationKey(organization, "tags", "alike"),
    queryFn: async ({ pageParam, signal }) => source.page(ALL, pageParam === "" ? undefined : pageParam, signal),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });
}

/** The screen of tags that are alike. */
export function AlikeTags() {
  const place = usePlace();
  const query = useInfiniteQuery(alikeQuery(place));
  const groups = query.data?.pages.flatMap(({ rows }) => rows) ?? [];
  const [kept, setKept] = useState<Readonly<Record<string, string>>>({});
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const mayWrite = useMay({ resource: "organization", access: "write" });
  const keptOf = ({ id, attributes }: AlikeGroup) => kept[id] ?? attributes.tags[0]?.name ?? "";
  return (
    <section aria-label={screenNames.tags.duplicates}>
      <PageHead
        title={screenNames.tags.duplicates}
        about={texts.duplicatesHint}
        up={{ to: place.path("tags"), title: screenNames.tags.tags }}
      />
      {mayWrite && (
        <SelectedGroups
          isAll={selected.size === groups.length}
          count={groups.length}
          selectAll={(is) => setSelected(new Set(is ? groups.map(({ id }) => id) : []))}
          merges={groups.filter(({ id }) => selected.has(id)).map((group) => mergeOf(namesIn(group), keptOf(group)))}
        />
      )}
      {query.isPending && <ObjectSkeleton />}
      {query.isError && <Refusal error={query.error} retry={() => void query.refetch()} />}
      {query.isSuccess && groups.length === 0 && (
        <Text c="dimmed" role="status">
          {texts.noDuplicates}
        </Text>
      )}
      <Stack gap="md" maw={860}>
        {groups.map((group) => (
          <AlikeTagsGroup
            key={group.id}
            group={group}
            kept={keptOf(group)}
            keep={(name) => setKept({ ...kept, [group.id]: name })}
            isSelected={selected.has(group.id)}
            select={(is) =>
              setSelected(new Set(is ? [...selected, group.id] : [...selected].filter((id) => id !== group.id)))
            }
          />
        ))}
        {query.hasNextPage && (
          <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {texts.loadMore}
          </Button>
        )}
      </Stack>
    </section>
  );
}

function namesIn({ attributes }: AlikeGroup): readonly string[] {
  return attributes.tags.map(({ name }) => name);
}

interface SelectedGroupsProps {
  readonly isAll: boolean;
  /** Number of groups on the page. */
  readonly count: number;
  selectAll(isSelected: boolean): void;
  readonly merges: readonly Merge[];
}

/** Buttons that select all groups, and merge the selected ones. */
function SelectedGroups({ isAll, count, selectAll, merges }: SelectedGroupsProps) {
  return (
    <Group gap="xs" mb="md">
      {count > 0 && (
        <Button variant="default" onClick={() => selectAll(!isAll)}>
          {isAll ? texts.selectNoGroup : texts.selectAllGroups(count)}
        </Button>
      )}
      {/* Merged groups leave the page while its dialog shows the others. */}
      <MergeAll merges={merges} done={() => selectAll(false)} />
    </Group>
  );
}

interface GroupProps {
  readonly group: AlikeGroup;
  /** Tag that the others are merged into. */
  readonly kept: string;
  keep(name: string): void;
  readonly isSelected: boolean;
  select(isSelected: boolean): void;
}

function AlikeTagsGroup({ group, kept, keep, isSelected, select }: GroupProps) {
  const place = usePlace();
  const mayWrite = useMay({ resource: "organization", access: "write" });
  const { tags } = group.attributes;
  const [isOpen, setOpen] = useState(false);
  const others = tags.filter(({ name }) => name !== kept).map(({ name }) => ({ name }));
  const hidden = group.attributes["tag-count"] - tags.length;
  return (
    <section className={classes.group} aria-label={texts.duplicatesOf(kept)}>
      {mayWrite && (
        <Checkbox
          size="xs"
          checked={isSelected}
          label={texts.selectGroup(kept)}
          onChange={(event) => select(event.currentTarget.checked)}
        />
      )}
      <Radio.Group value={kept} onChange={keep} aria-label={texts.tagToKeep}>
        <Stack gap={6}>
          {tags.map(({ id, name, "instance-count": uses }) => (
            <Group key={id} gap="sm" wrap="nowrap">
              <Radio size="xs" value={name} aria-label={texts.keepTag(name)} disabled={!mayWrite} />
              <A to={place.path("tags", id)} size="sm">
                <bdi>{visible(name)}</bdi>
              </A>
              <Text size="xs" c="dimmed">
                {texts.workspaceCount(uses)}
              </Text>
            </Group>
          ))}
        </Stack>
      </Radio.Group>
      {hidden > 0 && (
        <Text size="xs" c="dimmed">
          {texts.hiddenDuplicates(hidden)}
        </Text>
      )}
      {mayWrite && (
        <Button
          variant="default"
          style={{ justifySelf: "start" }}
          leftSection={<Icon name="rule" size={14} />}
          onClick={() => setOpen(true)}
        >
          {texts.mergeIntoTag(kept)}
        </Button>
      )}
      <MergeDialog
        key={kept}
        named={{ tags: others }}
        words={texts.tagCount(others.length)}
        suggested={kept}
        isOpen={isOpen}
        close={() => setOpen(false)}
      />
    </section>
  );
}
