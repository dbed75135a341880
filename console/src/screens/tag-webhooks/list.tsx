import { ListScreen } from "../../kit/list-screen.tsx";
import { WEBHOOK_LIST } from "./list-of-webhooks.tsx";

/** The webhooks of the organization. */
export function WebhookList() {
  return <ListScreen list={WEBHOOK_LIST} />;
}
