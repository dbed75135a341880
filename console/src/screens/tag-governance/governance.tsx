/** Tags of an organization at a glance: coverage of the required keys, and the lists of tags that need attention. */
import { Alert, Button, Stack, Text } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { OperationId, Query } from "@tessera-server/client";
import type { Search } from "../../base/address.ts";
import { usePlace } from "../../base/place.ts";
import { A, LinkButton } from "../../kit/link.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { Refusal } from "../../kit/refusal.tsx";
import { ObjectSkeleton } from "../../kit/skeletons.tsx";
import { ProjectInput } from "../projects/project-input.tsx";
import { screenNames } from "../../texts/names.ts";
import { KeyCard } from "./key-card.tsx";
import { countQuery, coverageQuery } from "./queries.ts";
import classes from "./tag-governance.module.css";
import * as texts from "../../texts/tag-governance.ts";

const NAME = screenNames.tagGovernance;

/** The screen. The project is in the address. */
export function TagGovernance() {
  const place = usePlace();
  const { project = "" } = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  return (
    <section aria-label={NAME.title}>
      <PageHead
        title={NAME.title}
        about={texts.about}
        actions={
          <>
            <LinkButton to={place.path("tag-governance", "projects")} variant="default">
              {NAME.projects}
            </LinkButton>
            <LinkButton to={place.path("tag-rules")}>{screenNames.tagPolicies.tagPolicy}</LinkButton>
          </>
        }
      />
      <div className={classes.tiles}>
        <Tile title={texts.nonCompliant} to="tag-policies" noun="workspaces" operation="reportTagPolicy" />
        <Tile title={texts.duplicates} to="tags/alike" noun="tags" operation="listAlikeTags" />
        <Tile title={texts.unusedTags} to="tags" noun="tags" operation="listTags" query={UNUSED} />
      </div>
      <div className={classes.filter}>
        <ProjectInput
          label={texts.project}
          placeholder={texts.allProjects}
          value={project}
          onChange={(id) => void navigate({ to: ".", replace: true, search: { project: id } })}
        />
      </div>
      <Keys project={project} />
    </section>
  );
}

const UNUSED: Query = { "filter[unused]": "true" };
const NO_QUERY: Query = {};

interface TileProps {
  readonly title: string;
  /** Path of the list below the organization. */
  readonly to: string;
  readonly noun: string;
  readonly operation: OperationId;
  readonly query?: Query;
}

/** Number of entries of a list, as a link to it. */
function Tile({ title, to, noun, operation, query = NO_QUERY }: TileProps) {
  const place = usePlace();
  const count = useQuery(countQuery(place, noun, operation, query));
  const search = new URLSearchParams(query as Record<string, string>).toString();
  return (
    <A to={`${place.path(to)}${search === "" ? "" : `?${search}`}`} className={classes.tile}>
      <span className={classes.number}>{count.data?.toLocaleString() ?? "–"}</span>
      <span className={classes.label}>{title}</span>
    </A>
  );
}

function Keys({ project }: { project: string }) {
  const query = useInfiniteQuery(coverageQuery(usePlace(), project));
  if (query.isError) return <Refusal error={query.error} retry={() => void query.refetch()} />;
  if (query.data === undefined) return <ObjectSkeleton />;
  const { pages } = query.data;
  const keys = pages.flatMap((page) => page.keys);
  if (keys.length === 0) return <NoKeys />;
  return (
    <Stack gap="md">
      {pages.some(({ isComplete }) => !isComplete) && (
        <Alert variant="outline" color="gray">
          {texts.incomplete}
        </Alert>
      )}
      {keys.map((coverage) => (
        <KeyCard key={coverage.key} coverage={coverage} project={project} />
      ))}
      {query.hasNextPage && (
        <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {texts.loadMore}
        </Button>
      )}
    </Stack>
  );
}

function NoKeys() {
  return (
    <Stack align="center" gap="sm" py={48} role="status">
      <Text fw={600}>{texts.noKeys}</Text>
      <Text c="dimmed" maw={460} ta="center">
        {texts.noKeysHint}
      </Text>
    </Stack>
  );
}
