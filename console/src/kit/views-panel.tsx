/** Saved views of a list: shows, saves, changes and deletes them. The browser loads this part when the user opens the views. */
import { Button, Loader, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo, type ReactNode } from "react";
import type { Search } from "../base/address.ts";
import { usePlace } from "../base/place.ts";
import { useDenial } from "./denied.tsx";
import type { ChangeFilter } from "./filter.ts";
import { useDensity, useKeptColumns } from "./list-looks.ts";
import type { List } from "./list.ts";
import { ViewForm } from "./view-form.tsx";
import { ViewRow } from "./view-row.tsx";
import { isAsViewed, searchOf, stateOf, type SavedView, type ViewState } from "./view-state.ts";
import classes from "./views.module.css";
import { viewScope, viewsQuery } from "./views-query.ts";
import * as texts from "../texts/views.ts";

const WRITE = { resource: "acl", access: "write" } as const;

interface PanelProps {
  readonly list: List<never>;
  readonly search: Search;
  readonly change: ChangeFilter;
  close(): void;
}

/** The content of the menu of views. */
export function ViewsPanel({ list, search, change, close }: PanelProps) {
  const { scope: here } = usePlace();
  const scope = useMemo(() => viewScope(here), [here]);
  const views = useQuery(viewsQuery(scope, list.noun));
  const denial = useDenial(WRITE);
  const { state, show } = useViewState({ list, search, change });
  const row = (view: SavedView) => (
    <ViewRow
      key={view.ID}
      view={view}
      scope={scope}
      state={state}
      isShown={isAsViewed(list, view, state)}
      denial={view.Shared ? denial : undefined}
      show={() => {
        show(view);
        close();
      }}
    />
  );
  const [own, shared] = [false, true].map((each) => views.data?.filter(({ Shared }) => Shared === each) ?? []);
  return (
    <Stack gap="sm" w={300} maw="calc(100vw - 64px)">
      {views.isPending && <Loader size={16} role="img" aria-label={texts.loading} />}
      {views.isError && (
        <Stack gap={4} align="flex-start">
          <Text size="sm">{texts.loadFailed}</Text>
          <Button variant="default" onClick={() => void views.refetch()}>
            {texts.retry}
          </Button>
        </Stack>
      )}
      {views.data?.length === 0 && (
        <Text size="sm" c="dimmed">
          {texts.none}
        </Text>
      )}
      <div className={classes.views}>
        <Group title={texts.own} rows={(own ?? []).map(row)} />
        <Group title={texts.sharedIn(scope.namespace)} rows={(shared ?? []).map(row)} />
      </div>
      <ViewForm
        list={list.noun}
        scope={scope}
        state={state}
        sharing={list.belongsTo === "scope" ? { denial } : undefined}
      />
    </Stack>
  );
}

/** The state of the list as a view keeps it, and what shows a view. */
function useViewState({ list, search, change }: Omit<PanelProps, "close">) {
  const [kept, keep] = useKeptColumns(list.noun);
  const [density, setDensity] = useDensity();
  const state = stateOf(list, search, search["columns"] || kept, density);
  const show = (view: ViewState) => {
    // As the menu of columns does: the next visit has the same ones.
    keep(view.Columns.join(","));
    if (view.Density === "compact" || view.Density === "comfortable") setDensity(view.Density);
    change(searchOf(list, view, search));
  };
  return { state, show };
}

function Group({ title, rows }: { title: string; rows: readonly ReactNode[] }) {
  if (rows.length === 0) return null;
  return (
    <section aria-label={title}>
      <Text size="xs" c="dimmed" fw={600} mt={4} mb={2} style={{ overflowWrap: "anywhere" }}>
        {title}
      </Text>
      {rows}
    </section>
  );
}
