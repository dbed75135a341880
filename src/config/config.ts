import type { LOG_LEVELS } from "./options.ts";
import type { DatabaseLocation, ListenAddress } from "./values.ts";

export type LogLevel = (typeof LOG_LEVELS)[number];

export interface Config {
  listen: ListenAddress;
  /** File that receives the real address as a URL. */
  addressFile: string | undefined;
  dataDir: string;
  database: DatabaseLocation;
  /** URL of a PostgreSQL replica that answers stale reads. */
  replica: string | undefined;
  /** How a change reaches the other servers of a PostgreSQL database. */
  feed: "notify" | "poll";
  /** How many processes share the port; with 1, the only one is the server. */
  processes: number;
  tls: { certFile: string; keyFile: string } | undefined;
  /** Where the master key lies; undefined means the default in the data directory. */
  keyFile: string | undefined;
  bootstrap: "auto" | "manual";
  bootstrapSecret: string | undefined;
  /** SecretID of the first management token; never logged. */
  initialManagementToken: string | undefined;
  edition: "enterprise" | "community";
  defaultPolicy: "deny" | "allow";
  /** Whether `/metrics` is answered without a token. */
  metricsOpen: boolean;
  datacenter: string;
  /** How many blocking queries and event streams one token may have open. */
  waitsPerToken: number;
  /** The same of one address without a token. */
  waitsPerAddress: number;
  /** Auth methods that one namespace may hold. */
  maxAuthMethods: number;
  /** Connections that clients may have open; undefined for what the limit on open files leaves room for. */
  maxConnections: number | undefined;
  /** Bytes of answers that may be on their way to clients, all together; undefined for 256 MiB. */
  maxSendingBytes: number | undefined;
  /** Refused logins a minute of one auth method, address and claimed subject; 0 for no limit, as in the next ones. */
  loginFailureLimit: number;
  /** Logins a minute of one identity, and by one auth method. */
  loginLimitPerIdentity: number;
  loginLimitPerMethod: number;
  /** Living login tokens of one identity. */
  loginTokensPerIdentity: number;
  /** Nanoseconds that tokens of logins live whose method says nothing; 0 for ever, undefined for what is usual for its type. */
  defaultLoginTtl: bigint | undefined;
  /** Milliseconds for which a server that stops still accepts connections. */
  drainDelay: number;
  /** Networks that auth methods may connect to beside public addresses. */
  outboundAllow: string[];
  /** Addresses of DNS servers, with a port where it is not 53; none for those of the system. */
  nameServers: string[];
  /** Without a slash at its end. */
  publicUrl: string | undefined;
  trustedProxies: string[];
  /** Lower case, without port. */
  allowedHosts: string[];
  allowInsecure: boolean;
  /** Whether an empty database may be begun beside a master key that has sealed another. */
  allowEmptyDatabase: boolean;
  accessLog: boolean;
  logLevel: LogLevel;
  /** One line each, for the log at start. */
  warnings: string[];
}
