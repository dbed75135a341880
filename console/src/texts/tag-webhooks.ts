/** Texts of tag-webhooks. */
import { counted } from "./counted.ts";

const records = (count: number) => counted(count, "record", "records");

// Kind and navigation
export const secretOwner = "new webhook";

// List
export const listHint = "Send tag changes to other systems, in order and with retries.";
export const emptyHint = "Create a webhook to update an inventory, chat or pipeline.";
export const name = "Name";
export const url = "URL";
export const status = "Status";
export const pending = "Pending";
export const lastDelivery = "Last delivery";
export const never = "never";

// Status of a webhook
export const statusWorking = "working";
export const statusWaiting = "waiting";
export const statusFailing = "failing";
export const statusOff = "disabled";

// One webhook
export const details = "Details";
export const objects = "Objects";
export const allObjects = "All objects";
export const events = "Events";
export const allEvents = "All changes";
export const signingSecret = "Signing secret";
export const secretSet = "set";
export const secretNotSet = "not set";
export const changed = "Changed";
export const created = "Created";
export const deliveries = "Deliveries";
export const deliveriesFail = "Deliveries fail";
export const noResponse = "No response.";
export const lastResponse = "Last response";
export const failures = "Failures";
export const failuresHint = "Since the last successful delivery.";
export const failingSince = "Failing since";
export const nextRetry = "Next retry";
export const recordCount = records;
export const recordsSkipped = "Records skipped";
export const recordsSkippedHint = "Last time that records expired before their delivery.";
export const deleteWarning = (url: string, pending: number) =>
  [
    `The server stops deliveries to ${url}.`,
    pending === 0 ? "" : ` ${records(pending)} will not be delivered.`,
    " This cannot be undone.",
  ].join("");

// Objects and events
export const workspaces = "workspaces";
export const projects = "projects";
export const tags = "tags";
export const reservedKeys = "reserved tag keys";
export const tagPolicy = "tag policy";
export const tagsChanged = "tags changed";
export const objectCreated = "created";
export const objectUpdated = "changed";
export const objectRenamed = "renamed";
export const objectMerged = "merged";
export const objectDeleted = "deleted";
export const weeklyReport = "weekly report of the tag policy";

// Form
export const createHint = "Deliveries start with the next change.";
export const nameExample = "inventory";
export const nameInvalid = "Enter 1 to 255 characters.";
export const urlHint = "Target of POST requests. Private addresses require --outbound-allow on the server.";
export const urlExample = "https://hooks.example.com/tags";
export const urlInvalid = "Enter a URL that starts with https:// or http://.";
export const newSigningSecret = "New signing secret";
export const secretHint = "Signs each delivery. Without a secret, deliveries are unsigned.";
export const newSecretHint = "Leave empty to keep the current secret, which is never shown.";
export const generate = "Generate";
export const enabled = "Enabled";
export const enabledHint = "When you enable the webhook again, it sends the missed changes of the last 7 days.";

// Test delivery
export const test = "Test";
export const testTitle = "Test webhook";
export const testHint = (url: string) => `Sends a request without events to ${url}. Pending records stay pending.`;
export const delivered = (response: string) => `Delivered. Response: ${response}`;
export const notDelivered = "Delivery failed";
export const close = "Close";
export const sendTest = "Send test";
export const sendAgain = "Send again";
