import type { Static } from "typebox";
import { apiRoutes, type ApiRoutes, type Registrar } from "../../../http/jsonapi/jsonapi.ts";
import { pageDocument, readPage } from "../../../http/jsonapi/pagination.ts";
import { renderWebhook } from "./render.ts";
import * as schema from "./schema.ts";
import type { AskFor } from "../../../outbound/targets.ts";
import * as service from "./service.ts";

const OF_ORGANIZATION = "/organizations/:organization_name/tag-webhooks";
const WEBHOOK = "/tag-webhooks/:webhook_id";

/** Webhooks. Their delivery state changes without a request, so their documents are read each time. */
export function tagWebhookRoutes(askFor: AskFor): ApiRoutes {
  return apiRoutes("Webhooks", (on) => {
    on.readOwn(OF_ORGANIZATION, {
      operationId: "listTagWebhooks",
      summary: "List webhooks",
      description: "Includes the state of their deliveries.",
      query: schema.listQuery,
      answer: schema.webhookList,
      handle: async (request) => {
        const page = readPage(request.query);
        const { webhooks, total } = await service.listOwned(request.ctx, request.params.organization_name, page);
        return pageDocument(request, page, { data: webhooks.map(renderWebhook), total });
      },
    });
    on.create(OF_ORGANIZATION, {
      operationId: "createTagWebhook",
      summary: "Create a webhook",
      description: "The webhook receives events that happen after its creation.",
      body: schema.createBody,
      answer: schema.webhookDocument,
      handle: async ({ ctx, params, body }) => {
        const { name, url } = body.data.attributes;
        const input = { ...readInput(body.data.attributes), name, url };
        return { data: renderWebhook(await service.createWebhook(ctx, params.organization_name, input)) };
      },
    });
    on.readOwn(WEBHOOK, {
      operationId: "readTagWebhook",
      summary: "Read a webhook",
      description: "Includes the state of its deliveries.",
      answer: schema.webhookDocument,
      handle: async ({ ctx, params }) => ({ data: renderWebhook(await service.readWebhook(ctx, params.webhook_id)) }),
    });
    on.patch(WEBHOOK, {
      operationId: "updateTagWebhook",
      summary: "Update a webhook",
      description: "Only the members in the body change. The delivery is retried immediately.",
      body: schema.updateBody,
      answer: schema.webhookDocument,
      handle: async ({ ctx, params, body }) => {
        const input = readInput(body.data.attributes ?? {});
        return { data: renderWebhook(await service.changeWebhook(ctx, params.webhook_id, input)) };
      },
    });
    on.delete(WEBHOOK, {
      operationId: "deleteTagWebhook",
      summary: "Delete a webhook",
      answer: "Deleted.",
      handle: ({ ctx, params }) => service.removeWebhook(ctx, params.webhook_id),
    });
    registerVerify(on, askFor);
  });
}

function registerVerify(on: Registrar, askFor: AskFor): void {
  const verify = service.createVerify(askFor);
  on.act(`${WEBHOOK}/actions/verify`, {
    operationId: "verifyTagWebhook",
    summary: "Send a test delivery to a webhook",
    description: "Sends a request without events. A response with 422 contains the reason of the failure.",
    answer: schema.verifiedDocument,
    refusals: [429],
    handle: async ({ ctx, params }) => {
      const { webhook, status } = await verify(ctx, params.webhook_id);
      return { data: renderWebhook(webhook), meta: { status } };
    },
  });
}

type Attributes = NonNullable<Static<typeof schema.updateBody>["data"]["attributes"]>;

/** Null asks for the default. */
function readInput({ name, url, enabled, token, kinds, actions }: Attributes): service.WebhookInput {
  return {
    name,
    url,
    enabled: enabled === null ? true : enabled,
    token,
    kinds: kinds === null ? [] : kinds,
    actions: actions === null ? [] : actions,
  };
}
