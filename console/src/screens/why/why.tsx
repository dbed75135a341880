/** Why: may this do that, who may do that, and why was this request refused? What is asked is in the address. */
import { Tabs } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { Search } from "../../base/address.ts";
import { Icon } from "../../kit/icons.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { May } from "./may.tsx";
import { RefusedRequest } from "./refused.tsx";
import { Who } from "./who.tsx";
import * as texts from "../../texts/why.ts";
import { screenNames } from "../../texts/names.ts";

/** Titles of the tabs that have an entry of their own in the navigation. */
const TITLES: ReadonlyMap<string, string> = new Map([
  ["who", screenNames.why.whoCan],
  ["request", screenNames.why.explainDenial],
]);

/** The screen. */
export function Why() {
  const search = useSearch({ strict: false }) as Search;
  const { tab = "may" } = search;
  const navigate = useNavigate();
  return (
    <section aria-label={TITLES.get(tab) ?? screenNames.why.title}>
      <PageHead title={TITLES.get(tab) ?? screenNames.why.title} about={texts.subtitle} />
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(next) => void navigate({ to: ".", search: { ...search, tab: next ?? "may" } })}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="may" leftSection={<Icon name="why" size={14} />}>
            {screenNames.why.title}
          </Tabs.Tab>
          <Tabs.Tab value="who" leftSection={<Icon name="role" size={14} />}>
            {screenNames.why.whoCan}
          </Tabs.Tab>
          <Tabs.Tab value="request" leftSection={<Icon name="lock" size={14} />}>
            {screenNames.why.explainDenial}
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="may">
          <May />
        </Tabs.Panel>
        <Tabs.Panel value="who">
          <Who />
        </Tabs.Panel>
        <Tabs.Panel value="request">
          <RefusedRequest />
        </Tabs.Panel>
      </Tabs>
    </section>
  );
}
