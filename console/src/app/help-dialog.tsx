/** The keys, and where to read more. */
import { Anchor, Kbd, Modal, Stack, Table, Text } from "@mantine/core";

const KEYS: readonly (readonly [string, string])[] = [
  ["Ctrl K", "Go to a screen or an object, or do something"],
  ["?", "This help"],
  ["/", "Search in the list"],
  ["↑ ↓  or  J K", "Go through the rows"],
  ["Home End", "First and last row"],
  ["Enter", "Open the row"],
  ["X  or  Space", "Select the row"],
  ["Shift ↑ ↓", "Select several rows"],
  ["Ctrl Enter", "Save the form"],
  ["Esc", "Close what is open"],
];

/** The dialog. */
export function HelpDialog({ close }: { close: () => void }) {
  return (
    <Modal opened onClose={close} title="Keys" size="md">
      <Stack gap="md">
        <Table verticalSpacing={6}>
          <Table.Tbody>
            {KEYS.map(([keys, what]) => (
              <Table.Tr key={keys}>
                <Table.Td w={150}>
                  {keys.split(" ").map((key, index) =>
                    key === "" || key === "or" ? (
                      ` ${key} `
                    ) : (
                      <Kbd key={`${key}${index}`} size="xs" mr={4}>
                        {key}
                      </Kbd>
                    ),
                  )}
                </Table.Td>
                <Table.Td>{what}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Text size="sm" c="dimmed">
          Everything here can be done by the command <code>tessera</code> and by the{" "}
          <Anchor href="../docs" inherit underline="always">
            API
          </Anchor>
          : every form shows how.
        </Text>
      </Stack>
    </Modal>
  );
}
