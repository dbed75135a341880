/** A record of audit, as `GET /v1/audit` has it. */
export interface AuditRecord {
  readonly Time: string;
  readonly Outcome: "done" | "refused";
  readonly Action: string;
  readonly Kind: string;
  readonly ID: string;
  readonly Name?: string;
  readonly Namespace?: string;
  readonly Partition?: string;
  /** Name of the organization, for records of an organization. */
  readonly Organization?: string;
  readonly Actor: {
    readonly AccessorID?: string;
    readonly AuthMethod?: string;
    readonly Identity?: string;
    readonly Address?: string;
    readonly UserAgent?: string;
  };
  readonly RequestID?: string;
  readonly Route?: string;
  /** Reason that the client gave for the change. */
  readonly ChangeReason?: string;
  /** Changes in the delta format of jsondiffpatch. */
  readonly Changes?: unknown;
  readonly Detail?: Readonly<Record<string, unknown>>;
  /** Position in the hash chain, for tokens that see the whole chain. */
  readonly Chain?: string;
  readonly Seq?: number;
  readonly Hash?: string;
  /** Whether the record differs from the written one. Its content is then left out. */
  readonly Damaged?: boolean;
}
