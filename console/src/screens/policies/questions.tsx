/** Questions that are answered while one types, against the draft: may whoever has only this policy do that? */
import { ActionIcon, Autocomplete, Button, Loader, Select, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { usePlace } from "../../base/place.ts";
import { Icon } from "../../kit/icons.tsx";
import form from "../../kit/form.module.css";
import classes from "./editor.module.css";
import { checkQuery, draftAnswersQuery, type Question } from "./queries.ts";
import { ASKED_RESOURCES, askedAccessesOf, hasNames } from "./rule-kinds.ts";
import { useNameChoices } from "./names.ts";
import * as texts from "../../texts/policies.ts";

/** As many as one request answers. */
const MOST = 64;

/** The panel. */
export function QuestionPanel({ rules }: { rules: string }) {
  const place = usePlace();
  const [questions, setQuestions] = useState<readonly Question[]>([]);
  const check = useQuery(checkQuery(place, rules));
  const isSound = check.data !== undefined && !check.isPlaceholderData && check.data.Errors.length === 0;
  const answers = useQuery({
    ...draftAnswersQuery(place, rules, questions),
    enabled: isSound && questions.length > 0,
  });
  const isCurrent = answers.data?.length === questions.length && isSound && !answers.isPlaceholderData;
  return (
    <section className={form.panel} aria-label={texts.checksTitle} style={{ marginTop: 16 }}>
      <div className={form.panelTitle}>{texts.checksTitle}</div>
      {questions.length === 0 && (
        <Text size="sm" c="dimmed" className={classes.row}>
          {texts.checksHint}
        </Text>
      )}
      <ul className={classes.rows} aria-live="polite" aria-label={texts.checksList}>
        {questions.map((question, index) => (
          <li className={classes.row} key={JSON.stringify(question)}>
            <Verdict allow={answers.data?.[index]?.Allow} isCurrent={isCurrent} />
            <span className={classes.grow}>
              {question.access} {question.resource} <b>{question.segment}</b>
              <RuleOf rule={answers.data?.[index]?.Rule} isCurrent={isCurrent} />
            </span>
            <ActionIcon
              aria-label={texts.checkRemove(question.access, question.resource, question.segment)}
              onClick={() => setQuestions(questions.filter((_each, at) => at !== index))}
            >
              <Icon name="close" size={14} />
            </ActionIcon>
          </li>
        ))}
      </ul>
      {answers.isError && (
        <Text size="sm" c="dimmed" className={classes.row}>
          {answers.error.message}
        </Text>
      )}
      {questions.length < MOST && <AskRow add={(question) => setQuestions(withOne(questions, question))} />}
    </section>
  );
}

function withOne(questions: readonly Question[], question: Question): readonly Question[] {
  const text = JSON.stringify(question);
  return questions.some((each) => JSON.stringify(each) === text) ? questions : [...questions, question];
}

function Verdict({ allow, isCurrent }: { allow: boolean | undefined; isCurrent: boolean }) {
  if (allow === undefined || !isCurrent) {
    return (
      <Text span size="sm" c="dimmed" miw={72}>
        …
      </Text>
    );
  }
  return (
    <Text span size="sm" fw={650} miw={72} c={allow ? "var(--added-text)" : "var(--removed-text)"}>
      <Icon name={allow ? "check" : "close"} size={13} style={{ verticalAlign: "-2px" }} />{" "}
      {allow ? texts.allowed : texts.denied}
    </Text>
  );
}

interface DecidingRule {
  readonly Resource: string;
  readonly Segment: string;
  readonly Prefix?: boolean | undefined;
  readonly Policy: string;
}

function RuleOf({ rule, isCurrent }: { rule: DecidingRule | undefined; isCurrent: boolean }) {
  if (rule === undefined || !isCurrent) return null;
  const { Resource, Segment, Prefix, Policy } = rule;
  return (
    <Text span size="xs" c="dimmed" display="block" className="mono">
      {Resource}
      {Prefix && "_prefix"} {Segment !== "" || Prefix ? `"${Segment}" ` : ""}→ {Policy}
    </Text>
  );
}

/** Not a form of its own: it stands in one. */
function AskRow({ add }: { add(question: Question): void }) {
  const [access, setAccess] = useState("read");
  const [resource, setResource] = useState("workspace");
  const [segment, setSegment] = useState("");
  const { names, isLooking } = useNameChoices(resource, segment);
  const ask = () => {
    add({ access, resource, segment: hasNames(resource) ? segment.trim() : "" });
    setSegment("");
  };
  return (
    <div className={classes.ask}>
      <Select
        aria-label={texts.access}
        data={askedAccessesOf(resource)}
        value={access}
        onChange={(value) => setAccess(value ?? "read")}
        allowDeselect={false}
      />
      <Select
        aria-label={texts.resource}
        data={ASKED_RESOURCES}
        value={resource}
        onChange={(value) => {
          setResource(value ?? "workspace");
          if (!askedAccessesOf(value ?? "").includes(access)) setAccess("read");
        }}
        allowDeselect={false}
        searchable
      />
      <Autocomplete
        aria-label={texts.resourceName}
        placeholder={hasNames(resource) ? texts.resourceNameExample : texts.resourceNameUnused}
        disabled={!hasNames(resource)}
        size="sm"
        data={names}
        rightSection={isLooking ? <Loader size={14} aria-label={texts.namesLoading} /> : undefined}
        filter={({ options }) => options}
        value={segment}
        onChange={setSegment}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          ask();
        }}
      />
      <Button variant="default" size="sm" onClick={ask}>
        {texts.check}
      </Button>
    </div>
  );
}
