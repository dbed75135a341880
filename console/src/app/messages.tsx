/** Transient messages about completed actions. */
import { Notifications } from "@mantine/notifications";

/** The place of the messages, which a screen reader is told of too. */
export function Messages() {
  return <Notifications position="bottom-right" limit={4} containerWidth={380} />;
}
