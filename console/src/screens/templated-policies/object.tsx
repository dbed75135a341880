/** One templated policy, and what it comes to. */
import { Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { usePathParameter, usePlace } from "../../base/place.ts";
import { BuiltIn } from "../../kit/cells.tsx";
import { CodeText } from "../../kit/code-text.tsx";
import { ObjectPending } from "../../kit/object-pending.tsx";
import { Card, Cards } from "../../kit/object-screen.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { Refusal } from "../../kit/refusal.tsx";
import { previewQuery, templatesQuery, type Template } from "./queries.ts";

/** The screen of a templated policy. */
export function TemplateObject() {
  const place = usePlace();
  const name = usePathParameter("key");
  const query = useQuery(templatesQuery(place));
  const template = query.data?.find(({ TemplateName }) => TemplateName === name);
  const up = { to: place.path("templated-policies"), title: "Templated policies" };
  if (query.data === undefined) return <ObjectPending query={query} up={up} />;
  if (template === undefined) return <PageHead title={name} up={up} about="There is no such templated policy." />;
  return (
    <section aria-label={name}>
      <PageHead title={name} up={up} about={template.Description} marks={<BuiltIn />} />
      <Cards>
        <Card title="Template">
          <CodeText text={template.Template} what="the template" />
        </Card>
        <Preview template={template} />
      </Cards>
    </section>
  );
}

function Preview({ template: { TemplateName, Schema } }: { template: Template }) {
  const place = usePlace();
  const [name, setName] = useState("");
  const [settled] = useDebouncedValue(name.trim(), 200);
  const takesName = Schema !== "";
  const isReady = !takesName || settled !== "";
  const query = useQuery({
    ...previewQuery(place, TemplateName, settled),
    enabled: isReady,
    placeholderData: keepPreviousData,
  });
  return (
    <Card title="What it comes to">
      <Stack gap="md">
        {takesName && (
          <TextInput
            label="Name"
            description="What the gap is filled with."
            placeholder="web"
            maw={320}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
        )}
        {!isReady && (
          <Text size="sm" c="dimmed">
            Type a name to see its rules.
          </Text>
        )}
        {isReady && query.isError && <Refusal error={query.error} />}
        {isReady && query.data !== undefined && !query.isError && <CodeText text={query.data.Rules} what="the rules" />}
      </Stack>
    </Card>
  );
}
