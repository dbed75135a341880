/** Requests to the decision point of an application. */
import type { Answer } from "./api.ts";
import { MANAGEMENT, type V1 } from "./v1.ts";

export interface Sent {
  /** Empty for none. */
  token?: string;
  /** Media type of the body; empty for none. */
  type?: string | undefined;
  /** Request ID of the client. */
  id?: string;
}

export type Ask = (url: string, body: unknown, sent?: Sent) => Promise<Answer>;

/** @returns a function that sends a body, as text where it is one */
export function pointOf(v1: V1): Ask {
  return (url, body, { token = MANAGEMENT, type = "application/json", id } = {}) =>
    v1.send({
      method: "POST",
      url,
      headers: {
        ...(token !== "" && { authorization: `Bearer ${token}` }),
        ...(type !== "" && { "content-type": type }),
        ...(id !== undefined && { "x-request-id": id }),
      },
      payload: typeof body === "string" ? body : JSON.stringify(body),
    });
}
