/** The client of a Tessera server: every operation of both families, over what `fetch` there is. */
export { createClient, type Client, type ClientOptions } from "./client.ts";
export { ConnectionError, TesseraError, type ConnectionFault, type ErrorEntry } from "./errors.ts";
export { OPERATIONS, type OperationId } from "./operations.ts";
export type { Page, Pages } from "./pages.ts";
export type { Answer, RequestOptions } from "./send.ts";
export type { Query, Value } from "./address.ts";
export type { WatchOptions } from "./watch.ts";
export type { StreamedEvent, StreamOptions } from "./streams.ts";
export type { BodyOf, InputOf, ItemOf } from "./types.ts";
export type { OperationTypes } from "./types.gen.ts";
