/** Transient messages about completed actions. */
import { Notifications } from "@mantine/notifications";

/** Area for messages. Screen readers announce them. */
export function Messages() {
  return <Notifications position="bottom-right" limit={4} containerWidth={380} />;
}
