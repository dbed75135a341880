/** A lost race: what others changed and what is changed here, side by side; nothing is written over unseen. */
import { Alert, Button, Group, Table, Text } from "@mantine/core";
import { Difference } from "./changes.tsx";
import classes from "./form.module.css";
import { isSame, textOf } from "./members.ts";
import * as texts from "../texts/kit-forms.ts";

interface RaceProps<V> {
  readonly base: V;
  readonly theirs: V;
  readonly mine: V;
  /** Goes on with these values, over what the object is now. */
  merge(values: V): void;
}

/** Both changes, and the ways to go on. */
export function Race<V extends object>({ base, theirs, mine, merge }: RaceProps<V>) {
  const names = (Object.keys(base) as (keyof V & string)[]).filter(
    (name) => !isSame(base[name], theirs[name]) || !isSame(base[name], mine[name]),
  );
  const both = names.filter((name) => !isSame(base[name], theirs[name]) && !isSame(base[name], mine[name]));
  const mineOnTop = () => {
    const changed = names.filter((name) => !isSame(base[name], mine[name]));
    merge({ ...theirs, ...Object.fromEntries(changed.map((name) => [name, mine[name]])) });
  };
  return (
    <Alert variant="outline" color="yellow" role="alert" title={texts.conflictTitle}>
      <Text size="sm" mb="xs">
        {both.length === 0 ? texts.conflictOtherFields : texts.conflictFields(both.join(", "))}
      </Text>
      <div className={classes.race}>
        <Table verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{texts.conflictField}</Table.Th>
              <Table.Th>{texts.currentVersion}</Table.Th>
              <Table.Th>{texts.yourVersion}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {names.map((name) => (
              <Table.Tr key={name}>
                <Table.Td>{name}</Table.Td>
                <Table.Td>{side(base[name], theirs[name])}</Table.Td>
                <Table.Td>{side(base[name], mine[name])}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      <Group gap="xs" mt="sm">
        <Button onClick={mineOnTop}>{texts.applyMine}</Button>
        <Button variant="default" onClick={() => merge(theirs)}>
          {texts.discardMine}
        </Button>
      </Group>
    </Alert>
  );
}

function side(before: unknown, after: unknown) {
  if (isSame(before, after)) {
    return (
      <Text size="xs" c="dimmed">
        {texts.unchanged}
      </Text>
    );
  }
  return <Difference before={textOf(before)} after={textOf(after)} />;
}
