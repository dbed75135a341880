/** Adds the selected policies to roles, or removes them, with the impact before. */
import { Stack } from "@mantine/core";
import { queryOptions, useQueries } from "@tanstack/react-query";
import { useState } from "react";
import { usePlace, type Place } from "../../base/place.ts";
import { scopedKey } from "../../base/queries.ts";
import { AddOrRemove, keptBy, wordsOf } from "../../kit/bulk-grants.tsx";
import { BulkWriteTo, type BulkWork } from "../../kit/bulk-write.tsx";
import { changedGrants, type GrantsChange } from "../../kit/grants.ts";
import { LinkInput } from "../../kit/link-input.tsx";
import type { Members } from "../../kit/plan.ts";
import type { Selection } from "../../kit/selection.ts";
import { ROLE_GRANTS } from "../roles/bulk.tsx";
import type { Role } from "../roles/named.ts";
import type { PolicyRow } from "./list-of-policies.tsx";
import * as texts from "../../texts/policies.ts";
import { screenNames } from "../../texts/names.ts";

/** A role with what the change makes of it. */
interface Target {
  readonly role: Role;
  readonly Namespace: string | undefined;
  readonly change: GrantsChange;
  readonly members: Members;
}

/** The button and its dialog. Names of roles differ by namespace, so a list of all namespaces has none. */
export function BulkRolesOfPolicies({ selection }: { selection: Selection<PolicyRow> }) {
  const place = usePlace();
  const [names, setNames] = useState<readonly string[]>([]);
  const [isRemoval, setRemoval] = useState(false);
  const read = useQueries({ queries: names.map((name) => roleQuery(place, name)) });
  if (place.scope.namespace === "*") return null;
  const roles = read.flatMap(({ data }) => (data === undefined ? [] : [data]));
  const work: BulkWork<Target> = {
    noun: "roles",
    write: { resource: "acl", access: "write" },
    icon: "role",
    words: wordsOf({ ...ROLE_GRANTS, button: screenNames.roles.plural }),
    note: texts.rolesNote,
    title: ({ role }) => ROLE_GRANTS.title(role),
    plan: ({ role, members }) => ROLE_GRANTS.plan(role, members),
    keeps: ({ role, change }) => keptBy(role, change),
    isIncomplete: names.length === 0 || roles.length < names.length,
    fields: (
      <Stack gap="sm">
        <AddOrRemove isRemoval={isRemoval} set={setRemoval} />
        <LinkInput noun="roles" label={screenNames.roles.plural} value={names} onChange={setNames} />
      </Stack>
    ),
    impact: (targets) => ROLE_GRANTS.impact(targets.map(({ role, members }) => ({ row: role, members }))),
  };
  const targets = (policies: readonly PolicyRow[]) => {
    const change = { isRemoval, policies: policies.map(({ Name }) => Name), roles: [] };
    return roles.map((role) => ({ role, Namespace: role.Namespace, change, members: changedGrants(role, change) }));
  };
  return <BulkWriteTo selection={selection} work={work} targets={targets} />;
}

/** Query for the role of a name. */
function roleQuery(place: Place, name: string) {
  return queryOptions({
    queryKey: scopedKey(place.scope, "roles", "by-name", name),
    queryFn: async ({ signal }) => (await place.client.request("readRoleByName", { path: { name }, signal })).body,
  });
}
