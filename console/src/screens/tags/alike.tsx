/** Tags whose names are nearly the same, each group with the one that it could be merged into. */
import { Button, Group, Radio, Stack, Text } from "@mantine/core";
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
import type { AlikeGroup } from "./queries.ts";
import classes from "./tags.module.css";
import { visible } from "../../kit/visible.ts";

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
  return (
    <section aria-label="Tags that are alike">
      <PageHead
        title="Tags that are alike"
        about="Names that are the same but for case, separators or a plural. What belongs together can be merged."
        up={{ to: place.path("tags"), title: "Tags" }}
      />
      {query.isPending && <ObjectSkeleton />}
      {query.isError && <Refusal error={query.error} retry={() => void query.refetch()} />}
      {query.isSuccess && groups.length === 0 && (
        <Text c="dimmed" role="status">
          No two tags are alike.
        </Text>
      )}
      <Stack gap="md" maw={860}>
        {groups.map((group) => (
          <AlikeTagsGroup key={group.id} group={group} />
        ))}
        {query.hasNextPage && (
          <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            More
          </Button>
        )}
      </Stack>
    </section>
  );
}

function AlikeTagsGroup({ group }: { group: AlikeGroup }) {
  const place = usePlace();
  const mayWrite = useMay({ resource: "organization", access: "write" });
  const { tags } = group.attributes;
  const [kept, setKept] = useState(tags[0]?.name ?? "");
  const [isOpen, setOpen] = useState(false);
  const others = tags.filter(({ name }) => name !== kept).map(({ name }) => ({ name }));
  const hidden = group.attributes["tag-count"] - tags.length;
  return (
    <section className={classes.group} aria-label={`Tags like ${kept}`}>
      <Radio.Group value={kept} onChange={setKept} aria-label="The one to keep">
        <Stack gap={6}>
          {tags.map(({ id, name, "instance-count": uses }) => (
            <Group key={id} gap="sm" wrap="nowrap">
              <Radio size="xs" value={name} label={<bdi>{visible(name)}</bdi>} disabled={!mayWrite} />
              <Text size="xs" c="dimmed">
                {uses.toLocaleString()} {uses === 1 ? "workspace" : "workspaces"}
              </Text>
              <A to={place.path("tags", id)} size="xs" aria-label={`Open ${name}`}>
                open
              </A>
            </Group>
          ))}
        </Stack>
      </Radio.Group>
      {hidden > 0 && (
        <Text size="xs" c="dimmed">
          And {hidden.toLocaleString()} more, which show when these are merged.
        </Text>
      )}
      {mayWrite && (
        <Button
          variant="default"
          style={{ justifySelf: "start" }}
          leftSection={<Icon name="rule" size={14} />}
          onClick={() => setOpen(true)}
        >
          Merge into {kept}
        </Button>
      )}
      <MergeDialog
        key={kept}
        named={{ tags: others }}
        words={`${others.length} ${others.length === 1 ? "tag" : "tags"}`}
        suggested={kept}
        isOpen={isOpen}
        close={() => setOpen(false)}
      />
    </section>
  );
}
