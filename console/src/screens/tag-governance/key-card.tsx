/** Coverage of one required key: its values, the workspaces without it, and the projects that they are in. */
import { Button, Table, Text, TextInput, VisuallyHidden } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { usePlace } from "../../base/place.ts";
import { A } from "../../kit/link.tsx";
import { Card } from "../../kit/object-screen.tsx";
import { visible } from "../../kit/visible.ts";
import { ProjectName } from "../projects/project-input.tsx";
import { JobDialog } from "../tag-jobs/job-dialog.tsx";
import { askingFor } from "../workspaces/bindings.ts";
import { useMayTagWorkspaces } from "../workspaces/rights.ts";
import { Drift } from "./drift.tsx";
import { shareOf, type KeyCoverage } from "./queries.ts";
import classes from "./tag-governance.module.css";
import * as texts from "../../texts/tag-governance.ts";

interface KeyCardProps {
  readonly coverage: KeyCoverage;
  /** ID of the only project that counts; empty for all. */
  readonly project: string;
}

/** The card. Each number with a filter of its own links to its workspaces. */
export function KeyCard({ coverage, project }: KeyCardProps) {
  const { key, rules, workspaces, missing } = coverage;
  const place = usePlace();
  const failing = (of: string) => {
    const filters = { "filter[kind]": "required", "filter[key]": key, ...(of !== "" && { "filter[project][id]": of }) };
    return `${place.path("tag-policies")}?${new URLSearchParams(filters).toString()}`;
  };
  const lacking = coverage.projects.filter((each) => each.missing > 0);
  return (
    <Card title={visible(key)} tools={<Share coverage={coverage} />}>
      <Text size="xs" c="dimmed" mb="xs">
        {texts.requiredBy(rules)}
      </Text>
      {project === "" && <Drift of={key} />}
      {workspaces === 0 ? (
        <Text size="sm">{texts.noWorkspaces}</Text>
      ) : (
        <div className={classes.tables}>
          <Values coverage={coverage} project={project} missingTo={failing(project)} />
          {missing > 0 && <Projects of={key} projects={lacking} to={failing} />}
        </div>
      )}
    </Card>
  );
}

function Share({ coverage: { workspaces, missing } }: Pick<KeyCardProps, "coverage">) {
  if (workspaces === 0) return null;
  return (
    <Text size="sm" fw={550}>
      {texts.covered(shareOf({ workspaces, missing }), workspaces)}
    </Text>
  );
}

function Values({ coverage, project, missingTo }: KeyCardProps & { missingTo: string }) {
  const place = usePlace();
  const { key, workspaces, missing, values, other, "without-value": flat, "value-count": count, projects } = coverage;
  // A rule of one project counts the workspaces of that project alone.
  const [only, another] = projects;
  const of = project === "" && another === undefined ? (only?.id ?? "") : project;
  const having = (value: string) => {
    const filters = { ...askingFor([{ key, value }]), ...(of !== "" && { "filter[project][id]": of }) };
    return `${place.path("workspaces")}?${new URLSearchParams(filters).toString()}`;
  };
  const row = (name: ReactNode, number: number, tone: "plain" | "quiet" | "danger", to?: string) => ({
    name,
    number,
    tone,
    to,
  });
  const rows = [
    ...(missing > 0 ? [row(texts.missing, missing, "danger", missingTo)] : []),
    ...values.map((each) =>
      each.value === ""
        ? row(texts.emptyValue, each.workspaces, "plain")
        : row(visible(each.value), each.workspaces, "plain", having(each.value)),
    ),
    ...(flat > 0 ? [row(texts.withoutValue, flat, "quiet")] : []),
    ...(other > 0
      ? [row(count > values.length ? texts.other(count - values.length) : texts.othersUncounted, other, "quiet")]
      : []),
  ];
  return (
    <Table aria-label={texts.valuesOf(key)} className={classes.table}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{texts.value}</Table.Th>
          <Table.Th className={classes.numbers}>{texts.workspaces}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ name, number, tone, to }, index) => (
          // No two rows have one place, and values may be called as the others are.
          <Table.Tr key={index}>
            <Table.Td className={classes.name}>
              {to === undefined ? name : <A to={to}>{name}</A>}
              <span className={classes.bar} data-tone={tone} style={{ width: `${(100 * number) / workspaces}%` }} />
            </Table.Td>
            <Table.Td className={classes.numbers}>{number.toLocaleString()}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

interface ProjectsProps {
  readonly of: string;
  readonly projects: KeyCoverage["projects"];
  /** Returns the path of the workspaces without the key in a project. */
  to(project: string): string;
}

function Projects({ of, projects, to }: ProjectsProps) {
  const mayTag = useMayTagWorkspaces();
  const [chosen, choose] = useState<string>();
  const place = usePlace();
  const all = `${place.path("tag-governance", "projects")}?${new URLSearchParams({ "filter[key]": of }).toString()}`;
  return (
    <div>
      <Table aria-label={texts.projectsOf(of)} className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.projectTitle}</Table.Th>
            <Table.Th className={classes.numbers}>{texts.missing}</Table.Th>
            {mayTag && (
              <Table.Th className={classes.numbers}>
                <VisuallyHidden>{texts.setKey}</VisuallyHidden>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {projects.map(({ id, workspaces, missing }) => (
            <Table.Tr key={id}>
              <Table.Td className={classes.name}>
                <A to={to(id)}>
                  <ProjectName id={id} />
                </A>
              </Table.Td>
              <Table.Td className={classes.numbers}>{texts.missingOf(missing, workspaces)}</Table.Td>
              {mayTag && (
                <Table.Td className={classes.numbers}>
                  <Button variant="default" size="compact-xs" onClick={() => choose(id)}>
                    {texts.setKey}
                  </Button>
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="xs" mt="xs">
        <A to={all}>{texts.allProjectsOf(of)}</A>
      </Text>
      {chosen !== undefined && <SetKey of={of} project={chosen} close={() => choose(undefined)} />}
    </div>
  );
}

/** Bulk job that sets a key on the workspaces of a project that lack it. None of them inherits it: then none would lack it. */
function SetKey({ of, project, close }: { of: string; project: string; close: () => void }) {
  const [value, setValue] = useState("");
  const tags = [{ name: of, value: value.trim() }];
  return (
    <JobDialog
      title={texts.setKeyTitle(of)}
      startLabel={texts.start}
      isOpen
      close={close}
      attributes={
        value.trim() === ""
          ? undefined
          : { action: "add", tags, filter: { workspaces: { project, "exclude-tags": [of] } } }
      }
    >
      <TextInput
        label={texts.value}
        description={texts.setKeyEffect}
        value={value}
        onChange={(event) => setValue(event.currentTarget.value)}
        data-autofocus
      />
    </JobDialog>
  );
}
