/** Text in place of an empty list: either nothing exists yet, or nothing matches. */
import { Button, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { inScope } from "../base/address.ts";
import { usePlace } from "../base/place.ts";
import { namespacesQuery } from "../base/place-queries.ts";
import { OfferedLink, useOffer } from "./denied.tsx";
import { Icon } from "./icons.tsx";
import { LinkButton } from "./link.tsx";
import type { List } from "./list.ts";
import type { ListQuery } from "./filter.ts";
import classes from "./list.module.css";
import * as texts from "../texts/kit-lists.ts";

/** The empty state of a list. */
export function ListEmpty<Row>({ list, asked, clear }: { list: List<Row>; asked: ListQuery; clear: () => void }) {
  const isThere = useIsThere();
  const isNarrowed = asked.search !== "" || Object.keys(asked.filters).length + asked.here.length > 0;
  if (!isThere && list.belongsTo === "scope") return <NoNamespace />;
  return (
    <Stack className={classes.empty} align="center" gap="sm" role="status">
      <span className={classes.emptyMark}>
        <Icon name={isNarrowed ? "search" : "plus"} size={22} />
      </span>
      <Text fw={600}>
        {isNarrowed ? texts.noMatch(list.plural.toLowerCase()) : texts.none(list.plural.toLowerCase())}
      </Text>
      <Text size="sm" c="dimmed" maw={420} ta="center">
        {isNarrowed ? texts.noMatchHint : list.empty}
      </Text>
      {isNarrowed && (
        <Button variant="default" onClick={clear}>
          {texts.clearSearch}
        </Button>
      )}
      {!isNarrowed && <CreateLink list={list} />}
    </Stack>
  );
}

/** Link to the page that creates an object. A list of an organization does not show it to a token that may not create one. */
export function CreateLink<Row>({ list }: { list: List<Row> }) {
  const place = usePlace();
  const offer = useOffer(list.create?.right);
  if (list.create === undefined || place.scope.namespace === "*") return null;
  if (offer.denial !== undefined && list.belongsTo !== "scope") return null;
  return (
    <OfferedLink offer={offer} to={place.path(...list.create.path.split("/"))} icon="plus">
      {texts.newLabel(list.singular)}
    </OfferedLink>
  );
}

/** Whether the namespace of the address may be there: an empty list is the server's answer for one that is not, too. */
function useIsThere(): boolean {
  const { scope } = usePlace();
  const isNamed = scope.namespace !== "*" && scope.namespace !== "default";
  const { data = [] } = useQuery({ ...namespacesQuery(scope.partition), enabled: isNamed });
  // Tokens that may not read any namespace get an empty list: existence is unknown then.
  return !isNamed || data.length === 0 || data.some(({ Name }) => Name === scope.namespace);
}

function NoNamespace() {
  const place = usePlace();
  return (
    <Stack className={classes.empty} align="center" gap="sm" role="status">
      <span className={classes.emptyMark}>
        <Icon name="namespace" size={22} />
      </span>
      <Text fw={600}>
        {texts.namespaceMissing}
        <bdi>{place.scope.namespace}</bdi>
      </Text>
      <Text size="sm" c="dimmed" maw={420} ta="center">
        {texts.namespaceMissingHint}
      </Text>
      <LinkButton to={inScope({ ...place.scope, namespace: "default" }, "namespaces")}>
        {texts.showNamespaces}
      </LinkButton>
    </Stack>
  );
}
