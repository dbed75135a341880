/** Accounts as JSON:API resources. */
import type { Account } from "./service.ts";

/** The resource of a token's account. Its id is the one that other resources refer to its holder by. */
export function renderAccount({ accessorId, createsOrganizations }: Account) {
  const id = userId(accessorId);
  return {
    id,
    type: "users",
    attributes: {
      username: accessorId,
      email: `${accessorId}@tokens.invalid`,
      "is-service-account": true,
      "auth-method": "token",
      "avatar-url": null,
      "v2-only": true,
      "unconfirmed-email": null,
      "two-factor": { enabled: false, verified: false },
      permissions: {
        "can-create-organizations": createsOrganizations,
        "can-change-email": false,
        "can-change-username": false,
        "can-manage-user-tokens": false,
        "can-view2fa-settings": false,
        "can-manage-hcp-account": false,
      },
    },
    relationships: {},
    links: { self: `/api/v2/users/${id}` },
  };
}

/** Id under which the holder of a token appears as a user. */
export function userId(accessorId: string): string {
  return `user-${accessorId}`;
}
