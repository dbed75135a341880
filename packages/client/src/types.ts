/** Types of a call, worked out from those of its operation. */
import type { OPERATIONS, OperationId } from "./operations.ts";
import type { Pages } from "./pages.ts";
import type { Answer, RequestOptions } from "./send.ts";
import type { StreamedEvent } from "./streams.ts";
import type { OperationTypes } from "./types.gen.ts";
import type { WatchOptions } from "./watch.ts";

type Takes<K extends OperationId> = OperationTypes[K]["takes"];
type Statuses<K extends OperationId> = OperationTypes[K]["answers"];

/** Body of a successful response of an operation; includes undefined when the operation can return 204. */
export type BodyOf<K extends OperationId> =
  | Statuses<K>[keyof Statuses<K> & (200 | 201)]
  | (204 extends keyof Statuses<K> ? undefined : never);

/** An entry of what a list answers. */
export type ItemOf<K extends OperationId> =
  BodyOf<K> extends readonly (infer Item)[]
    ? Item
    : BodyOf<K> extends { data: readonly (infer Item)[] }
      ? Item
      : unknown;

/** Body of a request to an operation, such as the document of `/api/v2` to write. */
export type InputOf<K extends OperationId> = Takes<K> extends { body?: infer Body } ? Given<Body> : never;

/** A part that an operation does not take has the type `never`, which most projects read as `undefined` where it may be left out. */
type Given<Part> = Exclude<Part, undefined>;
type IsTaken<Part> = [Given<Part>] extends [never] ? false : true;

/** The name of a path's part as a caller gives it: `organization` for `organization_name`. */
type Short<Name> = Name extends `${infer Start}_name` | `${infer Start}_id` ? Camel<Start> : Name;
type Camel<Name> = Name extends `${infer Start}_${infer Rest}` ? `${Start}${Capitalize<Camel<Rest>>}` : Name;

type PathArguments<K extends OperationId> =
  Takes<K> extends { path: infer Path } ? { readonly [Name in keyof Path as Short<Name>]: Path[Name] } : object;
type BodyArgument<K extends OperationId> =
  Takes<K> extends { body: infer Body }
    ? { readonly body: Body }
    : IsTaken<InputOf<K>> extends true
      ? { readonly body?: InputOf<K> | undefined }
      : object;
/**
 * Query parameters are strings on the wire. Where the document has numbers or booleans, callers may pass them as such.
 */
type QueryArguments<K extends OperationId> =
  Takes<K> extends { query?: infer Query }
    ? IsTaken<Query> extends true
      ? { readonly [Name in keyof Given<Query>]?: Given<Query>[Name] | number | boolean | undefined }
      : object
    : object;

/** How a request is made, beside what it asks. */
export type Manner = Pick<RequestOptions, "headers" | "signal" | "timeout" | "retries">;

/** Arguments of a call: parts of the path, parameters of the query, the body, and settings of the request. */
export type ArgumentsOf<K extends OperationId> = PathArguments<K> & BodyArgument<K> & QueryArguments<K> & Manner;

/** Left out where nothing of it is needed. */
type Asked<T> = object extends T ? [asked?: T] : [asked: T];

type IsList<K> = K extends `list${string}` | "reportTagPolicy" ? true : false;
type CanWait<K extends OperationId> = (typeof OPERATIONS)[K] extends `${string} ${string} ${string}w` ? true : false;

/** A call of one operation. */
export type Call<K extends OperationId> = (K extends `stream${string}`
  ? (...asked: Asked<ArgumentsOf<K>>) => AsyncIterableIterator<StreamedEvent>
  : IsList<K> extends true
    ? (...asked: Asked<ArgumentsOf<K>>) => Pages<ItemOf<K>, BodyOf<K>>
    : (...asked: Asked<ArgumentsOf<K>>) => Promise<BodyOf<K>>) &
  (CanWait<K> extends true ? { readonly watch: WatchCall<K> } : object);

type WatchCall<K extends OperationId> = (
  ...asked: Asked<ArgumentsOf<K> & Pick<WatchOptions, "onReconnect">>
) => AsyncIterableIterator<Answer<BodyOf<K> | undefined>>;
