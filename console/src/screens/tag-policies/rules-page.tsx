/** Tag policy of an organization. */
import { Badge, Button, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { usePlace } from "../../base/place.ts";
import { DeleteDialog } from "../../kit/delete-dialog.tsx";
import { OrganizationHistory } from "../../kit/history.tsx";
import { Icon } from "../../kit/icons.tsx";
import { A, LinkButton } from "../../kit/link.tsx";
import { ObjectPending } from "../../kit/object-pending.tsx";
import { Card, Cards, Field, Fields, ObjectScreen } from "../../kit/object-screen.tsx";
import { useMay } from "../../kit/rights.ts";
import { Time } from "../../kit/time.tsx";
import { projectNamesQuery } from "../projects/project-input.tsx";
import { policyQuery, type ReadPolicy, type TagPolicy, type TagRule } from "./rules.ts";
import * as texts from "../../texts/tag-policies.ts";
import { screenNames } from "../../texts/names.ts";

const WRITE = { resource: "organization", access: "write" } as const;

/** The screen of the rules. */
export function TagRules() {
  const place = usePlace();
  const query = useQuery(policyQuery(place));
  const mayWrite = useMay(WRITE);
  if (query.data === undefined)
    return (
      <ObjectPending query={query} up={{ to: place.path("tag-policies"), title: screenNames.tagPolicies.compliance }} />
    );
  const { policy } = query.data;
  const isRefusing = policy?.attributes.enforce === "refuse";
  return (
    <ObjectScreen
      title={screenNames.tagPolicies.tagPolicy}
      about={texts.policyHint}
      query={query}
      up={{ to: place.path("tag-policies"), title: screenNames.tagPolicies.compliance }}
      marks={
        policy !== undefined && (
          <Badge c={isRefusing ? "var(--mantine-color-error)" : "var(--warning)"}>
            {isRefusing ? texts.blocks : texts.warns}
          </Badge>
        )
      }
      actions={mayWrite && <Actions read={query.data} />}
      tabs={[
        {
          id: "overview",
          title: texts.rules,
          icon: "rule",
          content: policy === undefined ? <NoRules mayWrite={mayWrite} /> : <Overview policy={policy} />,
        },
        ...(policy === undefined
          ? []
          : [
              {
                id: "history",
                title: texts.history,
                icon: "history",
                content: <OrganizationHistory kind="tag-policy" id={policy.id} />,
              } as const,
            ]),
      ]}
    />
  );
}

function Actions({ read: { policy, etag } }: { read: ReadPolicy }) {
  const place = usePlace();
  const [isDeleting, { open, close }] = useDisclosure(false);
  if (policy === undefined) return null;
  return (
    <>
      <LinkButton to={place.path("tag-rules", "edit")} leftSection={<Icon name="edit" size={14} />}>
        {texts.edit}
      </LinkButton>
      <Button variant="default" leftSection={<Icon name="trash" size={14} />} onClick={open}>
        {texts.deleteLabel}
      </Button>
      <DeleteDialog
        what={texts.policyToDelete}
        isOpen={isDeleting}
        close={close}
        then={place.path("tag-rules")}
        plan={{
          operation: "deleteTagPolicy",
          path: { organization_name: place.organization ?? "" },
          ifMatch: etag,
          command: ["tag", "delete-rules", "--yes"],
        }}
      >
        <Text size="sm">{texts.deleteWarning}</Text>
      </DeleteDialog>
    </>
  );
}

function NoRules({ mayWrite }: { mayWrite: boolean }) {
  const place = usePlace();
  return (
    <Stack align="center" gap="sm" py={48} role="status">
      <Text fw={600}>{texts.emptyTitle}</Text>
      <Text c="dimmed" maw={460} ta="center">
        {texts.emptyHint}
      </Text>
      {mayWrite && <LinkButton to={place.path("tag-rules", "edit")}>{texts.createTagPolicy}</LinkButton>}
    </Stack>
  );
}

function Overview({ policy: { attributes } }: { policy: TagPolicy }) {
  const place = usePlace();
  const { rules, enforce } = attributes;
  return (
    <Cards>
      {rules.map((rule) => (
        <Rule key={rule.name} rule={rule} />
      ))}
      <Card title={texts.enforcement}>
        <Text size="sm" mb={6}>
          {enforce === "refuse" ? texts.blockEffect : texts.warnEffect}
        </Text>
        <Fields>
          <Field name={texts.changed}>
            <Time value={attributes["updated-at"]} />
          </Field>
          <Field name={screenNames.tagPolicies.compliance}>
            <A to={place.path("tag-policies")}>{texts.nonCompliant}</A>
          </Field>
        </Fields>
      </Card>
    </Cards>
  );
}

function Rule({ rule }: { rule: TagRule }) {
  const projects = useQuery(projectNamesQuery(usePlace()));
  const { name, project = null, key = null } = rule;
  const required = rule["required-keys"] ?? [];
  const values = rule["allowed-values"] ?? [];
  const home = projects.data?.find(({ value }) => value === project)?.label ?? project;
  return (
    <Card title={name}>
      <Fields>
        <Field name={texts.appliesTo}>{home === null ? texts.allWorkspaces : texts.projectNamed(home)}</Field>
        <Field name={texts.requiredKeys}>{required.length > 0 && <Words words={required} />}</Field>
        <Field name={key === null ? "" : texts.valuesOfKey(key)}>
          {key !== null &&
            (values.length > 0 ? <Words words={values} /> : <Pattern text={rule["value-pattern"] ?? ""} />)}
        </Field>
        <Field name={texts.namingPattern}>
          {(rule["naming-pattern"] ?? "") !== "" && <Pattern text={rule["naming-pattern"] ?? ""} />}
        </Field>
      </Fields>
    </Card>
  );
}

function Words({ words }: { words: readonly string[] }) {
  return (
    <span style={{ display: "inline-flex", flexWrap: "wrap", gap: 4 }}>
      {words.map((word) => (
        <Badge key={word} maw={260} title={word}>
          <bdi>{word}</bdi>
        </Badge>
      ))}
    </span>
  );
}

function Pattern({ text }: { text: string }) {
  return <span className="mono">{text}</span>;
}
