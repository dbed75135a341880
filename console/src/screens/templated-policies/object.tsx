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
import { templatesQuery } from "../../kit/templates-query.ts";
import { previewQuery, type Template } from "./queries.ts";
import * as texts from "../../texts/templated-policies.ts";
import { screenNames } from "../../texts/names.ts";

/** The screen of a templated policy. */
export function TemplateObject() {
  const place = usePlace();
  const name = usePathParameter("key");
  const query = useQuery(templatesQuery(place));
  const template = query.data?.find(({ TemplateName }) => TemplateName === name);
  const up = { to: place.path("templated-policies"), title: screenNames.templatedPolicies.plural };
  if (query.data === undefined) return <ObjectPending query={query} up={up} />;
  if (template === undefined) return <PageHead title={name} up={up} about={texts.notFound} />;
  return (
    <section aria-label={name}>
      <PageHead title={name} up={up} about={template.Description} marks={<BuiltIn />} />
      <Cards>
        <Card title={texts.template}>
          <CodeText text={template.Template} what={texts.templateCopied} />
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
    <Card title={texts.previewTitle}>
      <Stack gap="md">
        {takesName && (
          <TextInput
            label={texts.name}
            description={texts.nameHint}
            placeholder={texts.nameExample}
            maw={320}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
        )}
        {!isReady && (
          <Text size="sm" c="dimmed">
            {texts.previewHint}
          </Text>
        )}
        {isReady && query.isError && <Refusal error={query.error} />}
        {isReady && query.data !== undefined && !query.isError && (
          <CodeText text={query.data.Rules} what={texts.rulesCopied} />
        )}
      </Stack>
    </Card>
  );
}
