// Made by `npm run generate:client` from the server's own document; do not edit.
// Structure: d340ccd09f3890380336dd7e27b89491

export type ClientOptions = {
    baseUrl: `${string}://${string}` | (string & {});
};

/**
 * Change of the access to a name, and the number of subjects that it affects.
 */
export type AccessChange = {
    /**
     * Value of the parameter `change`.
     */
    ID: string;
    Resource: string;
    Segment?: string;
    /**
     * Whether the permission applies to all names with this prefix that no other rule matches.
     */
    Prefix?: true;
    /**
     * Highest access before, or `deny`.
     */
    From: string;
    /**
     * Highest access after, or `deny`.
     */
    To: string;
    Namespace?: string;
    NamespacePrefix?: true;
    Partition?: string;
    PartitionPrefix?: true;
    Roles: number;
    BindingRules: number;
    Tokens: number;
};

export type AccessDecision = {
    decision: boolean;
    /**
     * Reason of the decision, or error of an item.
     */
    context?: ListAuditEntry;
};

export type AccessDecisions = {
    evaluations?: Array<AccessDecision>;
    decision?: boolean;
};

export type ActionSearch = {
    subject: DecisionEntity;
    resource: DecisionEntity;
    /**
     * Environment. Not used.
     */
    context?: ListAuditEntry;
    page?: SearchPage;
};

export type AddTagWorkspacesBody = {
    data: Array<{
        type: 'workspaces';
        id: string;
    }>;
};

export type AddWorkspaceTagsBody = {
    data: Array<TagReference>;
};

export type AlikeTag = {
    /**
     * Common form of the names.
     */
    id: string;
    type: 'alike-tags';
    attributes: {
        /**
         * Number of tags in the group.
         */
        'tag-count': number;
        /**
         * First 100 tags, the suggested merge target first.
         */
        tags: Array<{
            id: string;
            name: string;
            'instance-count': number;
        }>;
    };
    relationships: {
        keep: {
            data: {
                /**
                 * Most used tag; if equal, the shortest, then the oldest.
                 */
                id: string;
                type: 'tags';
            };
        };
    };
};

export type AlikeTagPage = {
    data: Array<AlikeTag>;
    links: PageLinks;
    meta: {
        pagination: Pagination;
        'is-complete': boolean;
    };
};

export type AuthMethod = {
    Name: string;
    Type: 'aws-iam' | 'jwt' | 'kubernetes' | 'oidc';
    DisplayName?: string;
    Description?: string;
    MaxTokenTTL?: string;
    TokenLocality?: 'local' | 'global';
    Namespace?: string;
    Partition?: string;
    CreateIndex: number;
    ModifyIndex: number;
    Config: {
        [key: string]: unknown;
    };
    NamespaceRules?: Array<NamespaceRule>;
};

export type AuthMethodBody = {
    Name?: string;
    /**
     * Empty: the configuration of the stored auth method.
     */
    Type?: '' | 'aws-iam' | 'jwt' | 'kubernetes' | 'oidc';
    /**
     * 8192 bytes at most.
     */
    DisplayName?: string;
    /**
     * 8192 bytes at most.
     */
    Description?: string;
    /**
     * A duration such as 1h30m.
     */
    MaxTokenTTL?: string;
    TokenLocality?: '' | 'local' | 'global';
    /**
     * Not supported. Must be empty.
     */
    TokenNameFormat?: string;
    Namespace?: string;
    Partition?: string;
    readonly CreateIndex?: number;
    readonly ModifyIndex?: number;
    Config?: {
        [key: string]: unknown;
    };
    NamespaceRules?: Array<NamespaceRuleBody>;
};

/**
 * Unsaved auth method, in place of `AuthMethod`. Requires acl:write.
 */
export type AuthMethodDraft = {
    Type?: 'aws-iam' | 'jwt' | 'kubernetes' | 'oidc';
    Config?: {
        [key: string]: unknown;
    };
};

/**
 * First auth methods that would reject more logins if their Config were saved again, with the differences. Up to 256 are checked.
 */
export type AuthMethodsReadAsBefore = {
    First: Array<{
        Name: string;
        Namespace: string;
        Differences: Array<string>;
    }>;
    More?: boolean;
};

export type BindingRule = {
    ID: string;
    Description: string;
    AuthMethod: string;
    Selector?: string;
    BindType: 'service' | 'node' | 'role' | 'policy' | 'templated-policy';
    BindName: string;
    BindVars?: PreviewTemplatedPolicyBody;
    Namespace?: string;
    Partition?: string;
    CreateIndex: number;
    ModifyIndex: number;
};

export type BindingRuleBody = {
    ID?: string;
    /**
     * 8192 bytes at most.
     */
    Description?: string;
    AuthMethod?: string;
    Selector?: string;
    BindType?: 'service' | 'node' | 'role' | 'policy' | 'templated-policy';
    BindName?: string;
    BindVars?: PreviewTemplatedPolicyBody;
    Namespace?: string;
    Partition?: string;
    readonly CreateIndex?: number;
    readonly ModifyIndex?: number;
};

/**
 * Unsaved binding rule. Without `BindName`, only its selector is evaluated.
 */
export type BindingRuleDraft = {
    Selector?: string;
    BindType?: 'service' | 'node' | 'role' | 'policy' | 'templated-policy';
    BindName?: string;
    BindVars?: PreviewTemplatedPolicyBody;
};

export type BindingRuleToCheck = {
    ID?: string;
    /**
     * 8192 bytes at most.
     */
    Description?: string;
    AuthMethod?: string;
    Selector?: string;
    BindType?: 'service' | 'node' | 'role' | 'policy' | 'templated-policy';
    BindName?: string;
    BindVars?: PreviewTemplatedPolicyBody;
    Namespace?: string;
    Partition?: string;
    readonly CreateIndex?: number;
    readonly ModifyIndex?: number;
    Method?: AuthMethodBody;
};

export type BootstrapBody = {
    /**
     * SecretID for the new token.
     */
    BootstrapSecret?: string;
};

export type BootstrapToken = {
    /**
     * SecretID, for old clients.
     */
    ID: string;
} & Token;

/**
 * Tokens not used for 90 days, counted up to 10,000.
 */
export type BoundedCount = {
    Count: number;
    More?: boolean;
};

export type CheckPolicyAnswer = {
    Errors: Array<Finding>;
    Warnings: Array<Finding>;
};

export type CheckTagPolicyBody = {
    data: {
        type: 'tag-policies';
        id?: string;
        attributes: {
            /**
             * advise: violations are accepted and returned in meta.warnings. refuse: violations get 422.
             */
            enforce?: 'advise' | 'refuse';
            rules: Array<TagRule>;
        };
    };
};

export type ConsoleSessions = Array<ListSessionsEntry>;

export type CountAuditDaysAnswer = {
    /**
     * Oldest first.
     */
    Days: Array<{
        /**
         * Day in UTC.
         */
        Day: string;
        /**
         * Records of changes and other actions.
         */
        Writes: number;
        /**
         * Records of logins.
         */
        Logins: number;
        /**
         * Denied requests, including identical ones that share a record.
         */
        Refusals: number;
    }>;
    /**
     * Whether earlier days are missing: at most 50,000 records are counted.
     */
    More?: boolean;
};

export type CountTokensAnswer = {
    /**
     * Tokens by the time until they expire: `1d`, `7d`, `30d`, `90d`, `365d`, `later`, `never`.
     */
    Expiration: Array<TokenBucket>;
    /**
     * Tokens by the time since their last use: `1d` to `365d`, `earlier`, `never`.
     */
    LastUse: Array<TokenBucket>;
    /**
     * Whether there are more than 100,000 tokens.
     */
    More?: boolean;
};

/**
 * Tokens with the role; of a policy, tokens that have it through its first 100 roles, each counted once.
 */
export type CountedTokens = {
    /**
     * Number of objects, counted up to 10,000.
     */
    Count: number;
    /**
     * Whether there are more.
     */
    More?: boolean;
};

export type CreateDeclarationAnswer = {
    ID: string;
    Name: string;
    Description: string;
    /**
     * Kind and path of each object that the directory manages.
     */
    Objects: Array<string>;
    Namespace?: string;
    Partition?: string;
    CreateIndex: number;
    ModifyIndex: number;
};

export type CreateDeclarationBody = {
    ID?: string;
    Name?: string;
    /**
     * 8192 bytes at most.
     */
    Description?: string;
    /**
     * At most 921600 bytes as JSON.
     */
    Objects?: Array<string>;
    Namespace?: string;
    Partition?: string;
    readonly CreateIndex?: number;
    readonly ModifyIndex?: number;
};

export type CreateOrganizationBody = {
    data: {
        type: 'organizations';
        id?: string;
        attributes: {
            /**
             * At most 90 letters, digits, hyphens and underscores. Unique, ignoring case.
             */
            name: string;
            email: string;
        } & OrganizationSettings;
        relationships?: {
            'default-agent-pool'?: NoAgentPool;
        };
    };
};

export type CreateProjectBody = {
    data: {
        type: 'projects';
        id?: string;
        attributes: {
            /**
             * 3 to 40 letters, digits, spaces, hyphens and underscores; no space at either end. Unique, ignoring case.
             */
            name: string;
        } & ProjectSettings;
        relationships?: {
            'default-agent-pool'?: NoAgentPool;
            'tag-bindings'?: TagBindingsRelationship;
        };
    };
};

export type CreateReservedTagKeyBody = {
    data: {
        type: 'reserved-tag-keys';
        id?: string;
        attributes: {
            /**
             * Tag key.
             */
            key: string;
            /**
             * Whether workspaces may not override the value of their project.
             */
            'disable-overrides'?: boolean;
        };
    };
};

export type CreateTagJobBody = {
    data: {
        type: 'tag-jobs';
        id?: string;
        attributes: {
            action: 'add' | 'remove' | 'set-value' | 'rename' | 'merge' | 'delete';
            /**
             * Tags; with a value, tag keys.
             */
            tags?: Array<{
                name: string;
                value?: string;
            }>;
            /**
             * remove: kind of tag to remove. Default: any.
             */
            as?: 'any' | 'tag' | 'binding';
            /**
             * rename, merge: new name.
             */
            to?: string;
            filter?: TagJobFilter;
        };
    };
};

export type CreateTagWebhookBody = {
    data: {
        type: 'tag-webhooks';
        id?: string;
        attributes: {
            /**
             * Display name; need not be unique.
             */
            name: string;
            /**
             * URL (https or http) that receives the records.
             */
            url: string;
        } & TagWebhookSettings;
    };
};

export type CreateTagsBody = {
    data: Array<{
        type: 'tags';
        attributes: {
            name: string;
        };
    }>;
};

export type CreateWorkspaceBody = {
    data: {
        type: 'workspaces';
        id?: string;
        attributes?: {
            name?: string;
            'allow-destroy-plan'?: boolean | null;
            'assessments-enabled'?: boolean | null;
            'auto-apply'?: boolean | null;
            'auto-apply-run-trigger'?: boolean | null;
            'auto-destroy-at'?: string | null;
            'auto-destroy-activity-duration'?: string | null;
            'inherits-project-auto-destroy'?: boolean | null;
            description?: string | null;
            'file-triggers-enabled'?: boolean | null;
            'global-remote-state'?: boolean | null;
            'project-remote-state'?: boolean | null;
            'hyok-enabled'?: boolean | null;
            'migration-environment'?: string | null;
            'queue-all-runs'?: boolean | null;
            'speculative-enabled'?: boolean | null;
            'source-name'?: string | null;
            'source-url'?: string | null;
            'structured-run-output-enabled'?: boolean | null;
            'terraform-version'?: string | null;
            'trigger-patterns'?: Array<string> | null;
            'trigger-prefixes'?: Array<string> | null;
            'working-directory'?: string | null;
            'execution-mode'?: string | null;
            operations?: boolean | null;
            'setting-overwrites'?: {
                'execution-mode'?: boolean | null;
                'agent-pool'?: boolean | null;
            } | null;
            'agent-pool-id'?: string | null;
            'vcs-repo'?: unknown;
        };
        relationships?: {
            project?: {
                data?: {
                    type: 'projects';
                    id: string;
                } | null;
            };
            tags?: {
                data?: Array<TagReference>;
            };
            'tag-bindings'?: TagBindingsRelationship;
        };
    };
};

export type DecidingLink = {
    Kind: 'direct' | 'role' | 'identity' | 'default';
    ID?: string;
    Name?: string;
    Namespace?: string;
    Role?: string;
    /**
     * Binding rules of the login that granted it.
     */
    BindingRules?: Array<{
        ID: string;
        AuthMethod?: string;
        Selector?: string;
    }>;
};

export type DecidingPolicy = {
    /**
     * ID of the policy; `hidden` if the caller may not read it.
     */
    ID: string;
    Name: string;
    Namespace?: string;
    Partition?: string;
    /**
     * Position of the rule in the policy.
     */
    Places?: Array<{
        Line: number;
        Column: number;
    }>;
    /**
     * Path from the subject to the policy.
     */
    Links: Array<DecidingLink>;
};

export type DecidingRule = {
    Resource: string;
    Segment: string;
    Prefix?: true;
    Policy: string;
};

export type Decision = {
    Resource: string;
    Access: string;
    Segment?: string;
    Namespace?: string;
    Partition?: string;
    Allow: boolean;
    Explain?: {
        DecidedBy: 'direct' | 'default' | 'default-policy';
        Rule?: DecidingRule;
        Policies?: Array<{
            ID: string;
            Name: string;
            Links: Array<{
                Kind: string;
                Name?: string;
                Namespace?: string;
                Role?: string;
            }>;
        }>;
    };
};

export type DecisionAction = {
    name: string;
    /**
     * Attributes with any names.
     */
    properties?: ListAuditEntry;
};

export type DecisionEntity = {
    type: string;
    id: string;
    /**
     * Attributes with any names.
     */
    properties?: ListAuditEntry;
};

export type DecisionError = {
    error: string;
};

export type DecisionMapping = {
    Name: string;
    Description?: string;
    SubjectTypes: Array<SubjectType>;
    ResourceTypes: Array<ResourceType>;
    Namespace?: string;
    Partition?: string;
    CreateIndex: number;
    ModifyIndex: number;
};

export type DecisionMappingBody = {
    Name?: string;
    /**
     * 8192 bytes at most.
     */
    Description?: string;
    /**
     * At most 65536 bytes as JSON.
     */
    SubjectTypes?: Array<SubjectTypeBody>;
    /**
     * At most 131072 bytes as JSON.
     */
    ResourceTypes?: Array<ResourceTypeBody>;
    Namespace?: string;
    Partition?: string;
    readonly CreateIndex?: number;
    readonly ModifyIndex?: number;
};

export type DeleteTagsBody = {
    data: Array<{
        type: 'tags';
        id: string;
    }>;
};

export type DeletedBindingRule = {
    ID?: string;
};

export type DiscoverServicesAnswer = {
    'modules.v1': string;
    'tfe.v2': string;
    'tfe.v2.1': string;
    'tfe.v2.2': string;
};

export type EffectBody = {
    Policies?: Array<PolicyBody>;
    Roles?: Array<RoleBody>;
    Tokens?: Array<TokenBody>;
    DeletedPolicies?: Array<LinkBody>;
    DeletedRoles?: Array<LinkBody>;
    Namespaces?: Array<NamespaceBody>;
    Namespace?: string;
    Partition?: string;
};

export type EffectCount = {
    Gain: number;
    Lose: number;
};

export type EffectEntry = {
    Kind: 'role' | 'token' | 'binding-rule';
    /**
     * ID; AccessorID of a token.
     */
    ID: string;
    Name?: string;
    /**
     * Description of a binding rule.
     */
    Description?: string;
    Namespace?: string;
    Partition?: string;
    /**
     * The first 20.
     */
    Gains: Array<Right>;
    /**
     * The first 20.
     */
    Losses: Array<Right>;
    GainCount: number;
    LossCount: number;
    /**
     * Positions in the list `Changes` of the response.
     */
    Changes: Array<number>;
    AuthMethod?: string;
    Selector?: string;
};

export type EffectiveCell = {
    /**
     * Accesses that this rule decides.
     */
    Accesses: Array<'read' | 'list' | 'write'>;
    /**
     * Allowed accesses.
     */
    Allowed: Array<'read' | 'list' | 'write'>;
    DecidedBy: 'direct' | 'default' | 'default-policy';
    Rule?: DecidingRule;
    Path?: Array<DecidingPolicy>;
};

export type EffectiveRow = {
    Resource: string;
    Segment?: string;
    /**
     * Whether the row applies to all names with this prefix that no closer row matches.
     */
    Prefix?: true;
    Namespace?: string;
    Partition?: string;
    /**
     * Whether the row applies to all namespaces with this prefix that have no closer row.
     */
    NamespacePrefix?: true;
    /**
     * Whether the row applies to all partitions with this prefix that have no closer row.
     */
    PartitionPrefix?: true;
    Decisions: Array<EffectiveCell>;
    /**
     * Decisions about the second subject.
     */
    With?: Array<EffectiveCell>;
    /**
     * Whether an access is allowed to only one of the subjects.
     */
    Differs?: true;
};

export type EffectiveSubject = {
    AccessorID?: string;
    AuthMethod?: string;
    Role?: Link;
    Namespace?: string;
    Partition?: string;
    /**
     * Binding rules without effect on the table: their grants depend on the identity.
     */
    Computed?: Array<{
        ID: string;
        BindType: string;
        BindName: string;
        Selector?: string;
    }>;
};

export type EffectiveTagBinding = {
    id: string;
    type: 'effective-tag-bindings';
    attributes: {
        key: string;
        value: string;
    };
    relationships?: {
        'inherited-from': ToProject;
    };
    links?: {
        'inherited-from': string;
    };
};

export type EffectiveTagBindingList = {
    data: Array<EffectiveTagBinding>;
};

export type EntitlementSet = {
    /**
     * External ID of the organization.
     */
    id: string;
    type: 'entitlement-sets';
    attributes: {
        operations: boolean;
        'state-storage': boolean;
        agents: boolean;
        'audit-logging': boolean;
        'cost-estimation': boolean;
        'global-run-tasks': boolean;
        'private-module-registry': boolean;
        'private-run-tasks': boolean;
        'run-tasks': boolean;
        sentinel: boolean;
        sso: boolean;
        teams: boolean;
        'vcs-integrations': boolean;
        'waypoint-actions': boolean;
        'waypoint-templates-and-addons': boolean;
    };
    links: SelfLink;
};

export type EntitlementSetDocument = {
    data: EntitlementSet;
};

export type ErrorDocument = {
    errors: Array<ErrorEntry>;
};

export type ErrorEntry = {
    status: string;
    title: string;
    detail?: string;
    source?: {
        pointer: string;
    };
};

export type EvaluationItem = {
    subject?: DecisionEntity;
    action?: DecisionAction;
    resource?: DecisionEntity;
    /**
     * Environment. Not used.
     */
    context?: ListAuditEntry;
};

export type EvaluationRequest = {
    subject: DecisionEntity;
    action: DecisionAction;
    resource: DecisionEntity;
    /**
     * Environment. Not used.
     */
    context?: ListAuditEntry;
};

export type EvaluationsRequest = {
    subject?: DecisionEntity;
    action?: DecisionAction;
    resource?: DecisionEntity;
    /**
     * Environment. Not used.
     */
    context?: ListAuditEntry;
    evaluations?: Array<EvaluationItem>;
    options?: {
        /**
         * execute_all, deny_on_first_deny or permit_on_first_permit.
         */
        evaluations_semantic?: string;
    };
};

export type ExpandedToken = Token & {
    ExpandedPolicies?: Array<Policy> | null;
    ExpandedRoles?: Array<Role> | null;
    NamespaceDefaultPolicyIDs?: Array<string> | null;
    NamespaceDefaultRoleIDs?: Array<string> | null;
    AgentACLDefaultPolicy?: string;
    AgentACLDownPolicy?: string;
    ResolvedByAgent?: string;
};

export type ExplainDecisionsAnswer = {
    AccessorID?: string;
    AuthMethod?: string;
    Role?: Link;
    /**
     * Reason why a login would be denied, or the time at which the token was disabled.
     */
    Refusal?: string;
    Answers: Array<ExplainedDecision>;
};

export type ExplainDecisionsBody = {
    AccessorID?: string;
    RoleID?: string;
    RoleName?: string;
    AuthMethod?: string;
    /**
     * Rules of an unsaved policy, which is named `draft` in the paths.
     */
    Rules?: string;
    BearerToken?: string;
    Identity?: {
        [key: string]: unknown;
    };
    Questions?: Array<ExplainQuestion>;
    Namespace?: string;
    Partition?: string;
};

export type ExplainLoginBody = {
    AuthMethod?: string;
    Method?: AuthMethodDraft;
    BearerToken?: string;
    Identity?: {
        [key: string]: unknown;
    };
    BindingRule?: BindingRuleDraft;
    Namespace?: string;
    Partition?: string;
};

export type ExplainQuestion = {
    Resource?: string;
    Segment?: string;
    Access?: string;
    Namespace?: string;
    Partition?: string;
    /**
     * Method and path instead of the other members, such as `PATCH /api/v2/workspaces/ws-1`.
     */
    Request?: string;
};

export type ExplainRefusalAnswer = {
    RequestID: string;
    /**
     * Time of the audit record, or of the last denial if the record is not written yet.
     */
    At: string;
    Action: 'read' | 'write' | 'login' | 'authenticate';
    AccessorID?: string;
    /**
     * Number of identical denied requests within the minute.
     */
    Count: number;
    /**
     * Requested access, and the current decision.
     */
    Question?: ExplainedDecision;
    TokenIsGone?: true;
    Login?: {
        AuthMethod: string;
        Reason: string;
        BindingRule?: string;
    };
};

export type ExplainedBindingRule = {
    ID: string;
    Verdict: 'matched' | 'not matched' | 'failed';
    Reason: string;
    BindType?: 'service' | 'node' | 'role' | 'policy' | 'templated-policy';
    /**
     * Name that the template of the rule returns.
     */
    BindName?: string;
    Conditions?: SelectorConditions;
};

export type ExplainedDecision = {
    Resource?: string;
    Segment?: string;
    Access?: string;
    Namespace?: string;
    Partition?: string;
    Request?: string;
    /**
     * Absent if the path names no object that the caller may read.
     */
    Allow?: boolean;
    /**
     * `login`: the login of the identity would be denied. `disabled`: the token is disabled.
     */
    DecidedBy?: 'direct' | 'default' | 'default-policy' | 'login' | 'disabled';
    Rule?: DecidingRule;
    Path?: Array<DecidingPolicy>;
    Wanted?: WantedRule;
};

/**
 * Result for the binding rule in the request.
 */
export type ExplainedDraft = {
    Verdict: 'matched' | 'not matched' | 'failed';
    Reason: string;
    BindType?: 'service' | 'node' | 'role' | 'policy' | 'templated-policy';
    /**
     * Name that the template of the rule returns.
     */
    BindName?: string;
};

export type FindLeakedTokensAnswer = {
    Live: Array<{
        /**
         * Position in the list of the request, from 0.
         */
        Position: number;
        AccessorID: string;
        /**
         * Whether the secret was rotated and is valid only for the overlap.
         */
        Old: boolean;
        Namespace?: string;
        Partition?: string;
    }>;
};

export type FindLeakedTokensBody = {
    /**
     * Maximum 1,000.
     */
    Secrets?: Array<string>;
};

export type Finding = {
    /**
     * `invalid` for errors; for warnings, the code of the finding.
     */
    Code: string;
    Message: string;
    /**
     * Member of the body.
     */
    Member: string;
    /**
     * Line in the text of the member, from 1.
     */
    Line?: number;
    /**
     * Column in characters, from 1.
     */
    Column?: number;
    DidYouMean?: string;
};

export type FinishOidcLoginBody = {
    AuthMethod?: string;
    State?: string;
    Code?: string;
    ClientNonce?: string;
    Namespace?: string;
    Partition?: string;
};

export type FoundActions = {
    page?: SearchedPage;
    results: Array<{
        name: string;
    }>;
};

export type FoundEntities = {
    page?: SearchedPage;
    /**
     * `search`: `rules` where results are names in policy rules, not stored objects.
     */
    context?: ListAuditEntry;
    results: Array<FoundEntity>;
};

export type FoundEntity = {
    type: string;
    id: string;
    /**
     * Properties with which a mapped resource has the access, in addition to those of the request.
     */
    properties?: ListAuditEntry;
};

export type IncludedResource = {
    id: string;
    type: string;
    attributes: {
        [key: string]: unknown;
    };
    [key: string]: unknown;
};

export type Link = {
    ID: string;
    Name: string;
};

export type LinkBody = {
    ID?: string;
    Name?: string;
};

export type ListAccessEntry = {
    Kind: 'role' | 'token' | 'binding-rule';
    /**
     * ID; AccessorID of a token.
     */
    ID: string;
    Name?: string;
    Namespace?: string;
    Partition?: string;
    /**
     * `computed`: depends on the identity that matches the binding rule.
     */
    DecidedBy: 'direct' | 'default' | 'default-policy' | 'computed';
    /**
     * Policies with the rule; `hidden` if the caller may not read them.
     */
    Policies: Array<Link>;
    AuthMethod?: string;
    Selector?: string;
};

export type ListAuditEntry = {
    [key: string]: unknown;
};

export type ListEffectiveAnswer = {
    Subject: EffectiveSubject;
    With?: EffectiveSubject;
    /**
     * Decision where no row matches. `deny` for acl, organization and workspace.
     */
    DefaultPolicy: 'allow' | 'deny';
    /**
     * Time of the permissions, if they are not the current ones.
     */
    At?: string;
    /**
     * Number of audit records since then. Requires operator:read.
     */
    Records?: number;
    /**
     * First corrupted or missing audit record since then. The permissions can differ.
     */
    Damage?: {
        Seq?: number;
        Reason: string;
    };
    Entries: Array<EffectiveRow>;
};

export type ListMembersEntry = {
    Name: string;
    Addr: string;
    Port: number;
    Tags: {
        build: string;
        dc: string;
        role: string;
    };
    /**
     * 1: alive.
     */
    Status: number;
    ProtocolMin: number;
    ProtocolMax: number;
    ProtocolCur: number;
    DelegateMin: number;
    DelegateMax: number;
    DelegateCur: number;
};

export type ListNodeChecksEntry = {
    Node: string;
    CheckID: string;
    Name: string;
    Status: string;
    Notes: string;
    Output: string;
    ServiceID: string;
    ServiceName: string;
    ServiceTags: Array<unknown>;
    Type: string;
    Definition: Nothing;
    Namespace?: string;
    Partition?: string;
    CreateIndex: number;
    ModifyIndex: number;
};

export type ListOidcAuthMethodsEntry = {
    Name: string;
    DisplayName?: string;
    Type: string;
    Kind: string;
    Namespace?: string;
    Partition?: string;
};

export type ListOrganizationAuditAnswer = {
    data: Array<ListAuditEntry>;
    links: {
        self: string;
        next: string | null;
    };
};

export type ListSessionsEntry = {
    ID: string;
    /**
     * AccessorID of the token of the session.
     */
    AccessorID: string;
    /**
     * Whether the request uses this session.
     */
    Current: boolean;
    /**
     * Whether the token was created for the session and is deleted at sign-out.
     */
    MadeByLogin: boolean;
    /**
     * Time of the sign-in.
     */
    CreateTime: string;
    /**
     * Time of the last activity, to the minute.
     */
    LastActive: string;
    /**
     * Time of expiration without further activity.
     */
    IdleUntil: string;
    /**
     * Latest time of expiration.
     */
    ExpirationTime: string;
    /**
     * Client address of the sign-in.
     */
    Address: string;
    /**
     * User agent of the sign-in.
     */
    UserAgent: string;
    Namespace?: string;
    Partition?: string;
};

export type ListTemplatedPoliciesAnswer = {
    [key: string]: ReadTemplatedPolicyAnswer;
};

export type ListUsesAnswer = {
    Tokens?: UsesOfKind;
    Roles?: UsesOfKind;
    BindingRules?: UsesOfKind;
    Namespaces?: UsesOfKind;
    ThroughRoles?: CountedTokens;
    /**
     * Contents of a namespace: number of objects by kind, such as `tokens`.
     */
    Content?: {
        [key: string]: number;
    };
    /**
     * Whether objects that the caller may not read use it, or are in it.
     */
    Hidden?: boolean;
};

export type ListedAuthMethod = {
    Name: string;
    Type: 'aws-iam' | 'jwt' | 'kubernetes' | 'oidc';
    DisplayName?: string;
    Description?: string;
    MaxTokenTTL?: string;
    TokenLocality?: 'local' | 'global';
    Namespace?: string;
    Partition?: string;
    CreateIndex: number;
    ModifyIndex: number;
};

export type ListedPolicy = {
    ID: string;
    Name: string;
    Description: string;
    Hash: string;
    Namespace?: string;
    Partition?: string;
    CreateIndex: number;
    ModifyIndex: number;
    Datacenters: Array<string> | null;
};

export type ListedTag = {
    id: string;
    type: 'tags';
    attributes: {
        name: string;
        /**
         * ISO 8601, UTC, with milliseconds; null without read permission on the organization.
         */
        'created-at': string | null;
        /**
         * Number of workspaces that have the tag; null without read permission on the organization.
         */
        'instance-count': number | null;
        /**
         * With include=values: the 100 most used values of the tag key.
         */
        values?: Array<{
            value: string;
            /**
             * Number of workspaces that have it.
             */
            count: number;
            /**
             * Number of projects that have it.
             */
            'project-count': number;
        }>;
        /**
         * With include=values: number of values.
         */
        'value-count'?: number;
    };
    relationships: OfOrganization;
};

export type ListedTagBinding = {
    id: string;
    type: 'tag-bindings';
    attributes: {
        key?: string;
        value?: string;
        'created-at'?: string;
        counts?: {
            workspaces: number;
            projects: number;
        };
    };
    relationships: {
        target: {
            data: {
                id: string;
                type: 'workspaces' | 'projects';
            };
        };
    };
};

export type LoginBody = {
    AuthMethod?: string;
    BearerToken?: string;
    Meta?: {
        [key: string]: string;
    };
    Namespace?: string;
    Partition?: string;
};

export type LoginExplanation = {
    AuthMethod: string;
    Identity?: {
        [key: string]: unknown;
    };
    Variables?: {
        [key: string]: string;
    };
    Rules: Array<ExplainedBindingRule>;
    BindingRule?: ExplainedDraft;
    /**
     * Token that a login would create.
     */
    Token?: {
        [key: string]: unknown;
    };
    /**
     * Reason why a login would be denied.
     */
    Refusal?: string;
};

export type LostLink = {
    Kind: 'policy' | 'role';
    ID: string;
    /**
     * Empty if the trash does not contain the object.
     */
    Name: string;
};

export type MakeOidcAuthUrlAnswer = {
    AuthURL: string;
};

export type MakeOidcAuthUrlBody = {
    AuthMethod?: string;
    RedirectURI?: string;
    ClientNonce?: string;
    Meta?: {
        [key: string]: string;
    };
    Namespace?: string;
    Partition?: string;
};

export type MappedAction = {
    Action: string;
    /**
     * Properties of the resource to compare.
     */
    Properties?: {
        [key: string]: unknown;
    };
    /**
     * Properties of the action to compare.
     */
    ActionProperties?: {
        [key: string]: unknown;
    };
    Kind: string;
    Segment: string;
    Access: string;
};

export type MappedActionBody = {
    Action?: string;
    Properties?: {
        [key: string]: unknown;
    };
    ActionProperties?: {
        [key: string]: unknown;
    };
    Kind?: string;
    Segment?: string;
    Access?: string;
};

/**
 * `Enforced` is the number of logins that the binding rule matched.
 */
export type MatchedBindingRule = {
    ID: string;
    Description: string;
    AuthMethod: string;
};

export type MoveWorkspacesBody = {
    data: Array<{
        type: 'workspaces';
        id: string;
    }>;
};

export type Namespace = {
    Name: string;
    Description?: string;
    ACLs?: {
        PolicyDefaults: Array<Link>;
        RoleDefaults: Array<Link>;
    };
    Meta?: {
        [key: string]: string;
    };
    DeletedAt?: string;
    Partition: string;
    CreateIndex: number;
    ModifyIndex: number;
};

export type NamespaceBody = {
    Name?: string;
    /**
     * 8192 bytes at most.
     */
    Description?: string;
    ACLs?: {
        PolicyDefaults?: Array<LinkBody>;
        RoleDefaults?: Array<LinkBody>;
    };
    Meta?: {
        [key: string]: string;
    };
    Partition?: string;
    readonly CreateIndex?: number;
    readonly ModifyIndex?: number;
    readonly DeletedAt?: string;
};

export type NamespaceRule = {
    Selector?: string;
    BindNamespace: string;
};

export type NamespaceRuleBody = {
    Selector?: string;
    BindNamespace?: string;
};

/**
 * Must be null: agents are not supported.
 */
export type NoAgentPool = {
    data?: {
        type: string;
        id: string;
    } | null;
};

export type NodeIdentity = {
    NodeName: string;
    Datacenter: string;
};

export type NodeIdentityBody = {
    NodeName?: string;
    Datacenter?: string;
};

export type Nothing = {
    [key: string]: unknown;
};

export type ObjectVersion = {
    /**
     * ModifyIndex of the object in this version.
     */
    Version: number;
    Time: string;
    /**
     * Action of the write, such as `create` or `update`.
     */
    Action: string;
    /**
     * Token of the write; empty for the server.
     */
    AccessorID: string;
    RequestID: string;
    Content?: {
        [key: string]: unknown;
    };
    /**
     * Body of a PATCH that restores the version. Send it with `cas` and the present ModifyIndex.
     */
    Patch?: {
        [key: string]: unknown;
    };
};

export type OfOrganization = {
    organization: ToOrganization;
};

export type Organization = {
    /**
     * The name.
     */
    id: string;
    type: 'organizations';
    attributes: {
        name: string;
        email: string;
        /**
         * Immutable.
         */
        'external-id': string;
        'created-at': string;
        'default-execution-mode': string;
        'collaborator-auth-policy': string;
        'session-timeout': number | null;
        'session-remember': number | null;
        'user-tokens-enabled': boolean;
        'cost-estimation-enabled': boolean;
        'stacks-enabled': boolean;
        'assessments-enforced': boolean;
        'send-passing-statuses-for-untriggered-speculative-plans': boolean;
        'aggregated-commit-status-enabled': boolean;
        'speculative-plan-management-enabled': boolean;
        'allow-force-delete-workspaces': boolean;
        'max-ttl-enabled': boolean;
        'enforce-hyok': boolean;
        'owners-team-saml-role-id': string | null;
        'saml-enabled': boolean;
        'two-factor-conformant': boolean;
        'is-unified': boolean;
        'trial-expires-at': null;
        'remaining-testable-count': number;
        'plan-expired': boolean;
        'plan-expires-at': null;
        'plan-is-trial': boolean;
        'plan-is-enterprise': boolean;
        'plan-identifier': string;
        permissions: OrganizationPermissions;
    };
    relationships: OrganizationRelationships;
    links: SelfLink;
};

export type OrganizationDocument = {
    data: Organization;
    included?: Array<IncludedResource>;
};

export type OrganizationPage = {
    data: Array<SeenOrganization>;
    links?: PageLinks;
    meta?: PageMeta;
};

export type OrganizationPermissions = {
    'can-traverse': boolean;
    'can-update': boolean;
    'can-destroy': boolean;
    'can-create-project': boolean;
    'can-create-workspace': boolean;
    'can-manage-tags': boolean;
    'can-access-via-teams': boolean;
    'can-create-module': boolean;
    'can-create-provider': boolean;
    'can-create-team': boolean;
    'can-create-workspace-migration': boolean;
    'can-deploy-no-code-modules': boolean;
    'can-enable-stacks': boolean;
    'can-manage-auditing': boolean;
    'can-manage-no-code-modules': boolean;
    'can-manage-public-modules': boolean;
    'can-manage-public-providers': boolean;
    'can-manage-run-tasks': boolean;
    'can-manage-sso': boolean;
    'can-manage-subscription': boolean;
    'can-manage-users': boolean;
    'can-read-run-tasks': boolean;
    'can-start-trial': boolean;
    'can-update-agent-pools': boolean;
    'can-update-api-token': boolean;
    'can-update-oauth': boolean;
    'can-update-sentinel': boolean;
    'can-update-ssh-keys': boolean;
};

export type OrganizationRelationships = {
    'default-project': ToProject;
    'default-agent-pool': {
        data: null;
    };
    'entitlement-set': {
        data: {
            id: string;
            type: 'entitlement-sets';
        };
        links: RelatedLink;
    };
    subscription: RelatedElsewhere;
    'oauth-tokens': RelatedElsewhere;
    'authentication-token': RelatedElsewhere;
};

export type OrganizationSettings = {
    'collaborator-auth-policy'?: 'password' | 'two_factor_mandatory' | null;
    /**
     * Minutes without activity after which a session ends.
     */
    'session-timeout'?: number | null;
    /**
     * Minutes after which a session ends.
     */
    'session-remember'?: number | null;
    /**
     * Stored and returned; no effect: user tokens are not supported.
     */
    'user-tokens-enabled'?: boolean | null;
    /**
     * Stored and returned; no effect.
     */
    'cost-estimation-enabled'?: boolean | null;
    /**
     * Stored and returned; no effect.
     */
    'stacks-enabled'?: boolean | null;
    /**
     * Stored and returned; no effect.
     */
    'assessments-enforced'?: boolean | null;
    /**
     * Stored and returned; no effect.
     */
    'send-passing-statuses-for-untriggered-speculative-plans'?: boolean | null;
    /**
     * Stored and returned; no effect.
     */
    'aggregated-commit-status-enabled'?: boolean | null;
    /**
     * Stored and returned; no effect.
     */
    'speculative-plan-management-enabled'?: boolean | null;
    /**
     * Stored and returned; no effect.
     */
    'allow-force-delete-workspaces'?: boolean | null;
    /**
     * Stored and returned; no effect.
     */
    'max-ttl-enabled'?: boolean | null;
    /**
     * Stored and returned; no effect.
     */
    'enforce-hyok'?: boolean | null;
    'owners-team-saml-role-id'?: string | null;
    /**
     * Default execution mode of workspaces and projects. Agents are not supported.
     */
    'default-execution-mode'?: 'remote' | 'local' | null;
};

export type OwnDeniedRequest = {
    RequestID: string;
    At: string;
    Action: 'read' | 'write';
    Question: ExplainedDecision;
};

export type PageLinks = {
    self: string;
    first: string;
    prev: string | null;
    next: string | null;
    last: string;
};

export type PageMeta = {
    pagination: Pagination;
};

export type Pagination = {
    'current-page': number;
    'page-size': number;
    'prev-page': number | null;
    'next-page': number | null;
    'total-pages': number;
    'total-count': number;
};

export type Partition = {
    Name: string;
    Description?: string;
    DisableGossip?: boolean;
    DeletedAt?: string;
    CreateIndex: number;
    ModifyIndex: number;
};

export type PartitionBody = {
    Name?: string;
    /**
     * 8192 bytes at most.
     */
    Description?: string;
    DisableGossip?: boolean;
    readonly CreateIndex?: number;
    readonly ModifyIndex?: number;
    readonly DeletedAt?: string;
};

/**
 * First policies whose decisions would change if they were saved again, with the differences. Up to 1,000 policies are checked.
 */
export type PoliciesReadAsBefore = {
    First: Array<{
        ID: string;
        Name: string;
        Namespace: string;
        Differences: Array<string>;
    }>;
    More?: boolean;
};

export type Policy = {
    ID: string;
    Name: string;
    Description: string;
    Hash: string;
    Namespace?: string;
    Partition?: string;
    CreateIndex: number;
    ModifyIndex: number;
    Rules: string;
    Datacenters?: Array<string>;
};

export type PolicyBody = {
    ID?: string;
    Name?: string;
    /**
     * 8192 bytes at most.
     */
    Description?: string;
    Rules?: string;
    /**
     * At most 2048 bytes as JSON.
     */
    Datacenters?: Array<string>;
    Namespace?: string;
    Partition?: string;
    readonly CreateIndex?: number;
    readonly ModifyIndex?: number;
    readonly Hash?: string | null;
};

export type PreviewEffectAnswer = {
    /**
     * Whether the comparison is complete. At most 256 permissions are compared.
     */
    Complete: boolean;
    Roles: EffectCount;
    BindingRules: EffectCount;
    Tokens: EffectCount;
    /**
     * Whether the console and `tessera` prompt for a reason: more subjects than `--impact-reason`.
     */
    ReasonRequested: boolean;
    /**
     * All changes. Changes that affect the most subjects are first.
     */
    Changes: Array<AccessChange>;
    Entries: Array<EffectEntry>;
};

export type PreviewTemplatedPolicyBody = {
    Name?: string;
};

export type Project = {
    id: string;
    type: 'projects';
    attributes: {
        name: string;
        description: string;
        'created-at': string;
        /**
         * Number of all workspaces, including workspaces that the token may not read.
         */
        'workspace-count': number;
        'team-count': number;
        'stack-count': number;
        'is-unified': boolean;
        'auto-destroy-activity-duration': string | null;
        /**
         * Own setting, or the setting of the organization.
         */
        'default-execution-mode': string;
        'setting-overwrites': {
            'default-execution-mode': boolean;
            'default-agent-pool': boolean;
        };
        permissions: {
            'can-update': boolean;
            'can-destroy': boolean;
            'can-create-workspace': boolean;
            'can-move-workspace': boolean;
            'can-read-teams': boolean;
            'can-manage-teams': boolean;
        };
    };
    relationships: {
        organization: Relationship;
        'default-agent-pool': Relationship;
        'tag-bindings': Relationship;
        'effective-tag-bindings': Relationship;
    };
    links: SelfLink;
};

export type ProjectDocument = {
    data: Project;
    included?: Array<IncludedResource>;
};

export type ProjectPage = {
    data: Array<Project>;
    included?: Array<IncludedResource>;
    links: PageLinks;
    meta: PageMeta;
};

export type ProjectSettings = {
    description?: string | null;
    /**
     * Default execution mode of its workspaces. Agents are not supported.
     */
    'default-execution-mode'?: 'remote' | 'local' | null;
    /**
     * False: use the setting of the organization.
     */
    'setting-overwrites'?: {
        'default-execution-mode'?: boolean | null;
        'default-agent-pool'?: boolean | null;
    } | null;
    /**
     * Hours or days, such as 36h or 14d, at most four digits. Stored and returned; no effect.
     */
    'auto-destroy-activity-duration'?: string | null;
    /**
     * Must be null: agents are not supported.
     */
    'default-agent-pool-id'?: string | null;
};

export type PutTagPolicyBody = {
    data: {
        type: 'tag-policies';
        id?: string;
        attributes: {
            /**
             * advise: violations are accepted and returned in meta.warnings. refuse: violations get 422.
             */
            enforce: 'advise' | 'refuse';
            rules: Array<TagRule>;
        };
    };
};

export type Question = {
    Resource?: string;
    Access?: string;
    Segment?: string;
    Namespace?: string;
    Partition?: string;
};

export type ReadDecisionPointMetadataAnswer = {
    policy_decision_point: string;
    access_evaluation_endpoint: string;
    access_evaluations_endpoint: string;
    search_subject_endpoint: string;
    search_resource_endpoint: string;
    search_action_endpoint: string;
};

export type ReadOverviewAnswer = {
    Partition: string;
    /**
     * Time of the numbers, which are cached for 30 s.
     */
    Time: string;
    /**
     * Numbers in all namespaces that the caller may read.
     */
    Counts: {
        Tokens: number;
        Policies: number;
        Roles: number;
        AuthMethods: number;
        BindingRules: number;
    };
    Namespaces: {
        Count: number;
        First: Array<{
            Name: string;
            Tokens: number;
            Policies: number;
            Roles: number;
            AuthMethods: number;
            BindingRules: number;
        }>;
    };
    Organizations: {
        Count: number;
        First: Array<{
            Name: string;
            Tags?: number;
            Projects?: number;
            Workspaces?: number;
        }>;
    };
    UnusedTokens: BoundedCount;
    /**
     * Tokens that never expire, counted up to 10,000.
     */
    TokensWithoutExpiration: BoundedCount;
    PoliciesReadAsBefore: PoliciesReadAsBefore;
    AuthMethodsReadAsBefore: AuthMethodsReadAsBefore;
    /**
     * Denied logins of the last day in the newest 500 records, most frequent first.
     */
    RefusedLogins: Array<{
        AuthMethod: string;
        Namespace: string;
        Count: number;
    }>;
    /**
     * Server that responds; requires operator:read. Backup age only with `--backup-every`.
     */
    Server?: {
        Ready: boolean;
        Checks: Array<string>;
        BackupAgeSeconds?: number;
    };
    /**
     * Servers of the database, this server first. Stopped servers disappear after one hour.
     */
    Nodes?: Array<{
        Name: string;
        Version: string;
        LastSeen: string;
        Ready: boolean;
    }>;
    /**
     * Whether there can be namespaces that the caller may not read.
     */
    Hidden?: boolean;
};

export type ReadReplicationAnswer = {
    Enabled: boolean;
    Running: boolean;
    SourceDatacenter: string;
    ReplicationType: string;
    ReplicatedIndex: number;
    ReplicatedRoleIndex: number;
    ReplicatedTokenIndex: number;
    LastSuccess: string;
    LastError: string;
    LastErrorMessage: string;
};

export type ReadSelfAnswer = {
    Config: {
        Datacenter: string;
        PrimaryDatacenter: string;
        NodeName: string;
        Server: boolean;
        /**
         * API version; `+ent` with namespaces.
         */
        Version: string;
        /**
         * Version of this program.
         */
        TesseraVersion: string;
    };
    Member: ListMembersEntry;
    Meta: Nothing;
};

export type ReadTemplatedPolicyAnswer = {
    TemplateName: string;
    /**
     * JSON schema of the variables; empty without variables.
     */
    Schema: string;
    Template: string;
    Description: string;
};

export type ReadVersionAnswer = {
    /**
     * Empty: unknown.
     */
    SHA: string;
    BuildDate: string;
    /**
     * API version; `+ent` with namespaces.
     */
    HumanVersion: string;
    FIPS: string;
    /**
     * Version of this program.
     */
    TesseraVersion: string;
};

export type RefusedLines = {
    count: number;
    lines: Array<number>;
};

export type RelatedElsewhere = {
    links: RelatedLink;
};

export type RelatedLink = {
    related: string;
};

export type Relationship = {
    data?: ResourceIdentifier | Array<ResourceIdentifier> | null;
    links?: RelatedLink;
};

export type RenameTagBody = {
    data: {
        type: 'tags';
        id?: string;
        attributes?: {
            name?: string;
        };
    };
};

export type ReplaceRemoteStateConsumersBody = {
    data: Array<{
        type: 'workspaces';
        id: string;
    }>;
};

export type ReplayBody = {
    Policies?: Array<PolicyBody>;
    Roles?: Array<RoleBody>;
    Tokens?: Array<TokenBody>;
    DeletedPolicies?: Array<LinkBody>;
    DeletedRoles?: Array<LinkBody>;
    Namespaces?: Array<NamespaceBody>;
    BindingRules?: Array<BindingRuleBody>;
    DeletedBindingRules?: Array<DeletedBindingRule>;
    Namespace?: string;
    Partition?: string;
};

export type ReplayDraftAnswer = {
    /**
     * Number of recorded pairs of a subject and an access check.
     */
    Pairs: number;
    /**
     * Pairs that are allowed now and that the draft denies.
     */
    Refused: number;
    /**
     * Denied requests in the audit log that the draft allows.
     */
    Allowed: number;
    /**
     * Pairs that are denied now.
     */
    AlreadyRefused: number;
    Unreplayable: Unreplayable;
    Ledger: UseLedger;
    Refusals: ReplayedRefusals;
    Entries: Array<ReplayEntry>;
};

export type ReplayEntry = {
    Change: 'refused' | 'allowed' | 'already-refused';
    Kind: 'token' | 'identity' | 'roles';
    /**
     * AccessorID of a token.
     */
    ID?: string;
    /**
     * Description of a token.
     */
    Name?: string;
    AuthMethod?: string;
    Identity?: string;
    /**
     * IDs of the roles of many identities.
     */
    Roles?: Array<string>;
    Namespace?: string;
    Partition?: string;
    Question: Right;
    /**
     * Number of names. Names that the caller may not read are shown as their rule.
     */
    Questions: number;
    Uses: number;
    /**
     * Number of the last 30 days with a use.
     */
    DaysUsed: number;
    /**
     * Day of the first use (UTC).
     */
    FirstDay: string;
    /**
     * Day of the last use (UTC).
     */
    LastDay: string;
    Columns?: UseColumns;
};

export type ReplayedRefusals = {
    Records: number;
    /**
     * Records without the whole name.
     */
    Unreadable: number;
    /**
     * Day of the oldest record of a denied write.
     */
    Since?: string;
    /**
     * Day of the oldest record of a denied read.
     */
    ReadsSince?: string;
    /**
     * Whether all records were read, and not only the newest.
     */
    Complete: boolean;
};

export type ReservedTagKey = {
    id: string;
    type: 'reserved-tag-keys';
    attributes: {
        key: string;
        'disable-overrides': boolean;
        'is-registry-tag': boolean;
        'created-at': string;
        'updated-at': string;
        created_at: string;
        updated_at: string;
    };
    relationships: OfOrganization;
};

export type ReservedTagKeyDocument = {
    data: ReservedTagKey;
};

export type ReservedTagKeyPage = {
    data: Array<ReservedTagKey>;
    links: PageLinks;
    meta: PageMeta;
};

export type ResourceIdentifier = {
    id: string;
    type: string;
};

export type ResourceSearch = {
    subject: DecisionEntity;
    action: DecisionAction;
    /**
     * Searched resources; an ID is ignored.
     */
    resource: SearchedEntity;
    /**
     * Environment. Not used.
     */
    context?: ListAuditEntry;
    page?: SearchPage;
};

export type ResourceType = {
    Type: string;
    Actions: Array<MappedAction>;
};

export type ResourceTypeBody = {
    Type?: string;
    Actions?: Array<MappedActionBody>;
};

export type RestoreBody = {
    /**
     * New name. Default: the name that the object had.
     */
    Name?: string;
};

export type RestoredObject = {
    Kind: 'policy' | 'role' | 'token' | 'binding-rule' | 'auth-method' | 'namespace';
    /**
     * ID that the object has again; absent for auth methods and namespaces.
     */
    ID?: string;
    /**
     * Name; the description of a token or binding rule.
     */
    Name: string;
    /**
     * New secret of a token.
     */
    SecretID?: string;
    /**
     * Links to objects that no longer exist.
     */
    LeftOut: Array<LostLink>;
    Namespace?: string;
    Partition?: string;
};

export type RevokeTokensAnswer = {
    /**
     * ID of the job; absent in a preview.
     */
    ID?: string;
    /**
     * preview, queued, running, done or failed.
     */
    Status: string;
    /**
     * Number of tokens when the job started.
     */
    Total?: number;
    Revoked: number;
    /**
     * First 100 tokens of a preview.
     */
    AccessorIDs?: Array<string>;
    /**
     * Reason of the failure.
     */
    Reason?: string;
    CreateTime?: string;
    FinishTime?: string;
    Namespace?: string;
    Partition?: string;
};

export type RevokeTokensBody = {
    /**
     * Tokens that were neither used nor created within this duration, in days, such as 90d. Returns 503 while the server does not trust its system clock.
     */
    UnusedFor?: string;
    /**
     * Tokens that this auth method created.
     */
    AuthMethod?: string;
    /**
     * Tokens with this role (ID or name).
     */
    Role?: string;
    /**
     * Tokens whose description contains this text.
     */
    Description?: string;
    Namespace?: string;
    Partition?: string;
};

export type Right = {
    Resource: string;
    Segment?: string;
    /**
     * Whether the permission applies to all names with this prefix that no other rule matches.
     */
    Prefix?: true;
    Access: string;
    Namespace?: string;
    NamespacePrefix?: true;
    Partition?: string;
    PartitionPrefix?: true;
};

export type Role = {
    ID: string;
    Name: string;
    Description: string;
    Policies?: Array<Link>;
    ServiceIdentities?: Array<ServiceIdentity>;
    NodeIdentities?: Array<NodeIdentity>;
    TemplatedPolicies?: Array<TemplatedPolicyGrant>;
    Hash: string;
    Namespace?: string;
    Partition?: string;
    CreateIndex: number;
    ModifyIndex: number;
};

export type RoleBody = {
    ID?: string;
    Name?: string;
    /**
     * 8192 bytes at most.
     */
    Description?: string;
    Policies?: Array<LinkBody>;
    /**
     * At most 65536 bytes as JSON.
     */
    ServiceIdentities?: Array<ServiceIdentityBody>;
    /**
     * At most 65536 bytes as JSON.
     */
    NodeIdentities?: Array<NodeIdentityBody>;
    /**
     * At most 65536 bytes as JSON.
     */
    TemplatedPolicies?: Array<TemplatedPolicyGrantBody>;
    Namespace?: string;
    Partition?: string;
    readonly CreateIndex?: number;
    readonly ModifyIndex?: number;
    readonly Hash?: string | null;
};

export type RotateTokenBody = {
    /**
     * How long the old secret stays valid, 0 to 168h. Default: 0.
     */
    Overlap?: string;
    Namespace?: string;
    Partition?: string;
};

export type RotatedToken = Token & {
    /**
     * Time until which old secrets are valid; absent if there are none.
     */
    OldSecretExpirationTime?: string;
};

export type SavedView = {
    ID: string;
    Name: string;
    List: string;
    /**
     * Whether the view belongs to the namespace; otherwise to the caller.
     */
    Shared: boolean;
    Query: {
        [key: string]: string;
    };
    /**
     * Field, with - for descending order; empty for the order of the list.
     */
    Sort: string;
    /**
     * IDs of columns; empty for the default ones.
     */
    Columns: Array<string>;
    Density: '' | 'comfortable' | 'compact';
    Namespace?: string;
    Partition?: string;
    CreateIndex: number;
    ModifyIndex: number;
};

export type SearchPage = {
    /**
     * `next_token` of the previous page.
     */
    token?: string;
    /**
     * Maximum number of results. Default: 100. Maximum: 1000.
     */
    limit?: number;
};

/**
 * Searched subjects; an ID is ignored.
 */
export type SearchedEntity = {
    type: string;
    /**
     * Attributes with any names.
     */
    properties?: ListAuditEntry;
};

/**
 * Empty `next_token`: last page.
 */
export type SearchedPage = {
    next_token: string;
    count: number;
};

export type SeenOrganization = {
    /**
     * The name.
     */
    id: string;
    type: 'organizations';
    attributes: {
        name: string;
        email?: string;
        /**
         * Immutable.
         */
        'external-id'?: string;
        'created-at'?: string;
        'default-execution-mode'?: string;
        'collaborator-auth-policy'?: string;
        'session-timeout'?: number | null;
        'session-remember'?: number | null;
        'user-tokens-enabled'?: boolean;
        'cost-estimation-enabled'?: boolean;
        'stacks-enabled'?: boolean;
        'assessments-enforced'?: boolean;
        'send-passing-statuses-for-untriggered-speculative-plans'?: boolean;
        'aggregated-commit-status-enabled'?: boolean;
        'speculative-plan-management-enabled'?: boolean;
        'allow-force-delete-workspaces'?: boolean;
        'max-ttl-enabled'?: boolean;
        'enforce-hyok'?: boolean;
        'owners-team-saml-role-id'?: string | null;
        'saml-enabled'?: boolean;
        'two-factor-conformant'?: boolean;
        'is-unified'?: boolean;
        'trial-expires-at'?: null;
        'remaining-testable-count'?: number;
        'plan-expired'?: boolean;
        'plan-expires-at'?: null;
        'plan-is-trial'?: boolean;
        'plan-is-enterprise'?: boolean;
        'plan-identifier'?: string;
        permissions: OrganizationPermissions;
    };
    relationships?: OrganizationRelationships;
    links: SelfLink;
};

export type SeenOrganizationDocument = {
    data: SeenOrganization;
    included?: Array<IncludedResource>;
};

/**
 * Conditions of a selector that does not match: the operands of its outermost `and`.
 */
export type SelectorConditions = {
    Total: number;
    Met: number;
    /**
     * The first 5 false conditions.
     */
    Unmet: Array<{
        /**
         * Path that the first test of the condition is about.
         */
        Name: string;
        Reason: string;
        /**
         * First character in the selector.
         */
        Start: number;
        /**
         * Character after the last one.
         */
        End: number;
    }>;
};

export type SelfLink = {
    self: string;
};

export type ServiceIdentity = {
    ServiceName: string;
    Datacenters?: Array<string>;
};

export type ServiceIdentityBody = {
    ServiceName?: string;
    /**
     * At most 2048 bytes as JSON.
     */
    Datacenters?: Array<string>;
};

export type SubjectSearch = {
    subject: SearchedEntity;
    action: DecisionAction;
    resource: DecisionEntity;
    /**
     * Environment. Not used.
     */
    context?: ListAuditEntry;
    page?: SearchPage;
};

export type SubjectType = {
    Type: string;
    As: 'token' | 'role' | 'identity';
    Template: string;
};

export type SubjectTypeBody = {
    Type?: string;
    As?: '' | 'token' | 'role' | 'identity';
    Template?: string;
};

export type Tag = {
    id: string;
    type: 'tags';
    attributes: {
        name: string;
        /**
         * ISO 8601, UTC, with milliseconds; null without read permission on the organization.
         */
        'created-at': string | null;
        /**
         * Number of workspaces that have the tag; null without read permission on the organization.
         */
        'instance-count': number | null;
    };
    relationships: OfOrganization;
};

export type TagBinding = {
    id: string;
    type: 'tag-bindings';
    attributes: {
        key: string;
        value: string;
        'created-at': string;
    };
};

export type TagBindingBody = {
    type: 'tag-bindings';
    id?: string;
    attributes: {
        /**
         * At most 128 letters, digits and _ . = + - @ :
         */
        key: string;
        /**
         * At most 256 characters, as in keys. Default: empty; when bindings are added, unchanged.
         */
        value?: string | null;
    };
};

export type TagBindingList = {
    data: Array<TagBinding>;
};

export type TagBindingPage = {
    data: Array<ListedTagBinding>;
    links: PageLinks;
    meta: PageMeta;
};

export type TagBindingsBody = {
    data: Array<TagBindingBody>;
};

export type TagBindingsRelationship = {
    data?: Array<TagBindingBody>;
};

export type TagDocument = {
    data: Tag;
};

/**
 * Filter of tags. Empty: all tags.
 */
export type TagFilter = {
    /**
     * Text that the name contains, ignoring case.
     */
    q?: string;
    /**
     * Whether the tag is unused.
     */
    unused?: boolean;
    /**
     * Number of workspaces that have the tag.
     */
    'instance-count'?: {
        gte?: number;
        lte?: number;
    };
};

export type TagImportPreview = {
    id: string;
    type: 'tag-import-previews';
    attributes: {
        mode: string;
        records: number;
        /**
         * Tags, tag keys, settings and rules that would be created.
         */
        create: number;
        change: number;
        remove: number;
        /**
         * Objects that already match the file.
         */
        unchanged: number;
        /**
         * Objects that would change and violate a rule with enforcement `advise`, by rule name.
         */
        warned: {
            [key: string]: number;
        };
        /**
         * The first 100.
         */
        changes: Array<{
            /**
             * Line of the file at which the record starts.
             */
            line: number;
            kind: string;
            name: string;
            action: 'create' | 'change' | 'remove';
            /**
             * Tag without a value.
             */
            tag?: string;
            /**
             * Tag key, member of a tag or of a reserved tag key, or `enforce` and `rules/<name>` of the tag policy.
             */
            key?: string;
            from?: string;
            to?: string;
        }>;
        /**
         * Objects that would not change, by reason, with the lines of the first 100.
         */
        refused: {
            missing?: RefusedLines;
            'not-allowed'?: RefusedLines;
            full?: RefusedLines;
            'tag-rule'?: RefusedLines;
        };
    };
};

export type TagImportPreviewDocument = {
    data: TagImportPreview;
};

export type TagJob = {
    id: string;
    type: 'tag-jobs';
    attributes: {
        action: string;
        tags: Array<{
            name: string;
            value?: string;
        }> | null;
        /**
         * As requested.
         */
        as: string | null;
        /**
         * As requested.
         */
        to: string | null;
        /**
         * As requested.
         */
        filter: TagJobFilter | null;
        /**
         * Job that this job reverts.
         */
        'undo-of': string | null;
        /**
         * Import mode.
         */
        mode: string | null;
        status: 'queued' | 'running' | 'paused' | 'cancelled' | 'done' | 'failed';
        /**
         * Reason of the failure, or of the cancellation by the server.
         */
        reason: string | null;
        /**
         * Number of objects when the job started; null before.
         */
        total: number | null;
        /**
         * Number of processed objects.
         */
        done: number;
        /**
         * Number of changed objects.
         */
        changed: number;
        /**
         * Number of rejected changes, by reason.
         */
        refused: {
            [key: string]: number;
        };
        /**
         * Number of changes that violate rules with enforcement `advise`, by rule name.
         */
        warned: {
            [key: string]: number;
        };
        /**
         * First rejections as text, if there are details. Visible to the token that started the job, and to tokens that may write the organization and read all its workspaces; else empty.
         */
        errors: Array<string>;
        /**
         * AccessorID of the token that started the job.
         */
        'accessor-id': string;
        'created-at': string;
        'started-at': string | null;
        'updated-at': string;
        'finished-at': string | null;
    };
    relationships: OfOrganization;
    links: SelfLink;
};

export type TagJobDocument = {
    data: TagJob;
};

export type TagJobFilter = {
    tags?: TagFilter;
    workspaces?: WorkspaceFilter;
};

export type TagJobPage = {
    data: Array<TagJob>;
    links: PageLinks;
    meta: PageMeta;
};

export type TagJobPreview = {
    type: 'tag-job-previews';
    attributes: {
        action: string;
        counts: {
            workspaces: number;
            projects: number;
            tags: number;
        };
        total: number;
        changed: number;
        /**
         * Number of changes that would be rejected, by reason.
         */
        refused: {
            [key: string]: number;
        };
        /**
         * Number of changes that would violate rules with enforcement `advise`, by rule name.
         */
        warned: {
            [key: string]: number;
        };
        /**
         * Whether the preview is complete. false: it took too long, and the numbers are partial.
         */
        complete: boolean;
        changes: Array<{
            kind: string;
            name: string;
            action: string;
            /**
             * Changes as the audit record would contain them.
             */
            details: {
                [key: string]: unknown;
            };
            'object-id': string;
        }>;
    };
};

export type TagJobPreviewDocument = {
    data: TagJobPreview;
};

export type TagPage = {
    data: Array<ListedTag>;
    links: PageLinks;
    meta: PageMeta;
};

export type TagPolicy = {
    id: string;
    type: 'tag-policies';
    attributes: {
        /**
         * advise: violations are accepted and returned in meta.warnings. refuse: violations get 422.
         */
        enforce: 'advise' | 'refuse';
        rules: Array<TagRule>;
        'created-at': string;
        'updated-at': string;
    };
    relationships: OfOrganization;
};

export type TagPolicyCheck = {
    /**
     * Organization name.
     */
    id: string;
    type: 'tag-policy-checks';
    attributes: {
        /**
         * Number of checked workspaces.
         */
        workspaces: number;
        /**
         * Number of workspaces that would violate the rules.
         */
        'non-compliant': number;
        /**
         * Number of workspaces that violate the saved rules.
         */
        'non-compliant-now': number;
        /**
         * Number of workspaces that would violate the rules, and violate no saved rule.
         */
        'newly-non-compliant': number;
        rules: Array<{
            name: string;
            /**
             * Number of workspaces that would violate this rule.
             */
            'non-compliant': number;
        }>;
    };
};

export type TagPolicyCheckDocument = {
    data: TagPolicyCheck;
};

export type TagPolicyDay = {
    id: string;
    type: 'tag-policy-days';
    attributes: {
        key: string;
        /**
         * Day in UTC. The server counts once a day, and keeps 90 days.
         */
        day: string;
        /**
         * Number of workspaces that had to have the key.
         */
        workspaces: number;
        /**
         * Number of these workspaces without the key.
         */
        missing: number;
        /**
         * Number of these workspaces that had the key as a tag without a value.
         */
        'without-value': number;
        /**
         * Number of different values.
         */
        'value-count': number;
    };
};

export type TagPolicyDayPage = {
    data: Array<TagPolicyDay>;
    links: PageLinks;
    meta: {
        pagination: Pagination;
        'is-complete': boolean;
    };
};

export type TagPolicyDocument = {
    data: TagPolicy;
};

export type TagPolicyKey = {
    id: string;
    type: 'tag-policy-keys';
    attributes: {
        key: string;
        /**
         * Rules that require the key.
         */
        rules: Array<string>;
        /**
         * Number of workspaces that must have the key.
         */
        workspaces: number;
        /**
         * Number of these workspaces without the key.
         */
        missing: number;
        /**
         * Number of these workspaces that have the key as a tag without a value.
         */
        'without-value': number;
        /**
         * Number of different values.
         */
        'value-count': number;
        /**
         * The 10 most frequent values.
         */
        values: Array<{
            value: string;
            workspaces: number;
        }>;
        /**
         * Number of workspaces with other values.
         */
        other: number;
        /**
         * The 10 projects with most workspaces without the key.
         */
        projects: Array<{
            id: string;
            workspaces: number;
            missing: number;
        }>;
    };
};

export type TagPolicyKeyPage = {
    data: Array<TagPolicyKey>;
    links: PageLinks;
    meta: {
        pagination: Pagination;
        'is-complete': boolean;
    };
};

export type TagPolicyProject = {
    id: string;
    type: 'tag-policy-projects';
    attributes: {
        /**
         * Number of workspaces that must have a required key.
         */
        workspaces: number;
        /**
         * Number of these workspaces without one of their required keys.
         */
        missing: number;
    };
    relationships: {
        project: ToProject;
    };
};

export type TagPolicyProjectPage = {
    data: Array<TagPolicyProject>;
    links: PageLinks;
    meta: {
        pagination: Pagination;
        'is-complete': boolean;
    };
};

export type TagPolicyShortcoming = {
    id: string;
    type: 'tag-policy-shortcomings';
    attributes: {
        'workspace-name': string;
        /**
         * Number of violations.
         */
        'violation-count': number;
        /**
         * The first 20.
         */
        violations: Array<Warning>;
    };
    relationships: {
        workspace: {
            data: {
                id: string;
                type: 'workspaces';
            };
        };
    };
};

export type TagPolicyShortcomingPage = {
    data: Array<TagPolicyShortcoming>;
    links: PageLinks;
    meta: PageMeta;
};

/**
 * Identified by its ID, or by the name in its attributes.
 */
export type TagReference = {
    type: 'tags';
    id?: string;
    attributes?: {
        name?: string;
    };
};

export type TagRule = {
    /**
     * Rule name, unique in the tag policy.
     */
    name: string;
    /**
     * ID of the project to which the rule applies. Default: all projects.
     */
    project?: string | null;
    /**
     * Tag keys that a workspace must have: own, inherited, or as a tag without a value.
     */
    'required-keys'?: Array<string> | null;
    /**
     * Tag key whose values are restricted by allowed-values or value-pattern.
     */
    key?: string | null;
    /**
     * Values that the key may have.
     */
    'allowed-values'?: Array<string> | null;
    /**
     * Regular expression (RE2) that must match the whole value.
     */
    'value-pattern'?: string | null;
    /**
     * Regular expression (RE2) that must match the whole name of each tag and key.
     */
    'naming-pattern'?: string | null;
};

export type TagWebhook = {
    id: string;
    type: 'tag-webhooks';
    attributes: {
        name: string;
        url: string;
        enabled: boolean;
        /**
         * Whether deliveries are signed.
         */
        'has-token': boolean;
        kinds: Array<string>;
        actions: Array<string>;
        'created-at': string;
        'updated-at': string;
        delivery: {
            /**
             * Time of the last delivery attempt.
             */
            'delivered-at': string | null;
            /**
             * Status of the response, or the reason of the failure.
             */
            status: string | null;
            /**
             * Failures since the last success.
             */
            failures: number;
            /**
             * Time of the first of these failures.
             */
            'failing-since': string | null;
            /**
             * Time of the next retry after a failure.
             */
            'retry-at': string | null;
            /**
             * Number of pending records, counted up to 1000.
             */
            behind: number;
            /**
             * Last time at which expired records were skipped.
             */
            'skipped-at': string | null;
        };
    };
    links: SelfLink;
};

export type TagWebhookDocument = {
    data: TagWebhook;
};

export type TagWebhookPage = {
    data: Array<TagWebhook>;
    links: PageLinks;
    meta: PageMeta;
};

export type TagWebhookSettings = {
    /**
     * Whether deliveries are enabled. A disabled webhook continues later where it stopped. Default: true.
     */
    enabled?: boolean | null;
    /**
     * Signing secret. Null or empty: deliveries are not signed. Never returned.
     */
    token?: string | null;
    /**
     * Kinds of objects whose events are delivered; empty or null: all.
     */
    kinds?: Array<'workspace' | 'project' | 'tag' | 'reserved-tag-key' | 'tag-policy'> | null;
    /**
     * Actions that are delivered; empty or null: all but reported, the weekly report of tag policies.
     */
    actions?: Array<'tags-changed' | 'created' | 'updated' | 'renamed' | 'merged' | 'deleted' | 'reported'> | null;
};

export type TemplatedPolicyGrant = {
    TemplateID?: string;
    TemplateName: string;
    TemplateVariables?: {
        name: string;
    };
    Datacenters?: Array<string>;
};

export type TemplatedPolicyGrantBody = {
    TemplateID?: string;
    TemplateName?: string;
    TemplateVariables?: PreviewTemplatedPolicyBody;
    /**
     * At most 2048 bytes as JSON.
     */
    Datacenters?: Array<string>;
};

/**
 * Number of subjects that hold the policy or role.
 */
export type TightenHolders = {
    Roles: number;
    BindingRules: number;
    Tokens: number;
};

/**
 * Policy rule that is the reason.
 */
export type TightenOtherRule = {
    Rule: string;
    Policies: Array<string>;
};

export type TightenPolicyBody = {
    /**
     * Number of days of recorded use, 1 to 128. Default: 90.
     */
    Days?: number;
    /**
     * Decision points whose access checks for other subjects count: AccessorIDs of tokens, or METHOD/IDENTITY of logins. Maximum 100. Default: none.
     */
    DecisionPoints?: Array<string>;
    /**
     * Policy rules to keep unchanged, and names to keep allowed. Maximum 1000.
     */
    Keep?: Array<{
        Resource?: string;
        Segment?: string;
        Prefix?: boolean;
    }>;
    Namespace?: string;
    Partition?: string;
};

export type TightenRoleBody = {
    /**
     * Number of days of recorded use, 1 to 128. Default: 90.
     */
    Days?: number;
    /**
     * Decision points whose access checks for other subjects count: AccessorIDs of tokens, or METHOD/IDENTITY of logins. Maximum 100. Default: none.
     */
    DecisionPoints?: Array<string>;
    /**
     * IDs of policies to keep. Maximum 1000.
     */
    Keep?: Array<string>;
    Namespace?: string;
    Partition?: string;
};

export type TightenedLine = {
    /**
     * Line of the policy rule in the stored text.
     */
    Line: number;
    Rule: string;
    /**
     * Blocks that contain the policy rule.
     */
    In?: Array<string>;
    Action: 'kept' | 'lowered' | 'replaced' | 'dropped';
    Reason: 'used' | 'used-for-less' | 'used-by-name' | 'unused' | 'denies' | 'asked-to-keep' | 'hides' | 'outranks' | 'names-unknown' | 'too-many-names' | 'names-hidden' | 'needed' | 'not-editable';
    Other?: TightenOtherRule;
    /**
     * New permission.
     */
    Policy?: string;
    /**
     * New permission for intentions.
     */
    Intentions?: string;
    /**
     * Names that replace the prefix.
     */
    Names?: Array<string>;
};

export type TightenedLink = {
    ID: string;
    Name: string;
    Action: 'kept' | 'dropped';
    Reason: 'used' | 'unused' | 'denies' | 'asked-to-keep' | 'hides';
};

export type TightenedPolicy = {
    ID: string;
    Name: string;
    /**
     * Number of days of recorded use.
     */
    Days: number;
    /**
     * First day of recorded use.
     */
    RecordedSince: string;
    /**
     * Last day on which use was not recorded: the namespace had too many rows.
     */
    Incomplete?: string;
    Holders: TightenHolders;
    /**
     * Draft of the policy rules; missing if no safe draft was found.
     */
    Rules?: string;
    Changed: boolean;
    Lines: Array<TightenedLine>;
};

export type TightenedRole = {
    ID: string;
    Name: string;
    /**
     * Number of days of recorded use.
     */
    Days: number;
    /**
     * First day of recorded use.
     */
    RecordedSince: string;
    /**
     * Last day on which use was not recorded: the namespace had too many rows.
     */
    Incomplete?: string;
    Holders: TightenHolders;
    /**
     * Whether removing the dropped policies adds no permission for any subject.
     */
    Offered: boolean;
    Policies: Array<TightenedLink>;
};

export type ToOrganization = {
    data: {
        /**
         * Organization name.
         */
        id: string;
        type: 'organizations';
    };
};

export type ToProject = {
    data: {
        id: string;
        type: 'projects';
    };
};

/**
 * The token.
 */
export type Token = {
    AccessorID: string;
    SecretID: string;
    Description: string;
    Roles?: Array<Link>;
    Policies?: Array<Link>;
    ServiceIdentities?: Array<ServiceIdentity>;
    NodeIdentities?: Array<NodeIdentity>;
    TemplatedPolicies?: Array<TemplatedPolicyGrant>;
    Local: boolean;
    AuthMethod?: string;
    AuthMethodNamespace?: string;
    ExpirationTime?: string;
    CreateTime: string;
    /**
     * Time of the first use on the last day (UTC) of use; absent before the first use.
     */
    LastUsed?: string;
    /**
     * Time at which the token was disabled; absent if it is enabled.
     */
    DisabledTime?: string;
    Hash: string;
    Namespace?: string;
    Partition?: string;
    CreateIndex: number;
    ModifyIndex: number;
};

export type TokenBody = {
    /**
     * Can be set at creation with operator:write, or with acl:write in the default namespace of the partition.
     */
    AccessorID?: string;
    SecretID?: string;
    /**
     * Not supported. Must be empty.
     */
    Name?: string;
    /**
     * 8192 bytes at most.
     */
    Description?: string;
    Roles?: Array<LinkBody>;
    Policies?: Array<LinkBody>;
    /**
     * At most 65536 bytes as JSON.
     */
    ServiceIdentities?: Array<ServiceIdentityBody>;
    /**
     * At most 65536 bytes as JSON.
     */
    NodeIdentities?: Array<NodeIdentityBody>;
    /**
     * At most 65536 bytes as JSON.
     */
    TemplatedPolicies?: Array<TemplatedPolicyGrantBody>;
    Local?: boolean;
    AuthMethod?: string;
    AuthMethodNamespace?: string;
    ExpirationTime?: string;
    /**
     * A duration such as 1h30m.
     */
    ExpirationTTL?: string;
    CreateTime?: string;
    readonly LastUsed?: string;
    readonly DisabledTime?: string;
    Namespace?: string;
    Partition?: string;
    readonly CreateIndex?: number;
    readonly ModifyIndex?: number;
    readonly Hash?: string | null;
};

export type TokenBucket = {
    Within: string;
    Count: number;
};

export type TokenName = {
    AccessorID: string;
    Description: string;
    /**
     * Auth method that created the token.
     */
    AuthMethod?: string;
    Namespace?: string;
    Partition?: string;
};

export type TrashEntry = {
    /**
     * ID of the entry.
     */
    ID: string;
    Kind: 'policy' | 'role' | 'token' | 'binding-rule' | 'auth-method' | 'namespace';
    /**
     * ID that the object has again; absent for auth methods and namespaces.
     */
    ObjectID?: string;
    /**
     * Name; the description of a token or binding rule.
     */
    Name: string;
    /**
     * Time of the deletion.
     */
    DeleteTime: string;
    /**
     * AccessorID of the token that deleted the object.
     */
    DeletedBy: string;
    /**
     * End of the time in which the object can be restored.
     */
    ExpirationTime: string;
    /**
     * Links to objects that no longer exist.
     */
    LeftOut?: Array<LostLink>;
    /**
     * Whether another object has the name.
     */
    NameTaken?: boolean;
    Namespace?: string;
    Partition?: string;
};

export type Unreplayable = {
    Total: number;
    /**
     * The token or identity no longer exists.
     */
    Subjects: number;
    /**
     * The record contains only the rule, not the name.
     */
    Names: number;
    /**
     * The result depends on claims of a login, which are not stored.
     */
    Claims: number;
};

export type UpdateOrganizationBody = {
    data: {
        type: 'organizations';
        id?: string;
        attributes?: {
            /**
             * At most 90 letters, digits, hyphens and underscores. Unique, ignoring case.
             */
            name?: string | null;
            email?: string | null;
        } & OrganizationSettings;
        relationships?: {
            'default-agent-pool'?: NoAgentPool;
        };
    };
};

export type UpdateProjectBody = {
    data: {
        type: 'projects';
        id?: string;
        attributes?: {
            /**
             * 3 to 40 letters, digits, spaces, hyphens and underscores; no space at either end. Unique, ignoring case.
             */
            name?: string | null;
        } & ProjectSettings;
        relationships?: {
            'default-agent-pool'?: NoAgentPool;
            'tag-bindings'?: TagBindingsRelationship;
        };
    };
};

export type UpdateReservedTagKeyBody = {
    data: {
        type: 'reserved-tag-keys';
        id?: string;
        attributes?: {
            /**
             * Tag key.
             */
            key?: string;
            /**
             * Whether workspaces may not override the value of their project.
             */
            'disable-overrides'?: boolean;
        };
    };
};

export type UpdateTagWebhookBody = {
    data: {
        type: 'tag-webhooks';
        id?: string;
        attributes?: {
            /**
             * Display name; need not be unique.
             */
            name?: string;
            /**
             * URL (https or http) that receives the records.
             */
            url?: string;
        } & TagWebhookSettings;
    };
};

export type UseColumns = {
    /**
     * Requests that Tessera decided and carried out.
     */
    Enforced: number;
    /**
     * Access checks of the caller's own permissions.
     */
    Own: number;
    /**
     * Access checks of another subject.
     */
    Others: number;
};

export type UseEntry = {
    Policy?: UsedPolicy;
    Rule?: UsedRule;
    Token?: UsingToken;
    Role?: Link;
    Identity?: UsingIdentity;
    BindingRule?: MatchedBindingRule;
    /**
     * AccessorID of a token, or METHOD/IDENTITY of a login. Empty: decision points without a recorded name.
     */
    DecisionPoint?: string;
    /**
     * Number of requests that used a permission.
     */
    Enforced: number;
    /**
     * Number of questions of callers about their own permissions.
     */
    Own: number;
    /**
     * Number of questions about the permissions of other subjects.
     */
    Others: number;
    /**
     * First day of use (UTC). Absent: never used.
     */
    FirstDay?: string;
    /**
     * Last day of use (UTC).
     */
    LastDay?: string;
    /**
     * Number of the last 30 days with a use. Absent: never used.
     */
    DaysUsed?: number;
    /**
     * Names that were accessed and that the caller may read, at most 50. Reports by rule only.
     */
    Names?: Array<UsedName>;
    /**
     * Whether uses of further names are counted.
     */
    OtherNames?: boolean;
};

export type UseLedger = {
    /**
     * Day since which the server records use without interruption. Missing: no use is recorded.
     */
    Since?: string;
    /**
     * Last day on which the limit of a namespace was reached, so that use is missing.
     */
    IncompleteOn?: string;
};

export type UseLink = {
    Kind: 'service' | 'node' | 'role' | 'policy' | 'templated-policy';
    /**
     * Absent for the template of a name, and for a name without an object.
     */
    ID?: string;
    Name: string;
};

export type UseReport = {
    /**
     * Day since which use is recorded without interruption. Absent: nothing is recorded.
     */
    Since?: string;
    /**
     * Last day on which uses of the namespace were not recorded because the limit was reached.
     */
    IncompleteOn?: string;
    Entries: Array<UseEntry>;
    /**
     * Whether there are more than 10,000 entries.
     */
    More?: boolean;
};

export type UsedName = {
    Name: string;
    Access: string;
    Total: number;
    LastDay: string;
};

export type UsedPolicy = {
    ID: string;
    Name?: string;
};

export type UsedRule = {
    Resource: string;
    Segment: string;
    Prefix?: boolean;
    /**
     * Permission of the rule.
     */
    Policy: string;
    /**
     * Line in the policy. Reports of one policy only.
     */
    Line?: number;
    /**
     * Namespace or partition block that contains the rule.
     */
    Block?: string;
};

export type User = {
    id: string;
    type: 'users';
    attributes: {
        /**
         * AccessorID of the token.
         */
        username: string;
        /**
         * Placeholder in a domain without mail.
         */
        email: string;
        'is-service-account': boolean;
        'auth-method': string;
        'avatar-url': null;
        'v2-only': boolean;
        'unconfirmed-email': null;
        'two-factor': {
            enabled: boolean;
            verified: boolean;
        };
        permissions: {
            'can-create-organizations': boolean;
            'can-change-email': boolean;
            'can-change-username': boolean;
            'can-manage-user-tokens': boolean;
            'can-view2fa-settings': boolean;
            'can-manage-hcp-account': boolean;
        };
    };
    relationships: Nothing;
    links: SelfLink;
};

export type UserDocument = {
    data: User;
};

export type UsesOfKind = {
    /**
     * Number of objects, counted up to 10,000.
     */
    Count: number;
    /**
     * Whether there are more.
     */
    More?: boolean;
    /**
     * The first 100.
     */
    First: Array<{
        /**
         * ID; AccessorID of a token, name of a namespace.
         */
        ID: string;
        /**
         * Name; description of a token or a binding rule.
         */
        Name?: string;
        Namespace?: string;
        Partition?: string;
        Tokens?: CountedTokens;
        /**
         * Object that a binding rule grants, or first 20 policies of a role.
         */
        Links?: Array<UseLink>;
    }>;
};

/**
 * Without Identity: identities that are recorded by their roles.
 */
export type UsingIdentity = {
    AuthMethod: string;
    Identity?: string;
};

export type UsingToken = {
    AccessorID: string;
    Description: string;
};

export type ViewBody = {
    ID?: string;
    /**
     * 1 to 100 characters, unique per list.
     */
    Name?: string;
    /**
     * Noun of the list, such as `roles`.
     */
    List?: string;
    /**
     * Share the view in the namespace. Requires acl:write.
     */
    Shared?: boolean;
    /**
     * Search and filters, as in the URL of the console.
     */
    Query?: {
        [key: string]: string;
    };
    Sort?: string;
    Columns?: Array<string>;
    Density?: '' | 'comfortable' | 'compact';
    Namespace?: string;
    Partition?: string;
    readonly CreateIndex?: number;
    readonly ModifyIndex?: number;
};

export type WantedRule = {
    /**
     * Minimal rule that allows the access.
     */
    Rules?: string;
    /**
     * Whether the deciding rule takes precedence: remove it before you add another rule.
     */
    Overruled?: boolean;
    /**
     * Existing roles that grant the access.
     */
    Roles: Array<Link>;
    /**
     * Whether all roles were checked.
     */
    RolesComplete: boolean;
};

export type Warning = {
    rule: string;
    detail: string;
};

/**
 * Violations of the tag policy, if any.
 */
export type Warnings = {
    warnings?: Array<Warning>;
};

export type WarningsDocument = {
    meta?: Warnings;
};

export type Workspace = {
    id: string;
    type: 'workspaces';
    attributes: {
        name: string;
        'allow-destroy-plan': boolean;
        'assessments-enabled': boolean;
        'auto-apply': boolean;
        'auto-apply-run-trigger': boolean;
        'auto-destroy-at': string | null;
        'auto-destroy-activity-duration': string | null;
        'inherits-project-auto-destroy': boolean;
        description: string | null;
        'file-triggers-enabled': boolean;
        'global-remote-state': boolean;
        'project-remote-state': boolean;
        'hyok-enabled': boolean;
        'migration-environment': string;
        'queue-all-runs': boolean;
        'speculative-enabled': boolean;
        'source-name': string;
        'source-url': string;
        'structured-run-output-enabled': boolean;
        'terraform-version': string;
        'trigger-patterns': Array<unknown>;
        'trigger-prefixes': Array<unknown>;
        'working-directory': string;
        'execution-mode': string;
        operations: boolean;
        'setting-overwrites': {
            'execution-mode': boolean;
            'agent-pool': boolean;
        };
        'tag-names': Array<string>;
        locked: boolean;
        'locked-reason': string;
        'created-at': string;
        'updated-at': string;
        'latest-change-at': string;
        'apply-duration-average': number;
        'auto-destroy-status': null;
        'can-queue-destroy-plan': boolean;
        environment: string;
        'no-code-upgrade-available': boolean;
        'plan-duration-average': number;
        'policy-check-failures': number;
        'resource-count': number;
        'run-failures': number;
        source: string;
        'source-module-id': null;
        'vcs-repo': null;
        'vcs-repo-identifier': null;
        'workspace-kpis-runs-count': number;
        actions: {
            'is-destroyable': boolean;
        };
        permissions: {
            'can-update': boolean;
            'can-destroy': boolean;
            'can-force-delete': boolean;
            'can-queue-run': boolean;
            'can-queue-apply': boolean;
            'can-queue-destroy': boolean;
            'can-create-state-versions': boolean;
            'can-read-state-versions': boolean;
            'can-read-state-outputs': boolean;
            'can-read-variable': boolean;
            'can-update-variable': boolean;
            'can-lock': boolean;
            'can-unlock': boolean;
            'can-force-unlock': boolean;
            'can-read-settings': boolean;
            'can-manage-tags': boolean;
            'can-manage-run-tasks': boolean;
            'can-manage-assessments': boolean;
            'can-read-assessment-results': boolean;
            'can-manage-ephemeral-workspaces': boolean;
            'can-read-run': boolean;
            'can-manage-hyok': boolean;
        };
    };
    relationships: {
        organization: Relationship;
        project: Relationship;
        'agent-pool': Relationship;
        'current-configuration-version': Relationship;
        'current-run': Relationship;
        'current-state-version': Relationship;
        'latest-run': Relationship;
        'locked-by': Relationship;
        outputs: Relationship;
        readme: Relationship;
        'ssh-key': Relationship;
        vars: Relationship;
        'effective-tag-bindings': Relationship;
        'remote-state-consumers': Relationship;
        'tag-bindings': Relationship;
    };
    links: {
        self: string;
        'self-html': string;
    };
};

export type WorkspaceDocument = {
    data: Workspace;
    included?: Array<IncludedResource>;
};

/**
 * Filter of workspaces. Empty: all workspaces that the caller may read.
 */
export type WorkspaceFilter = {
    /**
     * Text that the name contains, ignoring case.
     */
    name?: string;
    /**
     * Whole name, with * for any text.
     */
    wildcard?: string;
    /**
     * Tags or tag keys, all of which the workspace has.
     */
    tags?: Array<string>;
    /**
     * Tags or tag keys, none of which the workspace has.
     */
    'exclude-tags'?: Array<string>;
    /**
     * Effective tag keys and values, own and inherited.
     */
    bindings?: Array<{
        key: string;
        /**
         * Default: any.
         */
        value?: string;
    }>;
    /**
     * Project ID.
     */
    project?: string;
};

export type WorkspacePage = {
    data: Array<Workspace>;
    included?: Array<IncludedResource>;
    links: PageLinks;
    meta: PageMeta;
};

export type WrittenProjectDocument = {
    data: Project;
    meta?: Warnings;
};

export type WrittenTagBindingList = {
    data: Array<TagBinding>;
    meta?: Warnings;
};

export type WrittenTagDocument = {
    data: Tag;
    meta?: Warnings;
};

export type WrittenTagList = {
    data: Array<Tag>;
    meta?: Warnings;
};

export type WrittenTagWebhookDocument = {
    data: TagWebhook;
    meta: {
        /**
         * Status of the response of the target.
         */
        status: string;
    };
};

export type WrittenWorkspaceDocument = {
    data: Workspace;
    meta?: Warnings;
};

export type AuthMethodBodyWritable = {
    Name?: string;
    /**
     * Empty: the configuration of the stored auth method.
     */
    Type?: '' | 'aws-iam' | 'jwt' | 'kubernetes' | 'oidc';
    /**
     * 8192 bytes at most.
     */
    DisplayName?: string;
    /**
     * 8192 bytes at most.
     */
    Description?: string;
    /**
     * A duration such as 1h30m.
     */
    MaxTokenTTL?: string;
    TokenLocality?: '' | 'local' | 'global';
    /**
     * Not supported. Must be empty.
     */
    TokenNameFormat?: string;
    Namespace?: string;
    Partition?: string;
    Config?: {
        [key: string]: unknown;
    };
    NamespaceRules?: Array<NamespaceRuleBody>;
};

export type BindingRuleBodyWritable = {
    ID?: string;
    /**
     * 8192 bytes at most.
     */
    Description?: string;
    AuthMethod?: string;
    Selector?: string;
    BindType?: 'service' | 'node' | 'role' | 'policy' | 'templated-policy';
    BindName?: string;
    BindVars?: PreviewTemplatedPolicyBody;
    Namespace?: string;
    Partition?: string;
};

export type BindingRuleToCheckWritable = {
    ID?: string;
    /**
     * 8192 bytes at most.
     */
    Description?: string;
    AuthMethod?: string;
    Selector?: string;
    BindType?: 'service' | 'node' | 'role' | 'policy' | 'templated-policy';
    BindName?: string;
    BindVars?: PreviewTemplatedPolicyBody;
    Namespace?: string;
    Partition?: string;
    Method?: AuthMethodBodyWritable;
};

export type CreateDeclarationBodyWritable = {
    ID?: string;
    Name?: string;
    /**
     * 8192 bytes at most.
     */
    Description?: string;
    /**
     * At most 921600 bytes as JSON.
     */
    Objects?: Array<string>;
    Namespace?: string;
    Partition?: string;
};

export type DecisionMappingBodyWritable = {
    Name?: string;
    /**
     * 8192 bytes at most.
     */
    Description?: string;
    /**
     * At most 65536 bytes as JSON.
     */
    SubjectTypes?: Array<SubjectTypeBody>;
    /**
     * At most 131072 bytes as JSON.
     */
    ResourceTypes?: Array<ResourceTypeBody>;
    Namespace?: string;
    Partition?: string;
};

export type EffectBodyWritable = {
    Policies?: Array<PolicyBodyWritable>;
    Roles?: Array<RoleBodyWritable>;
    Tokens?: Array<TokenBodyWritable>;
    DeletedPolicies?: Array<LinkBody>;
    DeletedRoles?: Array<LinkBody>;
    Namespaces?: Array<NamespaceBodyWritable>;
    Namespace?: string;
    Partition?: string;
};

export type ListAuditEntryWritable = {
    [key: string]: unknown;
};

export type NamespaceBodyWritable = {
    Name?: string;
    /**
     * 8192 bytes at most.
     */
    Description?: string;
    ACLs?: {
        PolicyDefaults?: Array<LinkBody>;
        RoleDefaults?: Array<LinkBody>;
    };
    Meta?: {
        [key: string]: string;
    };
    Partition?: string;
};

export type NothingWritable = {
    [key: string]: unknown;
};

export type PartitionBodyWritable = {
    Name?: string;
    /**
     * 8192 bytes at most.
     */
    Description?: string;
    DisableGossip?: boolean;
};

export type PolicyBodyWritable = {
    ID?: string;
    Name?: string;
    /**
     * 8192 bytes at most.
     */
    Description?: string;
    Rules?: string;
    /**
     * At most 2048 bytes as JSON.
     */
    Datacenters?: Array<string>;
    Namespace?: string;
    Partition?: string;
};

export type ReplayBodyWritable = {
    Policies?: Array<PolicyBodyWritable>;
    Roles?: Array<RoleBodyWritable>;
    Tokens?: Array<TokenBodyWritable>;
    DeletedPolicies?: Array<LinkBody>;
    DeletedRoles?: Array<LinkBody>;
    Namespaces?: Array<NamespaceBodyWritable>;
    BindingRules?: Array<BindingRuleBodyWritable>;
    DeletedBindingRules?: Array<DeletedBindingRule>;
    Namespace?: string;
    Partition?: string;
};

export type RoleBodyWritable = {
    ID?: string;
    Name?: string;
    /**
     * 8192 bytes at most.
     */
    Description?: string;
    Policies?: Array<LinkBody>;
    /**
     * At most 65536 bytes as JSON.
     */
    ServiceIdentities?: Array<ServiceIdentityBody>;
    /**
     * At most 65536 bytes as JSON.
     */
    NodeIdentities?: Array<NodeIdentityBody>;
    /**
     * At most 65536 bytes as JSON.
     */
    TemplatedPolicies?: Array<TemplatedPolicyGrantBody>;
    Namespace?: string;
    Partition?: string;
};

export type TokenBodyWritable = {
    /**
     * Can be set at creation with operator:write, or with acl:write in the default namespace of the partition.
     */
    AccessorID?: string;
    SecretID?: string;
    /**
     * Not supported. Must be empty.
     */
    Name?: string;
    /**
     * 8192 bytes at most.
     */
    Description?: string;
    Roles?: Array<LinkBody>;
    Policies?: Array<LinkBody>;
    /**
     * At most 65536 bytes as JSON.
     */
    ServiceIdentities?: Array<ServiceIdentityBody>;
    /**
     * At most 65536 bytes as JSON.
     */
    NodeIdentities?: Array<NodeIdentityBody>;
    /**
     * At most 65536 bytes as JSON.
     */
    TemplatedPolicies?: Array<TemplatedPolicyGrantBody>;
    Local?: boolean;
    AuthMethod?: string;
    AuthMethodNamespace?: string;
    ExpirationTime?: string;
    /**
     * A duration such as 1h30m.
     */
    ExpirationTTL?: string;
    CreateTime?: string;
    Namespace?: string;
    Partition?: string;
};

export type ViewBodyWritable = {
    ID?: string;
    /**
     * 1 to 100 characters, unique per list.
     */
    Name?: string;
    /**
     * Noun of the list, such as `roles`.
     */
    List?: string;
    /**
     * Share the view in the namespace. Requires acl:write.
     */
    Shared?: boolean;
    /**
     * Search and filters, as in the URL of the console.
     */
    Query?: {
        [key: string]: string;
    };
    Sort?: string;
    Columns?: Array<string>;
    Density?: '' | 'comfortable' | 'compact';
    Namespace?: string;
    Partition?: string;
};

/**
 * ETags that the client has; 304 if the response matches one of them.
 */
export type IfNoneMatch = string;

/**
 * With if-none-match, `wait=60`: respond on a change, or after this number of seconds.
 */
export type Prefer = string;

/**
 * Page number, from 1, or next-page of the previous page. Pages end early at 8 MiB.
 */
export type PageNumber = string;

/**
 * Entries per page. Maximum: 100. Default: 20.
 */
export type PageSize = string;

/**
 * Name of the organization.
 */
export type OrganizationName = string;

/**
 * Text that the name contains, ignoring case.
 */
export type Q = string;

/**
 * Effective tag key, in the case in which it was set.
 */
export type FilterTagged0Key = string;

/**
 * Tag value. Default: any.
 */
export type FilterTagged0Value = string;

/**
 * Single tag key, without an index.
 */
export type FilterTagged = string;

/**
 * Tag value.
 */
export type FilterTaggedValue = string;

/**
 * true: any of the tag keys is sufficient.
 */
export type FilterTagUnion = string;

/**
 * true: a tag key without a value matches only the key without a value.
 */
export type FilterTagValueDefaultNull = string;

/**
 * First characters of the IDs: the prefix and at least 4 more, case-sensitive.
 */
export type FilterIdPrefix = string;

/**
 * effective_tag_bindings.
 */
export type Include = string;

/**
 * ID of the project.
 */
export type ProjectId = string;

/**
 * ID of the tag.
 */
export type TagId = string;

/**
 * Project ID.
 */
export type FilterProjectId = string;

/**
 * organization, project, locked_by, effective_tag_bindings. Names of runs, states and similar have no effect.
 */
export type IncludeParam = string;

/**
 * ID of the workspace.
 */
export type WorkspaceId = string;

/**
 * Name of the workspace.
 */
export type WorkspaceName = string;

/**
 * ID of the reserved tag key.
 */
export type ReservedTagKeyId = string;

/**
 * ID of the tag job.
 */
export type TagJobId = string;

/**
 * ID of the webhook.
 */
export type WebhookId = string;

/**
 * Partition. Default: the partition of the token.
 */
export type PartitionParam = string;

/**
 * Blocking query: wait until the index is greater than this X-Service-Index.
 */
export type Index = string;

/**
 * Maximum wait, such as 5m.
 */
export type Wait = string;

/**
 * Allow a replica to answer. Without it, and with `consistent`, the primary answers.
 */
export type Stale = string;

/**
 * Use the current permissions. Without it, permissions can be up to one second old.
 */
export type Consistent = string;

/**
 * Maximum replication lag of a replica that answers, such as 10s.
 */
export type MaxStale = string;

/**
 * Namespace. Default: the namespace of the token.
 */
export type Ns = string;

/**
 * Write only if the object has this ModifyIndex; else 409.
 */
export type Cas = string;

/**
 * ID of the policy.
 */
export type Id = string;

/**
 * Namespace to list; `*` for all namespaces that the caller may read. Default: the namespace of the token.
 */
export type NsParam = string;

/**
 * Maximum number of entries; fewer if entries are large. The header X-Service-Next contains the cursor of the next page.
 */
export type PageSizeParam = string;

/**
 * Maximum number of entries, 1 to 1000, in the order of `sort`. X-Tessera-Next contains the cursor of the next page, X-Tessera-Total the number of all entries.
 */
export type Limit = string;

/**
 * X-Service-Next of the previous page; with `limit`, its X-Tessera-Next.
 */
export type After = string;

/**
 * Only entries that contain this text, ignoring case.
 */
export type Search = string;

/**
 * With `limit`: member to sort by; prefix with - for descending order.
 */
export type Sort = string;

/**
 * With `limit`: first sort value of the page.
 */
export type At = string;

/**
 * With `limit`: only entries with this ID prefix, at least 4 characters of a UUID.
 */
export type IdPrefix = string;

/**
 * ID of the role.
 */
export type IdParam = string;

/**
 * AccessorID of the token.
 */
export type Accessor = string;

/**
 * Name, such as `builtin/service`; the slash needs no escape.
 */
export type Name = string;

/**
 * Return the deciding rule and policy; requires acl:read. Default: `false`.
 */
export type Explain = string;

/**
 * Namespace of checks without a namespace. Default: `default`.
 */
export type NsParam2 = string;

/**
 * Partition of checks without a partition. Default: `default`.
 */
export type PartitionParam2 = string;

/**
 * Only `role`, `binding-rule` or `token`.
 */
export type Kind = string;

/**
 * Maximum number of entries. Default: 100. The header X-Service-Next contains the cursor of the next page.
 */
export type PageSizeParam2 = string;

/**
 * X-Service-Next of the previous page.
 */
export type AfterParam = string;

/**
 * ID of a policy.
 */
export type PolicyParam = string;

/**
 * ID of a role.
 */
export type RoleParam = string;

/**
 * Name of an auth method.
 */
export type AuthMethodParam = string;

/**
 * true: decisions come with their reason; requires acl:read.
 */
export type ExplainParam = string;

export type UpdateOrganizationRequest = UpdateOrganizationBody;

export type NothingRequest = NothingWritable;

export type CreateWorkspaceRequest = CreateWorkspaceBody;

export type AddWorkspaceTagsRequest = AddWorkspaceTagsBody;

export type AddTagWorkspacesRequest = AddTagWorkspacesBody;

export type TagBindingsRequest = TagBindingsBody;

export type UpdateReservedTagKeyRequest = UpdateReservedTagKeyBody;

export type PolicyRequest = PolicyBodyWritable;

export type RoleRequest = RoleBodyWritable;

export type CreateDeclarationRequest = CreateDeclarationBodyWritable;

export type DecisionMappingRequest = DecisionMappingBodyWritable;

/**
 * At most 4096 bytes as JSON.
 */
export type ViewRequest = ViewBodyWritable;

export type TokenRequest = TokenBodyWritable;

export type AuthMethodRequest = AuthMethodBodyWritable;

export type BindingRuleRequest = BindingRuleBodyWritable;

export type QuestionRequest = Array<Question>;

export type NamespaceRequest = NamespaceBodyWritable;

export type PartitionRequest = PartitionBodyWritable;

export type GetHealthData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/healthz';
};

export type GetHealthResponses = {
    /**
     * The process is running.
     */
    200: string;
};

export type GetHealthResponse = GetHealthResponses[keyof GetHealthResponses];

export type GetReadinessData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Return the result of each check; any value.
         */
        verbose?: string;
    };
    url: '/readyz';
};

export type GetReadinessResponses = {
    /**
     * Storage is ready, and a write succeeded in the last 10 s. With `verbose`: one line per check, then this line.
     */
    200: string;
};

export type GetReadinessResponse = GetReadinessResponses[keyof GetReadinessResponses];

export type GetMetricsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/metrics';
};

export type GetMetricsResponses = {
    /**
     * Metrics.
     */
    200: string;
};

export type GetMetricsResponse = GetMetricsResponses[keyof GetMetricsResponses];

export type DiscoverServicesData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/.well-known/terraform.json';
};

export type DiscoverServicesResponses = {
    /**
     * Services and their paths.
     */
    200: DiscoverServicesAnswer;
};

export type DiscoverServicesResponse = DiscoverServicesResponses[keyof DiscoverServicesResponses];

export type ReadDecisionPointMetadataData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/.well-known/authzen-configuration';
};

export type ReadDecisionPointMetadataResponses = {
    /**
     * Identifier and endpoints of the decision point.
     */
    200: ReadDecisionPointMetadataAnswer;
};

export type ReadDecisionPointMetadataResponse = ReadDecisionPointMetadataResponses[keyof ReadDecisionPointMetadataResponses];

export type PingData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v2/ping';
};

export type PingResponses = {
    /**
     * The API is available.
     */
    204: void;
};

export type PingResponse = PingResponses[keyof PingResponses];

export type ReadOwnAccountData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 if the response matches one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: respond on a change, or after this number of seconds.
         */
        prefer?: string;
    };
    path?: never;
    query?: never;
    url: '/api/v2/account/details';
};

export type ReadOwnAccountResponses = {
    /**
     * Account of the token.
     */
    200: UserDocument;
};

export type ReadOwnAccountResponse = ReadOwnAccountResponses[keyof ReadOwnAccountResponses];

export type ListOrganizationsData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 if the response matches one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: respond on a change, or after this number of seconds.
         */
        prefer?: string;
    };
    path?: never;
    query?: {
        /**
         * Text that the name or the email contains, ignoring case.
         */
        q?: string;
        /**
         * Text that the name contains.
         */
        'q[name]'?: string;
        /**
         * Text that the email contains.
         */
        'q[email]'?: string;
        /**
         * Page number, from 1, or next-page of the previous page. Pages end early at 8 MiB.
         */
        'page[number]'?: string;
        /**
         * Entries per page. Maximum: 100. Default: 20.
         */
        'page[size]'?: string;
    };
    url: '/api/v2/organizations';
};

export type ListOrganizationsResponses = {
    /**
     * Page of organizations. Without page parameters: all organizations, without links and meta.
     */
    200: OrganizationPage;
};

export type ListOrganizationsResponse = ListOrganizationsResponses[keyof ListOrganizationsResponses];

export type CreateOrganizationData = {
    body: CreateOrganizationBody;
    path?: never;
    query?: never;
    url: '/api/v2/organizations';
};

export type CreateOrganizationResponses = {
    /**
     * The organization.
     */
    201: OrganizationDocument;
};

export type CreateOrganizationResponse = CreateOrganizationResponses[keyof CreateOrganizationResponses];

export type DeleteOrganizationData = {
    body: NothingRequest;
    path: {
        /**
         * Name of the organization.
         */
        organization_name: string;
    };
    query?: never;
    url: '/api/v2/organizations/{organization_name}';
};

export type DeleteOrganizationResponses = {
    /**
     * Deleted.
     */
    204: void;
};

export type DeleteOrganizationResponse = DeleteOrganizationResponses[keyof DeleteOrganizationResponses];

export type ReadOrganizationData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 if the response matches one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: respond on a change, or after this number of seconds.
         */
        prefer?: string;
    };
    path: {
        /**
         * Name of the organization.
         */
        organization_name: string;
    };
    query?: {
        /**
         * default_project, entitlement_set; subscription is accepted and has no effect.
         */
        include?: string;
    };
    url: '/api/v2/organizations/{organization_name}';
};

export type ReadOrganizationResponses = {
    /**
     * Organization. If the token may only read workspaces: its name, and permissions that are all false.
     */
    200: SeenOrganizationDocument;
};

export type ReadOrganizationResponse = ReadOrganizationResponses[keyof ReadOrganizationResponses];

export type UpdateOrganizationData = {
    body: UpdateOrganizationRequest;
    path: {
        /**
         * Name of the organization.
         */
        organization_name: string;
    };
    query?: never;
    url: '/api/v2/organizations/{organization_name}';
};

export type UpdateOrganizationResponses = {
    /**
     * The organization.
     */
    200: OrganizationDocument;
};

export type UpdateOrganizationResponse = UpdateOrganizationResponses[keyof UpdateOrganizationResponses];

export type ReplaceOrganizationData = {
    body: UpdateOrganizationRequest;
    path: {
        /**
         * Name of the organization.
         */
        organization_name: string;
    };
    query?: never;
    url: '/api/v2/organizations/{organization_name}';
};

export type ReplaceOrganizationResponses = {
    /**
     * The organization.
     */
    200: OrganizationDocument;
};

export type ReplaceOrganizationResponse = ReplaceOrganizationResponses[keyof ReplaceOrganizationResponses];

export type ReadEntitlementSetData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 if the response matches one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: respond on a change, or after this number of seconds.
         */
        prefer?: string;
    };
    path: {
        /**
         * Name of the organization.
         */
        organization_name: string;
    };
    query?: never;
    url: '/api/v2/organizations/{organization_name}/entitlement-set';
};

export type ReadEntitlementSetResponses = {
    /**
     * Entitlements of the organization.
     */
    200: EntitlementSetDocument;
};

export type ReadEntitlementSetResponse = ReadEntitlementSetResponses[keyof ReadEntitlementSetResponses];

export type ListProjectsData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 if the response matches one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: respond on a change, or after this number of seconds.
         */
        prefer?: string;
    };
    path: {
        /**
         * Name of the organization.
         */
        organization_name: string;
    };
    query?: {
        /**
         * Text that the name contains, ignoring case.
         */
        q?: string;
        /**
         * Comma-separated project names, ignoring case. Maximum: 100.
         */
        'filter[names]'?: string;
        /**
         * Effective tag key, in the case in which it was set.
         */
        'filter[tagged][0][key]'?: string;
        /**
         * Tag value. Default: any.
         */
        'filter[tagged][0][value]'?: string;
        /**
         * Single tag key, without an index.
         */
        'filter[tagged]'?: string;
        /**
         * Tag value.
         */
        'filter[tagged][value]'?: string;
        /**
         * true: any of the tag keys is sufficient.
         */
        'filter[tag-union]'?: string;
        /**
         * true: a tag key without a value matches only the key without a value.
         */
        'filter[tag-value-default-null]'?: string;
        /**
         * First characters of the IDs: the prefix and at least 4 more, case-sensitive.
         */
        'filter[id-prefix]'?: string;
        /**
         * true: only projects that the token may change. false: only the others.
         */
        'filter[permissions][update]'?: string;
        /**
         * true: only projects in which the token may create workspaces. false: only the others.
         */
        'filter[permissions][create-workspace]'?: string;
        /**
         * name, or -name for descending order. Default: newest first.
         */
        sort?: string;
        /**
         * effective_tag_bindings.
         */
        include?: string;
        /**
         * Page number, from 1, or next-page of the previous page. Pages end early at 8 MiB.
         */
        'page[number]'?: string;
        /**
         * Entries per page. Maximum: 100. Default: 20.
         */
        'page[size]'?: string;
    };
    url: '/api/v2/organizations/{organization_name}/projects';
};

export type ListProjectsResponses = {
    /**
     * Page of projects.
     */
    200: ProjectPage;
};

export type ListProjectsResponse = ListProjectsResponses[keyof ListProjectsResponses];

export type CreateProjectData = {
    body: CreateProjectBody;
    path: {
        /**
         * Name of the organization.
         */
        organization_name: string;
    };
    query?: never;
    url: '/api/v2/organizations/{organization_name}/projects';
};

export type CreateProjectResponses = {
    /**
     * Project, with violations of the tag policy.
     */
    201: WrittenProjectDocument;
};

export type CreateProjectResponse = CreateProjectResponses[keyof CreateProjectResponses];

export type DeleteProjectData = {
    body: NothingRequest;
    path: {
        /**
         * ID of the project.
         */
        project_id: string;
    };
    query?: never;
    url: '/api/v2/projects/{project_id}';
};

export type DeleteProjectResponses = {
    /**
     * Deleted.
     */
    204: void;
};

export type DeleteProjectResponse = DeleteProjectResponses[keyof DeleteProjectResponses];

export type ReadProjectData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 if the response matches one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: respond on a change, or after this number of seconds.
         */
        prefer?: string;
    };
    path: {
        /**
         * ID of the project.
         */
        project_id: string;
    };
    query?: {
        /**
         * effective_tag_bindings.
         */
        include?: string;
    };
    url: '/api/v2/projects/{project_id}';
};

export type ReadProjectResponses = {
    /**
     * The project.
     */
    200: ProjectDocument;
};

export type ReadProjectResponse = ReadProjectResponses[keyof ReadProjectResponses];

export type UpdateProjectData = {
    body: UpdateProjectBody;
    path: {
        /**
         * ID of the project.
         */
        project_id: string;
    };
    query?: never;
    url: '/api/v2/projects/{project_id}';
};

export type UpdateProjectResponses = {
    /**
     * Project, with violations of the tag policy.
     */
    200: WrittenProjectDocument;
};

export type UpdateProjectResponse = UpdateProjectResponses[keyof UpdateProjectResponses];

export type MoveWorkspacesData = {
    body: MoveWorkspacesBody;
    path: {
        /**
         * ID of the project.
         */
        project_id: string;
    };
    query?: never;
    url: '/api/v2/projects/{project_id}/relationships/workspaces';
};

export type MoveWorkspacesResponses = {
    /**
     * Done, with violations of the tag policy.
     */
    200: WarningsDocument;
    /**
     * All workspaces are in the project.
     */
    204: void;
};

export type MoveWorkspacesResponse = MoveWorkspacesResponses[keyof MoveWorkspacesResponses];

export type DeleteTagsData = {
    body: DeleteTagsBody;
    path: {
        /**
         * Name of the organization.
         */
        organization_name: string;
    };
    query?: never;
    url: '/api/v2/organizations/{organization_name}/tags';
};

export type DeleteTagsResponses = {
    /**
     * Done, with violations of the tag policy.
     */
    200: WarningsDocument;
    /**
     * Deleted.
     */
    204: void;
};

export type DeleteTagsResponse = DeleteTagsResponses[keyof DeleteTagsResponses];

export type ListTagsData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 if the response matches one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: respond on a change, or after this number of seconds.
         */
        prefer?: string;
    };
    path: {
        /**
         * Name of the organization.
         */
        organization_name: string;
    };
    query?: {
        /**
         * Page number, from 1, or next-page of the previous page. Pages end early at 8 MiB.
         */
        'page[number]'?: string;
        /**
         * Entries per page. Maximum: 100. Default: 20.
         */
        'page[size]'?: string;
        /**
         * Text that the name contains, ignoring case.
         */
        q?: string;
        /**
         * ID of a workspace whose tags are excluded. An unknown ID excludes none.
         */
        'filter[exclude][taggable][id]'?: string;
        /**
         * true: only unused tags. false: only used tags.
         */
        'filter[unused]'?: string;
        /**
         * true: only tag keys. false: only tags without a value.
         */
        'filter[key]'?: string;
        /**
         * Minimum number of workspaces that have the tag.
         */
        'filter[instance-count][gte]'?: string;
        /**
         * Maximum number of workspaces that have the tag.
         */
        'filter[instance-count][lte]'?: string;
        /**
         * First characters of the IDs: the prefix and at least 4 more, case-sensitive.
         */
        'filter[id-prefix]'?: string;
        /**
         * name, count (or instance-count) or created-at; prefix with - for descending order. Ties are sorted by name.
         */
        sort?: string;
        /**
         * values: values of each tag key and their numbers of uses.
         */
        include?: string;
    };
    url: '/api/v2/organizations/{organization_name}/tags';
};

export type ListTagsResponses = {
    /**
     * Page of tags.
     */
    200: TagPage;
};

export type ListTagsResponse = ListTagsResponses[keyof ListTagsResponses];

export type CreateTagsData = {
    body: CreateTagsBody;
    path: {
        /**
         * Name of the organization.
         */
        organization_name: string;
    };
    query?: never;
    url: '/api/v2/organizations/{organization_name}/tags';
};

export type CreateTagsResponses = {
    /**
     * New and existing tags in the order of the request.
     */
    201: WrittenTagList;
};

export type CreateTagsResponse = CreateTagsResponses[keyof CreateTagsResponses];

export type ReadTagData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 if the response matches one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: respond on a change, or after this number of seconds.
         */
        prefer?: string;
    };
    path: {
        /**
         * ID of the tag.
         */
        tag_id: string;
    };
    query?: never;
    url: '/api/v2/tags/{tag_id}';
};

export type ReadTagResponses = {
    /**
     * The tag.
     */
    200: TagDocument;
};

export type ReadTagResponse = ReadTagResponses[keyof ReadTagResponses];

export type RenameTagData = {
    body: RenameTagBody;
    path: {
        /**
         * ID of the tag.
         */
        tag_id: string;
    };
    query?: never;
    url: '/api/v2/tags/{tag_id}';
};

export type RenameTagResponses = {
    /**
     * The tag.
     */
    200: WrittenTagDocument;
};

export type RenameTagResponse = RenameTagResponses[keyof RenameTagResponses];

export type ListAlikeTagsData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 if the response matches one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: respond on a change, or after this number of seconds.
         */
        prefer?: string;
    };
    path: {
        /**
         * Name of the organization.
         */
        organization_name: string;
    };
    query?: {
        /**
         * Page number, from 1, or next-page of the previous page. Pages end early at 8 MiB.
         */
        'page[number]'?: string;
        /**
         * Entries per page. Maximum: 100. Default: 20.
         */
        'page[size]'?: string;
    };
    url: '/api/v2/organizations/{organization_name}/tags/alike';
};

export type ListAlikeTagsResponses = {
    /**
     * Page of groups of similar tags.
     */
    200: AlikeTagPage;
};

export type ListAlikeTagsResponse = ListAlikeTagsResponses[keyof ListAlikeTagsResponses];

export type ListWorkspacesData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 if the response matches one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: respond on a change, or after this number of seconds.
         */
        prefer?: string;
    };
    path: {
        /**
         * Name of the organization.
         */
        organization_name: string;
    };
    query?: {
        /**
         * Page number, from 1, or next-page of the previous page. Pages end early at 8 MiB.
         */
        'page[number]'?: string;
        /**
         * Entries per page. Maximum: 100. Default: 20.
         */
        'page[size]'?: string;
        /**
         * Text that the name contains, ignoring case.
         */
        'search[name]'?: string;
        /**
         * Name, with * for any text.
         */
        'search[wildcard-name]'?: string;
        /**
         * Comma-separated names of tags or tag keys, all of which the workspace has.
         */
        'search[tags]'?: string;
        /**
         * Names of tags, none of which the workspace has.
         */
        'search[exclude-tags]'?: string;
        /**
         * Alternative spelling of search[exclude-tags].
         */
        'search[exclude_tags]'?: string;
        /**
         * Effective tag key, in the case in which it was set.
         */
        'filter[tagged][0][key]'?: string;
        /**
         * Tag value. Default: any.
         */
        'filter[tagged][0][value]'?: string;
        /**
         * Single tag key, without an index.
         */
        'filter[tagged]'?: string;
        /**
         * Tag value.
         */
        'filter[tagged][value]'?: string;
        /**
         * true: any of the tag keys is sufficient.
         */
        'filter[tag-union]'?: string;
        /**
         * true: a tag key without a value matches only the key without a value.
         */
        'filter[tag-value-default-null]'?: string;
        /**
         * Project ID.
         */
        'filter[project][id]'?: string;
        /**
         * First characters of the IDs: the prefix and at least 4 more, case-sensitive.
         */
        'filter[id-prefix]'?: string;
        /**
         * Runs are not supported, so nothing matches.
         */
        'filter[current-run][status]'?: string;
        /**
         * name, created-at or latest-change-at; prefix with - for descending order.
         */
        sort?: string;
        /**
         * organization, project, locked_by, effective_tag_bindings. Names of runs, states and similar have no effect.
         */
        include?: string;
    };
    url: '/api/v2/organizations/{organization_name}/workspaces';
};

export type ListWorkspacesResponses = {
    /**
     * Page of workspaces.
     */
    200: WorkspacePage;
};

export type ListWorkspacesResponse = ListWorkspacesResponses[keyof ListWorkspacesResponses];

export type CreateWorkspaceData = {
    body: CreateWorkspaceRequest;
    path: {
        /**
         * Name of the organization.
         */
        organization_name: string;
    };
    query?: never;
    url: '/api/v2/organizations/{organization_name}/workspaces';
};

export type CreateWorkspaceResponses = {
    /**
     * Workspace, with violations of the tag policy.
     */
    201: WrittenWorkspaceDocument;
};

export type CreateWorkspaceResponse = CreateWorkspaceResponses[keyof CreateWorkspaceResponses];

export type DeleteWorkspaceData = {
    body: NothingRequest;
    path: {
        /**
         * ID of the workspace.
         */
        workspace_id: string;
    };
    query?: never;
    url: '/api/v2/workspaces/{workspace_id}';
};

export type DeleteWorkspaceResponses = {
    /**
     * Deleted.
     */
    204: void;
};

export type DeleteWorkspaceResponse = DeleteWorkspaceResponses[keyof DeleteWorkspaceResponses];

export type ReadWorkspaceData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 if the response matches one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: respond on a change, or after this number of seconds.
         */
        prefer?: string;
    };
    path: {
        /**
         * ID of the workspace.
         */
        workspace_id: string;
    };
    query?: {
        /**
         * organization, project, locked_by, effective_tag_bindings. Names of runs, states and similar have no effect.
         */
        include?: string;
    };
    url: '/api/v2/workspaces/{workspace_id}';
};

export type ReadWorkspaceResponses = {
    /**
     * The workspace.
     */
    200: WorkspaceDocument;
};

export type ReadWorkspaceResponse = ReadWorkspaceResponses[keyof ReadWorkspaceResponses];

export type UpdateWorkspaceData = {
    body: CreateWorkspaceRequest;
    path: {
        /**
         * ID of the workspace.
         */
        workspace_id: string;
    };
    query?: never;
    url: '/api/v2/workspaces/{workspace_id}';
};

export type UpdateWorkspaceResponses = {
    /**
     * Workspace, with violations of the tag policy.
     */
    200: WrittenWorkspaceDocument;
};

export type UpdateWorkspaceResponse = UpdateWorkspaceResponses[keyof UpdateWorkspaceResponses];

export type SafeDeleteWorkspaceData = {
    body: NothingRequest;
    path: {
        /**
         * ID of the workspace.
         */
        workspace_id: string;
    };
    query?: never;
    url: '/api/v2/workspaces/{workspace_id}/actions/safe-delete';
};

export type SafeDeleteWorkspaceResponses = {
    /**
     * Deleted.
     */
    204: void;
};

export type SafeDeleteWorkspaceResponse = SafeDeleteWorkspaceResponses[keyof SafeDeleteWorkspaceResponses];

export type DeleteWorkspaceByNameData = {
    body: NothingRequest;
    path: {
        /**
         * Name of the organization.
         */
        organization_name: string;
        /**
         * Name of the workspace.
         */
        workspace_name: string;
    };
    query?: never;
    url: '/api/v2/organizations/{organization_name}/workspaces/{workspace_name}';
};

export type DeleteWorkspaceByNameResponses = {
    /**
     * Deleted.
     */
    204: void;
};

export type DeleteWorkspaceByNameResponse = DeleteWorkspaceByNameResponses[keyof DeleteWorkspaceByNameResponses];

export type ReadWorkspaceByNameData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 if the response matches one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: respond on a change, or after this number of seconds.
         */
        prefer?: string;
    };
    path: {
        /**
         * Name of the organization.
         */
        organization_name: string;
        /**
         * Name of the workspace.
         */
        workspace_name: string;
    };
    query?: {
        /**
         * organization, project, locked_by, effective_tag_bindings. Names of runs, states and similar have no effect.
         */
        include?: string;
    };
    url: '/api/v2/organizations/{organization_name}/workspaces/{workspace_name}';
};

export type ReadWorkspaceByNameResponses = {
    /**
     * The workspace.
     */
    200: WorkspaceDocument;
};

export type ReadWorkspaceByNameResponse = ReadWorkspaceByNameResponses[keyof ReadWorkspaceByNameResponses];

export type UpdateWorkspaceByNameData = {
    body: CreateWorkspaceRequest;
    path: {
        /**
         * Name of the organization.
         */
        organization_name: string;
        /**
         * Name of the workspace.
         */
        workspace_name: string;
    };
    query?: never;
    url: '/api/v2/organizations/{organization_name}/workspaces/{workspace_name}';
};

export type UpdateWorkspaceByNameResponses = {
    /**
     * Workspace, with violations of the tag policy.
     */
    200: WrittenWorkspaceDocument;
};

export type UpdateWorkspaceByNameResponse = UpdateWorkspaceByNameResponses[keyof UpdateWorkspaceByNameResponses];

export type SafeDeleteWorkspaceByNameData = {
    body: NothingRequest;
    path: {
        /**
         * Name of the organization.
         */
        organization_name: string;
        /**
         * Name of the workspace.
         */
        workspace_name: string;
    };
    query?: never;
    url: '/api/v2/organizations/{organization_name}/workspaces/{workspace_name}/actions/safe-delete';
};

export type SafeDeleteWorkspaceByNameResponses = {
    /**
     * Deleted.
     */
    204: void;
};

export type SafeDeleteWorkspaceByNameResponse = SafeDeleteWorkspaceByNameResponses[keyof SafeDeleteWorkspaceByNameResponses];

export type LockWorkspaceData = {
    body: {
        reason?: string | null;
        data?: {
            attributes?: {
                reason?: string | null;
            };
        };
    } | null;
    path: {
        /**
         * ID of the workspace.
         */
        workspace_id: string;
    };
    query?: never;
    url: '/api/v2/workspaces/{workspace_id}/actions/lock';
};

export type LockWorkspaceResponses = {
    /**
     * The workspace.
     */
    200: WorkspaceDocument;
};

export type LockWorkspaceResponse = LockWorkspaceResponses[keyof LockWorkspaceResponses];

export type UnlockWorkspaceData = {
    body: NothingRequest;
    path: {
        /**
         * ID of the workspace.
         */
        workspace_id: string;
    };
    query?: never;
    url: '/api/v2/workspaces/{workspace_id}/actions/unlock';
};

export type UnlockWorkspaceResponses = {
    /**
     * The workspace.
     */
    200: WorkspaceDocument;
};

export type UnlockWorkspaceResponse = UnlockWorkspaceResponses[keyof UnlockWorkspaceResponses];

export type ForceUnlockWorkspaceData = {
    body: NothingRequest;
    path: {
        /**
         * ID of the workspace.
         */
        workspace_id: string;
    };
    query?: never;
    url: '/api/v2/workspaces/{workspace_id}/actions/force-unlock';
};

export type ForceUnlockWorkspaceResponses = {
    /**
     * The workspace.
     */
    200: WorkspaceDocument;
};

export type ForceUnlockWorkspaceResponse = ForceUnlockWorkspaceResponses[keyof ForceUnlockWorkspaceResponses];

export type RemoveWorkspaceTagsData = {
    body: AddWorkspaceTagsRequest;
    path: {
        /**
         * ID of the workspace.
         */
        workspace_id: string;
    };
    query?: never;
    url: '/api/v2/workspaces/{workspace_id}/relationships/tags';
};

export type RemoveWorkspaceTagsResponses = {
    /**
     * Done, with violations of the tag policy.
     */
    200: WarningsDocument;
    /**
     * Done, including when nothing had to change.
     */
    204: void;
};

export type RemoveWorkspaceTagsResponse = RemoveWorkspaceTagsResponses[keyof RemoveWorkspaceTagsResponses];

export type ListWorkspaceTagsData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 if the response matches one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: respond on a change, or after this number of seconds.
         */
        prefer?: string;
    };
    path: {
        /**
         * ID of the workspace.
         */
        workspace_id: string;
    };
    query?: {
        /**
         * Page number, from 1, or next-page of the previous page. Pages end early at 8 MiB.
         */
        'page[number]'?: string;
        /**
         * Entries per page. Maximum: 100. Default: 20.
         */
        'page[size]'?: string;
        /**
         * Text that the name contains, ignoring case.
         */
        name?: string;
    };
    url: '/api/v2/workspaces/{workspace_id}/relationships/tags';
};

export type ListWorkspaceTagsResponses = {
    /**
     * Page of tags.
     */
    200: TagPage;
};

export type ListWorkspaceTagsResponse = ListWorkspaceTagsResponses[keyof ListWorkspaceTagsResponses];

export type AddWorkspaceTagsData = {
    body: AddWorkspaceTagsRequest;
    path: {
        /**
         * ID of the workspace.
         */
        workspace_id: string;
    };
    query?: never;
    url: '/api/v2/workspaces/{workspace_id}/relationships/tags';
};

export type AddWorkspaceTagsResponses = {
    /**
     * Done, with violations of the tag policy.
     */
    200: WarningsDocument;
    /**
     * Done, including when nothing had to change.
     */
    204: void;
};

export type AddWorkspaceTagsResponse = AddWorkspaceTagsResponses[keyof AddWorkspaceTagsResponses];

export type RemoveTagWorkspacesData = {
    body: AddTagWorkspacesRequest;
    path: {
        /**
         * ID of the tag.
         */
        tag_id: string;
    };
    query?: never;
    url: '/api/v2/tags/{tag_id}/relationships/workspaces';
};

export type RemoveTagWorkspacesResponses = {
    /**
     * Done, with violations of the tag policy.
     */
    200: WarningsDocument;
    /**
     * Done, including when nothing had to change.
     */
    204: void;
};

export type RemoveTagWorkspacesResponse = RemoveTagWorkspacesResponses[keyof RemoveTagWorkspacesResponses];

export type ListTagWorkspacesData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 if the response matches one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: respond on a change, or after this number of seconds.
         */
        prefer?: string;
    };
    path: {
        /**
         * ID of the tag.
         */
        tag_id: string;
    };
    query?: {
        /**
         * Page number, from 1, or next-page of the previous page. Pages end early at 8 MiB.
         */
        'page[number]'?: string;
        /**
         * Entries per page. Maximum: 100. Default: 20.
         */
        'page[size]'?: string;
    };
    url: '/api/v2/tags/{tag_id}/relationships/workspaces';
};

export type ListTagWorkspacesResponses = {
    /**
     * Page of workspaces.
     */
    200: WorkspacePage;
};

export type ListTagWorkspacesResponse = ListTagWorkspacesResponses[keyof ListTagWorkspacesResponses];

export type AddTagWorkspacesData = {
    body: AddTagWorkspacesRequest;
    path: {
        /**
         * ID of the tag.
         */
        tag_id: string;
    };
    query?: never;
    url: '/api/v2/tags/{tag_id}/relationships/workspaces';
};

export type AddTagWorkspacesResponses = {
    /**
     * Done, with violations of the tag policy.
     */
    200: WarningsDocument;
    /**
     * Done, including when nothing had to change.
     */
    204: void;
};

export type AddTagWorkspacesResponse = AddTagWorkspacesResponses[keyof AddTagWorkspacesResponses];

export type ListWorkspaceTagBindingsData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 if the response matches one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: respond on a change, or after this number of seconds.
         */
        prefer?: string;
    };
    path: {
        /**
         * ID of the workspace.
         */
        workspace_id: string;
    };
    query?: never;
    url: '/api/v2/workspaces/{workspace_id}/tag-bindings';
};

export type ListWorkspaceTagBindingsResponses = {
    /**
     * Tag bindings in the order in which they were added.
     */
    200: TagBindingList;
};

export type ListWorkspaceTagBindingsResponse = ListWorkspaceTagBindingsResponses[keyof ListWorkspaceTagBindingsResponses];

export type AddWorkspaceTagBindingsData = {
    body: TagBindingsRequest;
    path: {
        /**
         * ID of the workspace.
         */
        workspace_id: string;
    };
    query?: never;
    url: '/api/v2/workspaces/{workspace_id}/tag-bindings';
};

export type AddWorkspaceTagBindingsResponses = {
    /**
     * Bindings of the request, without inherited bindings.
     */
    200: WrittenTagBindingList;
};

export type AddWorkspaceTagBindingsResponse = AddWorkspaceTagBindingsResponses[keyof AddWorkspaceTagBindingsResponses];

export type ReadWorkspaceTagBindingsData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 if the response matches one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: respond on a change, or after this number of seconds.
         */
        prefer?: string;
    };
    path: {
        /**
         * ID of the workspace.
         */
        workspace_id: string;
    };
    query?: never;
    url: '/api/v2/workspaces/{workspace_id}/relationships/tag-bindings';
};

export type ReadWorkspaceTagBindingsResponses = {
    /**
     * Tag bindings in the order in which they were added.
     */
    200: TagBindingList;
};

export type ReadWorkspaceTagBindingsResponse = ReadWorkspaceTagBindingsResponses[keyof ReadWorkspaceTagBindingsResponses];

export type ReplaceWorkspaceTagBindingsData = {
    body: TagBindingsRequest;
    path: {
        /**
         * ID of the workspace.
         */
        workspace_id: string;
    };
    query?: never;
    url: '/api/v2/workspaces/{workspace_id}/relationships/tag-bindings';
};

export type ReplaceWorkspaceTagBindingsResponses = {
    /**
     * Done, with violations of the tag policy.
     */
    200: WarningsDocument;
    /**
     * Done, including when nothing had to change.
     */
    204: void;
};

export type ReplaceWorkspaceTagBindingsResponse = ReplaceWorkspaceTagBindingsResponses[keyof ReplaceWorkspaceTagBindingsResponses];

export type BindWorkspaceData = {
    body: TagBindingsRequest;
    path: {
        /**
         * ID of the workspace.
         */
        workspace_id: string;
    };
    query?: never;
    url: '/api/v2/workspaces/{workspace_id}/relationships/tag-bindings';
};

export type BindWorkspaceResponses = {
    /**
     * Done, with violations of the tag policy.
     */
    200: WarningsDocument;
    /**
     * Done, including when nothing had to change.
     */
    204: void;
};

export type BindWorkspaceResponse = BindWorkspaceResponses[keyof BindWorkspaceResponses];

export type ListWorkspaceEffectiveTagBindingsData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 if the response matches one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: respond on a change, or after this number of seconds.
         */
        prefer?: string;
    };
    path: {
        /**
         * ID of the workspace.
         */
        workspace_id: string;
    };
    query?: never;
    url: '/api/v2/workspaces/{workspace_id}/effective-tag-bindings';
};

export type ListWorkspaceEffectiveTagBindingsResponses = {
    /**
     * Effective tag bindings: own, then inherited.
     */
    200: EffectiveTagBindingList;
};

export type ListWorkspaceEffectiveTagBindingsResponse = ListWorkspaceEffectiveTagBindingsResponses[keyof ListWorkspaceEffectiveTagBindingsResponses];

export type ListProjectTagBindingsData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 if the response matches one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: respond on a change, or after this number of seconds.
         */
        prefer?: string;
    };
    path: {
        /**
         * ID of the project.
         */
        project_id: string;
    };
    query?: never;
    url: '/api/v2/projects/{project_id}/tag-bindings';
};

export type ListProjectTagBindingsResponses = {
    /**
     * Tag bindings in the order in which they were added.
     */
    200: TagBindingList;
};

export type ListProjectTagBindingsResponse = ListProjectTagBindingsResponses[keyof ListProjectTagBindingsResponses];

export type AddProjectTagBindingsData = {
    body: TagBindingsRequest;
    path: {
        /**
         * ID of the project.
         */
        project_id: string;
    };
    query?: never;
    url: '/api/v2/projects/{project_id}/tag-bindings';
};

export type AddProjectTagBindingsResponses = {
    /**
     * Bindings of the request, without inherited bindings.
     */
    200: WrittenTagBindingList;
};

export type AddProjectTagBindingsResponse = AddProjectTagBindingsResponses[keyof AddProjectTagBindingsResponses];

export type ReadProjectTagBindingsData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 if the response matches one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: respond on a change, or after this number of seconds.
         */
        prefer?: string;
    };
    path: {
        /**
         * ID of the project.
         */
        project_id: string;
    };
    query?: never;
    url: '/api/v2/projects/{project_id}/relationships/tag-bindings';
};

export type ReadProjectTagBindingsResponses = {
    /**
     * Tag bindings in the order in which they were added.
     */
    200: TagBindingList;
};

export type ReadProjectTagBindingsResponse = ReadProjectTagBindingsResponses[keyof ReadProjectTagBindingsResponses];

export type ReplaceProjectTagBindingsData = {
    body: TagBindingsRequest;
    path: {
        /**
         * ID of the project.
         */
        project_id: string;
    };
    query?: never;
    url: '/api/v2/projects/{project_id}/relationships/tag-bindings';
};

export type ReplaceProjectTagBindingsResponses = {
    /**
     * Done, with violations of the tag policy.
     */
    200: WarningsDocument;
    /**
     * Done, including when nothing had to change.
     */
    204: void;
};

export type ReplaceProjectTagBindingsResponse = ReplaceProjectTagBindingsResponses[keyof ReplaceProjectTagBindingsResponses];

export type BindProjectData = {
    body: TagBindingsRequest;
    path: {
        /**
         * ID of the project.
         */
        project_id: string;
    };
    query?: never;
    url: '/api/v2/projects/{project_id}/relationships/tag-bindings';
};

export type BindProjectResponses = {
    /**
     * Done, with violations of the tag policy.
     */
    200: WarningsDocument;
    /**
     * Done, including when nothing had to change.
     */
    204: void;
};

export type BindProjectResponse = BindProjectResponses[keyof BindProjectResponses];

export type ListProjectEffectiveTagBindingsData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 if the response matches one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: respond on a change, or after this number of seconds.
         */
        prefer?: string;
    };
    path: {
        /**
         * ID of the project.
         */
        project_id: string;
    };
    query?: never;
    url: '/api/v2/projects/{project_id}/effective-tag-bindings';
};

export type ListProjectEffectiveTagBindingsResponses = {
    /**
     * Effective tag bindings: own, then inherited.
     */
    200: EffectiveTagBindingList;
};

export type ListProjectEffectiveTagBindingsResponse = ListProjectEffectiveTagBindingsResponses[keyof ListProjectEffectiveTagBindingsResponses];

export type ListTagBindingsData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 if the response matches one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: respond on a change, or after this number of seconds.
         */
        prefer?: string;
    };
    path: {
        /**
         * Name of the organization.
         */
        organization_name: string;
    };
    query?: {
        /**
         * Page number, from 1, or next-page of the previous page. Pages end early at 8 MiB.
         */
        'page[number]'?: string;
        /**
         * Entries per page. Maximum: 100. Default: 20.
         */
        'page[size]'?: string;
        /**
         * workspaces or projects. Default: both.
         */
        'filter[taggable-type]'?: string;
        /**
         * Effective tag key, in the case in which it was set.
         */
        'filter[tagged][0][key]'?: string;
        /**
         * Tag value. Default: any.
         */
        'filter[tagged][0][value]'?: string;
        /**
         * Single tag key, without an index.
         */
        'filter[tagged]'?: string;
        /**
         * Tag value.
         */
        'filter[tagged][value]'?: string;
        /**
         * true: any of the tag keys is sufficient.
         */
        'filter[tag-union]'?: string;
        /**
         * true: a tag key without a value matches only the key without a value.
         */
        'filter[tag-value-default-null]'?: string;
        /**
         * Attributes to return: counts, key, value, created-at.
         */
        'fields[tag-binding]'?: string;
    };
    url: '/api/v2/organizations/{organization_name}/tag-bindings';
};

export type ListTagBindingsResponses = {
    /**
     * Page of tag bindings.
     */
    200: TagBindingPage;
};

export type ListTagBindingsResponse = ListTagBindingsResponses[keyof ListTagBindingsResponses];

export type ExportTagsData = {
    body?: never;
    path: {
        /**
         * Name of the organization.
         */
        organization_name: string;
    };
    query?: {
        /**
         * csv or jsonl (JSON lines). Default: the format of the Accept header, else jsonl.
         */
        format?: string;
    };
    url: '/api/v2/organizations/{organization_name}/tags/export';
};

export type ExportTagsResponses = {
    /**
     * One record per object. The response is streamed, and truncated on an error.
     */
    200: string;
};

export type ExportTagsResponse = ExportTagsResponses[keyof ExportTagsResponses];

export type ImportTagsData = {
    /**
     * File in the export format. Maximum: 64 MiB and 500,000 objects.
     */
    body: string;
    path: {
        /**
         * Name of the organization.
         */
        organization_name: string;
    };
    query?: {
        /**
         * true: return a preview; change nothing.
         */
        preview?: string;
        /**
         * merge: add and change. replace: for each object in the file, also remove the tags and values that the file does not contain. Default: merge.
         */
        mode?: string;
    };
    url: '/api/v2/organizations/{organization_name}/tag-imports';
};

export type ImportTagsResponses = {
    /**
     * Preview of the import.
     */
    200: TagImportPreviewDocument;
    /**
     * The job.
     */
    201: TagJobDocument;
};

export type ImportTagsResponse = ImportTagsResponses[keyof ImportTagsResponses];

export type ListReservedTagKeysData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 if the response matches one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: respond on a change, or after this number of seconds.
         */
        prefer?: string;
    };
    path: {
        /**
         * Name of the organization.
         */
        organization_name: string;
    };
    query?: {
        /**
         * Page number, from 1, or next-page of the previous page. Pages end early at 8 MiB.
         */
        'page[number]'?: string;
        /**
         * Entries per page. Maximum: 100. Default: 20.
         */
        'page[size]'?: string;
    };
    url: '/api/v2/organizations/{organization_name}/reserved-tag-keys';
};

export type ListReservedTagKeysResponses = {
    /**
     * Page of reserved tag keys.
     */
    200: ReservedTagKeyPage;
};

export type ListReservedTagKeysResponse = ListReservedTagKeysResponses[keyof ListReservedTagKeysResponses];

export type CreateReservedTagKeyData = {
    body: CreateReservedTagKeyBody;
    path: {
        /**
         * Name of the organization.
         */
        organization_name: string;
    };
    query?: never;
    url: '/api/v2/organizations/{organization_name}/reserved-tag-keys';
};

export type CreateReservedTagKeyResponses = {
    /**
     * The reserved key.
     */
    201: ReservedTagKeyDocument;
};

export type CreateReservedTagKeyResponse = CreateReservedTagKeyResponses[keyof CreateReservedTagKeyResponses];

export type DeleteReservedTagKeyData = {
    body: NothingRequest;
    path: {
        /**
         * ID of the reserved tag key.
         */
        reserved_tag_key_id: string;
    };
    query?: never;
    url: '/api/v2/reserved-tag-keys/{reserved_tag_key_id}';
};

export type DeleteReservedTagKeyResponses = {
    /**
     * Deleted.
     */
    204: void;
};

export type DeleteReservedTagKeyResponse = DeleteReservedTagKeyResponses[keyof DeleteReservedTagKeyResponses];

export type UpdateReservedTagKeyData = {
    body: UpdateReservedTagKeyRequest;
    path: {
        /**
         * ID of the reserved tag key.
         */
        reserved_tag_key_id: string;
    };
    query?: never;
    url: '/api/v2/reserved-tag-keys/{reserved_tag_key_id}';
};

export type UpdateReservedTagKeyResponses = {
    /**
     * The reserved key.
     */
    200: ReservedTagKeyDocument;
};

export type UpdateReservedTagKeyResponse = UpdateReservedTagKeyResponses[keyof UpdateReservedTagKeyResponses];

export type DeleteReservedTagKeyByOtherPathData = {
    body: NothingRequest;
    path: {
        /**
         * ID of the reserved tag key.
         */
        reserved_tag_key_id: string;
    };
    query?: never;
    url: '/api/v2/reserved-tags/{reserved_tag_key_id}';
};

export type DeleteReservedTagKeyByOtherPathResponses = {
    /**
     * Deleted.
     */
    204: void;
};

export type DeleteReservedTagKeyByOtherPathResponse = DeleteReservedTagKeyByOtherPathResponses[keyof DeleteReservedTagKeyByOtherPathResponses];

export type UpdateReservedTagKeyByOtherPathData = {
    body: UpdateReservedTagKeyRequest;
    path: {
        /**
         * ID of the reserved tag key.
         */
        reserved_tag_key_id: string;
    };
    query?: never;
    url: '/api/v2/reserved-tags/{reserved_tag_key_id}';
};

export type UpdateReservedTagKeyByOtherPathResponses = {
    /**
     * The reserved key.
     */
    200: ReservedTagKeyDocument;
};

export type UpdateReservedTagKeyByOtherPathResponse = UpdateReservedTagKeyByOtherPathResponses[keyof UpdateReservedTagKeyByOtherPathResponses];

export type RemoveRemoteStateConsumersData = {
    body: AddTagWorkspacesRequest;
    path: {
        /**
         * ID of the workspace.
         */
        workspace_id: string;
    };
    query?: never;
    url: '/api/v2/workspaces/{workspace_id}/relationships/remote-state-consumers';
};

export type RemoveRemoteStateConsumersResponses = {
    /**
     * Done, including when nothing had to change. The list protects nothing: this server stores no state.
     */
    204: void;
};

export type RemoveRemoteStateConsumersResponse = RemoveRemoteStateConsumersResponses[keyof RemoveRemoteStateConsumersResponses];

export type ListRemoteStateConsumersData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 if the response matches one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: respond on a change, or after this number of seconds.
         */
        prefer?: string;
    };
    path: {
        /**
         * ID of the workspace.
         */
        workspace_id: string;
    };
    query?: {
        /**
         * Page number, from 1, or next-page of the previous page. Pages end early at 8 MiB.
         */
        'page[number]'?: string;
        /**
         * Entries per page. Maximum: 100. Default: 20.
         */
        'page[size]'?: string;
        /**
         * true: only workspaces on the list, even if all workspaces may read the state.
         */
        show_only_configured?: string;
    };
    url: '/api/v2/workspaces/{workspace_id}/relationships/remote-state-consumers';
};

export type ListRemoteStateConsumersResponses = {
    /**
     * Page of workspaces.
     */
    200: WorkspacePage;
};

export type ListRemoteStateConsumersResponse = ListRemoteStateConsumersResponses[keyof ListRemoteStateConsumersResponses];

export type ReplaceRemoteStateConsumersData = {
    body: ReplaceRemoteStateConsumersBody;
    path: {
        /**
         * ID of the workspace.
         */
        workspace_id: string;
    };
    query?: never;
    url: '/api/v2/workspaces/{workspace_id}/relationships/remote-state-consumers';
};

export type ReplaceRemoteStateConsumersResponses = {
    /**
     * Done, including when nothing had to change. The list protects nothing: this server stores no state.
     */
    204: void;
};

export type ReplaceRemoteStateConsumersResponse = ReplaceRemoteStateConsumersResponses[keyof ReplaceRemoteStateConsumersResponses];

export type AddRemoteStateConsumersData = {
    body: AddTagWorkspacesRequest;
    path: {
        /**
         * ID of the workspace.
         */
        workspace_id: string;
    };
    query?: never;
    url: '/api/v2/workspaces/{workspace_id}/relationships/remote-state-consumers';
};

export type AddRemoteStateConsumersResponses = {
    /**
     * Done, including when nothing had to change. The list protects nothing: this server stores no state.
     */
    204: void;
};

export type AddRemoteStateConsumersResponse = AddRemoteStateConsumersResponses[keyof AddRemoteStateConsumersResponses];

export type StreamOrganizationEventsData = {
    body?: never;
    headers?: {
        /**
         * ID of the last event that the client has received.
         */
        'last-event-id'?: string;
    };
    path: {
        /**
         * Name of the organization.
         */
        organization_name: string;
    };
    query?: {
        /**
         * Event ID after which the stream continues. Last-Event-ID overrides it.
         */
        after?: string;
    };
    url: '/api/v2/organizations/{organization_name}/events';
};

export type StreamOrganizationEventsResponses = {
    /**
     * Events of workspaces, projects, tags and tag policies, from now or from the requested ID.
     */
    200: string;
};

export type StreamOrganizationEventsResponse = StreamOrganizationEventsResponses[keyof StreamOrganizationEventsResponses];

export type ListTagJobsData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 if the response matches one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: respond on a change, or after this number of seconds.
         */
        prefer?: string;
    };
    path: {
        /**
         * Name of the organization.
         */
        organization_name: string;
    };
    query?: {
        /**
         * Page number, from 1, or next-page of the previous page. Pages end early at 8 MiB.
         */
        'page[number]'?: string;
        /**
         * Entries per page. Maximum: 100. Default: 20.
         */
        'page[size]'?: string;
    };
    url: '/api/v2/organizations/{organization_name}/tag-jobs';
};

export type ListTagJobsResponses = {
    /**
     * Page of jobs, newest first.
     */
    200: TagJobPage;
};

export type ListTagJobsResponse = ListTagJobsResponses[keyof ListTagJobsResponses];

export type CreateTagJobData = {
    body: CreateTagJobBody;
    path: {
        /**
         * Name of the organization.
         */
        organization_name: string;
    };
    query?: {
        /**
         * true: return a preview; create no job.
         */
        preview?: string;
    };
    url: '/api/v2/organizations/{organization_name}/tag-jobs';
};

export type CreateTagJobResponses = {
    /**
     * Preview of the job.
     */
    200: TagJobPreviewDocument;
    /**
     * The job.
     */
    201: TagJobDocument;
};

export type CreateTagJobResponse = CreateTagJobResponses[keyof CreateTagJobResponses];

export type PauseTagJobData = {
    body: NothingRequest;
    path: {
        /**
         * ID of the tag job.
         */
        tag_job_id: string;
    };
    query?: never;
    url: '/api/v2/tag-jobs/{tag_job_id}/actions/pause';
};

export type PauseTagJobResponses = {
    /**
     * The job.
     */
    200: TagJobDocument;
};

export type PauseTagJobResponse = PauseTagJobResponses[keyof PauseTagJobResponses];

export type ResumeTagJobData = {
    body: NothingRequest;
    path: {
        /**
         * ID of the tag job.
         */
        tag_job_id: string;
    };
    query?: never;
    url: '/api/v2/tag-jobs/{tag_job_id}/actions/resume';
};

export type ResumeTagJobResponses = {
    /**
     * The job.
     */
    200: TagJobDocument;
};

export type ResumeTagJobResponse = ResumeTagJobResponses[keyof ResumeTagJobResponses];

export type CancelTagJobData = {
    body: NothingRequest;
    path: {
        /**
         * ID of the tag job.
         */
        tag_job_id: string;
    };
    query?: never;
    url: '/api/v2/tag-jobs/{tag_job_id}/actions/cancel';
};

export type CancelTagJobResponses = {
    /**
     * The job.
     */
    200: TagJobDocument;
};

export type CancelTagJobResponse = CancelTagJobResponses[keyof CancelTagJobResponses];

export type UndoTagJobData = {
    body: NothingRequest;
    path: {
        /**
         * ID of the tag job.
         */
        tag_job_id: string;
    };
    query?: never;
    url: '/api/v2/tag-jobs/{tag_job_id}/actions/undo';
};

export type UndoTagJobResponses = {
    /**
     * The job.
     */
    201: TagJobDocument;
};

export type UndoTagJobResponse = UndoTagJobResponses[keyof UndoTagJobResponses];

export type ReadTagJobData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 if the response matches one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: respond on a change, or after this number of seconds.
         */
        prefer?: string;
    };
    path: {
        /**
         * ID of the tag job.
         */
        tag_job_id: string;
    };
    query?: never;
    url: '/api/v2/tag-jobs/{tag_job_id}';
};

export type ReadTagJobResponses = {
    /**
     * The job.
     */
    200: TagJobDocument;
};

export type ReadTagJobResponse = ReadTagJobResponses[keyof ReadTagJobResponses];

export type DeleteTagPolicyData = {
    body: NothingRequest;
    path: {
        /**
         * Name of the organization.
         */
        organization_name: string;
    };
    query?: never;
    url: '/api/v2/organizations/{organization_name}/tag-policy';
};

export type DeleteTagPolicyResponses = {
    /**
     * Deleted.
     */
    204: void;
};

export type DeleteTagPolicyResponse = DeleteTagPolicyResponses[keyof DeleteTagPolicyResponses];

export type ReadTagPolicyData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 if the response matches one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: respond on a change, or after this number of seconds.
         */
        prefer?: string;
    };
    path: {
        /**
         * Name of the organization.
         */
        organization_name: string;
    };
    query?: never;
    url: '/api/v2/organizations/{organization_name}/tag-policy';
};

export type ReadTagPolicyResponses = {
    /**
     * The rules.
     */
    200: TagPolicyDocument;
};

export type ReadTagPolicyResponse = ReadTagPolicyResponses[keyof ReadTagPolicyResponses];

export type PutTagPolicyData = {
    body: PutTagPolicyBody;
    path: {
        /**
         * Name of the organization.
         */
        organization_name: string;
    };
    query?: never;
    url: '/api/v2/organizations/{organization_name}/tag-policy';
};

export type PutTagPolicyResponses = {
    /**
     * The rules.
     */
    200: TagPolicyDocument;
};

export type PutTagPolicyResponse = PutTagPolicyResponses[keyof PutTagPolicyResponses];

export type ReportTagPolicyData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 if the response matches one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: respond on a change, or after this number of seconds.
         */
        prefer?: string;
    };
    path: {
        /**
         * Name of the organization.
         */
        organization_name: string;
    };
    query?: {
        /**
         * Page number, from 1, or next-page of the previous page. Pages end early at 8 MiB.
         */
        'page[number]'?: string;
        /**
         * Entries per page. Maximum: 100. Default: 20.
         */
        'page[size]'?: string;
        /**
         * Text that the name contains, ignoring case.
         */
        q?: string;
        /**
         * Project ID.
         */
        'filter[project][id]'?: string;
        /**
         * Violated rule of the tag policy.
         */
        'filter[rule]'?: string;
        /**
         * Kind of violation: required, value, name or limit.
         */
        'filter[kind]'?: string;
        /**
         * Tag key or tag name.
         */
        'filter[key]'?: string;
    };
    url: '/api/v2/organizations/{organization_name}/tag-policy/report';
};

export type ReportTagPolicyResponses = {
    /**
     * Page of non-compliant workspaces.
     */
    200: TagPolicyShortcomingPage;
};

export type ReportTagPolicyResponse = ReportTagPolicyResponses[keyof ReportTagPolicyResponses];

export type ListTagPolicyKeysData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 if the response matches one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: respond on a change, or after this number of seconds.
         */
        prefer?: string;
    };
    path: {
        /**
         * Name of the organization.
         */
        organization_name: string;
    };
    query?: {
        /**
         * Page number, from 1, or next-page of the previous page. Pages end early at 8 MiB.
         */
        'page[number]'?: string;
        /**
         * Entries per page. Maximum: 100. Default: 20.
         */
        'page[size]'?: string;
        /**
         * Project ID.
         */
        'filter[project][id]'?: string;
    };
    url: '/api/v2/organizations/{organization_name}/tag-policy/keys';
};

export type ListTagPolicyKeysResponses = {
    /**
     * Page of required tag keys.
     */
    200: TagPolicyKeyPage;
};

export type ListTagPolicyKeysResponse = ListTagPolicyKeysResponses[keyof ListTagPolicyKeysResponses];

export type ListTagPolicyProjectsData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 if the response matches one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: respond on a change, or after this number of seconds.
         */
        prefer?: string;
    };
    path: {
        /**
         * Name of the organization.
         */
        organization_name: string;
    };
    query?: {
        /**
         * Page number, from 1, or next-page of the previous page. Pages end early at 8 MiB.
         */
        'page[number]'?: string;
        /**
         * Entries per page. Maximum: 100. Default: 20.
         */
        'page[size]'?: string;
        /**
         * Required tag key.
         */
        'filter[key]'?: string;
    };
    url: '/api/v2/organizations/{organization_name}/tag-policy/projects';
};

export type ListTagPolicyProjectsResponses = {
    /**
     * Page of projects.
     */
    200: TagPolicyProjectPage;
};

export type ListTagPolicyProjectsResponse = ListTagPolicyProjectsResponses[keyof ListTagPolicyProjectsResponses];

export type ListTagPolicyDaysData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 if the response matches one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: respond on a change, or after this number of seconds.
         */
        prefer?: string;
    };
    path: {
        /**
         * Name of the organization.
         */
        organization_name: string;
    };
    query?: {
        /**
         * Page number, from 1, or next-page of the previous page. Pages end early at 8 MiB.
         */
        'page[number]'?: string;
        /**
         * Entries per page. Maximum: 100. Default: 20.
         */
        'page[size]'?: string;
        /**
         * Tag key.
         */
        'filter[key]'?: string;
    };
    url: '/api/v2/organizations/{organization_name}/tag-policy/days';
};

export type ListTagPolicyDaysResponses = {
    /**
     * Page of days.
     */
    200: TagPolicyDayPage;
};

export type ListTagPolicyDaysResponse = ListTagPolicyDaysResponses[keyof ListTagPolicyDaysResponses];

export type CheckTagPolicyData = {
    body: CheckTagPolicyBody;
    path: {
        /**
         * Name of the organization.
         */
        organization_name: string;
    };
    query?: never;
    url: '/api/v2/organizations/{organization_name}/tag-policy/check';
};

export type CheckTagPolicyResponses = {
    /**
     * Effect of the rules.
     */
    200: TagPolicyCheckDocument;
};

export type CheckTagPolicyResponse = CheckTagPolicyResponses[keyof CheckTagPolicyResponses];

export type ListOrganizationAuditData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 if the response matches one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: respond on a change, or after this number of seconds.
         */
        prefer?: string;
    };
    path: {
        /**
         * Name of the organization.
         */
        organization_name: string;
    };
    query?: {
        /**
         * AccessorID of the actor's token.
         */
        'filter[actor]'?: string;
        /**
         * Kind of the object, such as token or workspace.
         */
        'filter[kind]'?: string;
        /**
         * ID of the object.
         */
        'filter[object]'?: string;
        /**
         * Action, such as create, update, delete or login.
         */
        'filter[action]'?: string;
        /**
         * done or refused.
         */
        'filter[outcome]'?: string;
        /**
         * ID of the request.
         */
        'filter[request-id]'?: string;
        /**
         * From this time on (RFC 3339).
         */
        'filter[from]'?: string;
        /**
         * Before this time (RFC 3339).
         */
        'filter[to]'?: string;
        /**
         * Records per page. Maximum: 100. Default: 20.
         */
        'page[size]'?: string;
        /**
         * Cursor of the page, from `links.next` of the previous page.
         */
        'page[after]'?: string;
    };
    url: '/api/v2/organizations/{organization_name}/audit';
};

export type ListOrganizationAuditResponses = {
    /**
     * Page of audit records.
     */
    200: ListOrganizationAuditAnswer;
};

export type ListOrganizationAuditResponse = ListOrganizationAuditResponses[keyof ListOrganizationAuditResponses];

export type ListTagWebhooksData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 if the response matches one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: respond on a change, or after this number of seconds.
         */
        prefer?: string;
    };
    path: {
        /**
         * Name of the organization.
         */
        organization_name: string;
    };
    query?: {
        /**
         * Page number, from 1, or next-page of the previous page. Pages end early at 8 MiB.
         */
        'page[number]'?: string;
        /**
         * Entries per page. Maximum: 100. Default: 20.
         */
        'page[size]'?: string;
    };
    url: '/api/v2/organizations/{organization_name}/tag-webhooks';
};

export type ListTagWebhooksResponses = {
    /**
     * Page of webhooks, oldest first.
     */
    200: TagWebhookPage;
};

export type ListTagWebhooksResponse = ListTagWebhooksResponses[keyof ListTagWebhooksResponses];

export type CreateTagWebhookData = {
    body: CreateTagWebhookBody;
    path: {
        /**
         * Name of the organization.
         */
        organization_name: string;
    };
    query?: never;
    url: '/api/v2/organizations/{organization_name}/tag-webhooks';
};

export type CreateTagWebhookResponses = {
    /**
     * The webhook.
     */
    201: TagWebhookDocument;
};

export type CreateTagWebhookResponse = CreateTagWebhookResponses[keyof CreateTagWebhookResponses];

export type DeleteTagWebhookData = {
    body: NothingRequest;
    path: {
        /**
         * ID of the webhook.
         */
        webhook_id: string;
    };
    query?: never;
    url: '/api/v2/tag-webhooks/{webhook_id}';
};

export type DeleteTagWebhookResponses = {
    /**
     * Deleted.
     */
    204: void;
};

export type DeleteTagWebhookResponse = DeleteTagWebhookResponses[keyof DeleteTagWebhookResponses];

export type ReadTagWebhookData = {
    body?: never;
    headers?: {
        /**
         * ETags that the client has; 304 if the response matches one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: respond on a change, or after this number of seconds.
         */
        prefer?: string;
    };
    path: {
        /**
         * ID of the webhook.
         */
        webhook_id: string;
    };
    query?: never;
    url: '/api/v2/tag-webhooks/{webhook_id}';
};

export type ReadTagWebhookResponses = {
    /**
     * The webhook.
     */
    200: TagWebhookDocument;
};

export type ReadTagWebhookResponse = ReadTagWebhookResponses[keyof ReadTagWebhookResponses];

export type UpdateTagWebhookData = {
    body: UpdateTagWebhookBody;
    path: {
        /**
         * ID of the webhook.
         */
        webhook_id: string;
    };
    query?: never;
    url: '/api/v2/tag-webhooks/{webhook_id}';
};

export type UpdateTagWebhookResponses = {
    /**
     * The webhook.
     */
    200: TagWebhookDocument;
};

export type UpdateTagWebhookResponse = UpdateTagWebhookResponses[keyof UpdateTagWebhookResponses];

export type VerifyTagWebhookData = {
    body: NothingRequest;
    path: {
        /**
         * ID of the webhook.
         */
        webhook_id: string;
    };
    query?: never;
    url: '/api/v2/tag-webhooks/{webhook_id}/actions/verify';
};

export type VerifyTagWebhookResponses = {
    /**
     * Webhook, with the response of its target.
     */
    200: WrittenTagWebhookDocument;
};

export type VerifyTagWebhookResponse = VerifyTagWebhookResponses[keyof VerifyTagWebhookResponses];

export type GetLeaderData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v1/status/leader';
};

export type GetLeaderResponses = {
    /**
     * Address of this server.
     */
    200: string;
};

export type GetLeaderResponse = GetLeaderResponses[keyof GetLeaderResponses];

export type ListPeersData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v1/status/peers';
};

export type ListPeersResponses = {
    /**
     * Address of this server, as the only entry.
     */
    200: Array<string>;
};

export type ListPeersResponse = ListPeersResponses[keyof ListPeersResponses];

export type ReadSelfData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v1/agent/self';
};

export type ReadSelfResponses = {
    /**
     * This server.
     */
    200: ReadSelfAnswer;
};

export type ReadSelfResponse = ReadSelfResponses[keyof ReadSelfResponses];

export type ReadVersionData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v1/agent/version';
};

export type ReadVersionResponses = {
    /**
     * Version of this server.
     */
    200: ReadVersionAnswer;
};

export type ReadVersionResponse = ReadVersionResponses[keyof ReadVersionResponses];

export type ListMembersData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Accepted for compatibility; no effect.
         */
        wan?: string;
        /**
         * Accepted for compatibility; no effect.
         */
        segment?: string;
    };
    url: '/v1/agent/members';
};

export type ListMembersResponses = {
    /**
     * This server, if the caller may read its node.
     */
    200: Array<ListMembersEntry>;
};

export type ListMembersResponse = ListMembersResponses[keyof ListMembersResponses];

export type ListDatacentersData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v1/catalog/datacenters';
};

export type ListDatacentersResponses = {
    /**
     * The only datacenter.
     */
    200: Array<string>;
};

export type ListDatacentersResponse = ListDatacentersResponses[keyof ListDatacentersResponses];

export type ListNodeChecksData = {
    body?: never;
    path: {
        /**
         * Name of the node, ignoring case.
         */
        node: string;
    };
    query?: {
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Blocking query: wait until the index is greater than this X-Service-Index.
         */
        index?: string;
        /**
         * Maximum wait, such as 5m.
         */
        wait?: string;
        /**
         * Allow a replica to answer. Without it, and with `consistent`, the primary answers.
         */
        stale?: string;
        /**
         * Use the current permissions. Without it, permissions can be up to one second old.
         */
        consistent?: string;
        /**
         * Maximum replication lag of a replica that answers, such as 10s.
         */
        max_stale?: string;
    };
    url: '/v1/health/node/{node}';
};

export type ListNodeChecksResponses = {
    /**
     * Check of this server if it is the named node and the caller may read it; else an empty list.
     */
    200: Array<ListNodeChecksEntry>;
};

export type ListNodeChecksResponse = ListNodeChecksResponses[keyof ListNodeChecksResponses];

export type ReadReplicationData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v1/acl/replication';
};

export type ReadReplicationResponses = {
    /**
     * Replication from another datacenter is disabled.
     */
    200: ReadReplicationAnswer;
};

export type ReadReplicationResponse = ReadReplicationResponses[keyof ReadReplicationResponses];

export type BootstrapData = {
    body: BootstrapBody;
    path?: never;
    query?: never;
    url: '/v1/acl/bootstrap';
};

export type BootstrapResponses = {
    /**
     * The token.
     */
    200: BootstrapToken;
};

export type BootstrapResponse = BootstrapResponses[keyof BootstrapResponses];

export type CreatePolicyData = {
    body: PolicyRequest;
    path?: never;
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Write only if the object has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/policy';
};

export type CreatePolicyResponses = {
    /**
     * The policy.
     */
    200: Policy;
};

export type CreatePolicyResponse = CreatePolicyResponses[keyof CreatePolicyResponses];

export type DeletePolicyData = {
    body?: never;
    path: {
        /**
         * ID of the policy.
         */
        id: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Write only if the object has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/policy/{id}';
};

export type DeletePolicyResponses = {
    /**
     * Deleted.
     */
    200: boolean;
};

export type DeletePolicyResponse = DeletePolicyResponses[keyof DeletePolicyResponses];

export type ReadPolicyData = {
    body?: never;
    path: {
        /**
         * ID of the policy.
         */
        id: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Blocking query: wait until the index is greater than this X-Service-Index.
         */
        index?: string;
        /**
         * Maximum wait, such as 5m.
         */
        wait?: string;
        /**
         * Allow a replica to answer. Without it, and with `consistent`, the primary answers.
         */
        stale?: string;
        /**
         * Use the current permissions. Without it, permissions can be up to one second old.
         */
        consistent?: string;
        /**
         * Maximum replication lag of a replica that answers, such as 10s.
         */
        max_stale?: string;
    };
    url: '/v1/acl/policy/{id}';
};

export type ReadPolicyResponses = {
    /**
     * The policy.
     */
    200: Policy;
};

export type ReadPolicyResponse = ReadPolicyResponses[keyof ReadPolicyResponses];

export type UpdatePolicyData = {
    body: PolicyRequest;
    path: {
        /**
         * ID of the policy.
         */
        id: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Write only if the object has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/policy/{id}';
};

export type UpdatePolicyResponses = {
    /**
     * The policy.
     */
    200: Policy;
};

export type UpdatePolicyResponse = UpdatePolicyResponses[keyof UpdatePolicyResponses];

export type ReplacePolicyData = {
    body: PolicyRequest;
    path: {
        /**
         * ID of the policy.
         */
        id: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Write only if the object has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/policy/{id}';
};

export type ReplacePolicyResponses = {
    /**
     * The policy.
     */
    200: Policy;
};

export type ReplacePolicyResponse = ReplacePolicyResponses[keyof ReplacePolicyResponses];

export type ReadPolicyByNameData = {
    body?: never;
    path: {
        /**
         * Name of the policy.
         */
        name: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Blocking query: wait until the index is greater than this X-Service-Index.
         */
        index?: string;
        /**
         * Maximum wait, such as 5m.
         */
        wait?: string;
        /**
         * Allow a replica to answer. Without it, and with `consistent`, the primary answers.
         */
        stale?: string;
        /**
         * Use the current permissions. Without it, permissions can be up to one second old.
         */
        consistent?: string;
        /**
         * Maximum replication lag of a replica that answers, such as 10s.
         */
        max_stale?: string;
    };
    url: '/v1/acl/policy/name/{name}';
};

export type ReadPolicyByNameResponses = {
    /**
     * The policy.
     */
    200: Policy;
};

export type ReadPolicyByNameResponse = ReadPolicyByNameResponses[keyof ReadPolicyByNameResponses];

export type ListPoliciesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Namespace to list; `*` for all namespaces that the caller may read. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Maximum number of entries; fewer if entries are large. The header X-Service-Next contains the cursor of the next page.
         */
        'page-size'?: string;
        /**
         * Maximum number of entries, 1 to 1000, in the order of `sort`. X-Tessera-Next contains the cursor of the next page, X-Tessera-Total the number of all entries.
         */
        limit?: string;
        /**
         * X-Service-Next of the previous page; with `limit`, its X-Tessera-Next.
         */
        after?: string;
        /**
         * Only entries that contain this text, ignoring case.
         */
        search?: string;
        /**
         * With `limit`: member to sort by; prefix with - for descending order.
         */
        sort?: string;
        /**
         * With `limit`: first sort value of the page.
         */
        at?: string;
        /**
         * With `limit`: only entries with this ID prefix, at least 4 characters of a UUID.
         */
        'id-prefix'?: string;
        /**
         * Blocking query: wait until the index is greater than this X-Service-Index.
         */
        index?: string;
        /**
         * Maximum wait, such as 5m.
         */
        wait?: string;
        /**
         * Allow a replica to answer. Without it, and with `consistent`, the primary answers.
         */
        stale?: string;
        /**
         * Use the current permissions. Without it, permissions can be up to one second old.
         */
        consistent?: string;
        /**
         * Maximum replication lag of a replica that answers, such as 10s.
         */
        max_stale?: string;
    };
    url: '/v1/acl/policies';
};

export type ListPoliciesResponses = {
    /**
     * The policies, without their rules.
     */
    200: Array<ListedPolicy>;
};

export type ListPoliciesResponse = ListPoliciesResponses[keyof ListPoliciesResponses];

export type CreateRoleData = {
    body: RoleRequest;
    path?: never;
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Write only if the object has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/role';
};

export type CreateRoleResponses = {
    /**
     * The role.
     */
    200: Role;
};

export type CreateRoleResponse = CreateRoleResponses[keyof CreateRoleResponses];

export type DeleteRoleData = {
    body?: never;
    path: {
        /**
         * ID of the role.
         */
        id: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Write only if the object has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/role/{id}';
};

export type DeleteRoleResponses = {
    /**
     * Deleted.
     */
    200: boolean;
};

export type DeleteRoleResponse = DeleteRoleResponses[keyof DeleteRoleResponses];

export type ReadRoleData = {
    body?: never;
    path: {
        /**
         * ID of the role.
         */
        id: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Blocking query: wait until the index is greater than this X-Service-Index.
         */
        index?: string;
        /**
         * Maximum wait, such as 5m.
         */
        wait?: string;
        /**
         * Allow a replica to answer. Without it, and with `consistent`, the primary answers.
         */
        stale?: string;
        /**
         * Use the current permissions. Without it, permissions can be up to one second old.
         */
        consistent?: string;
        /**
         * Maximum replication lag of a replica that answers, such as 10s.
         */
        max_stale?: string;
    };
    url: '/v1/acl/role/{id}';
};

export type ReadRoleResponses = {
    /**
     * The role.
     */
    200: Role;
};

export type ReadRoleResponse = ReadRoleResponses[keyof ReadRoleResponses];

export type UpdateRoleData = {
    body: RoleRequest;
    path: {
        /**
         * ID of the role.
         */
        id: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Write only if the object has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/role/{id}';
};

export type UpdateRoleResponses = {
    /**
     * The role.
     */
    200: Role;
};

export type UpdateRoleResponse = UpdateRoleResponses[keyof UpdateRoleResponses];

export type ReplaceRoleData = {
    body: RoleRequest;
    path: {
        /**
         * ID of the role.
         */
        id: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Write only if the object has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/role/{id}';
};

export type ReplaceRoleResponses = {
    /**
     * The role.
     */
    200: Role;
};

export type ReplaceRoleResponse = ReplaceRoleResponses[keyof ReplaceRoleResponses];

export type ReadRoleByNameData = {
    body?: never;
    path: {
        /**
         * Name of the role.
         */
        name: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Blocking query: wait until the index is greater than this X-Service-Index.
         */
        index?: string;
        /**
         * Maximum wait, such as 5m.
         */
        wait?: string;
        /**
         * Allow a replica to answer. Without it, and with `consistent`, the primary answers.
         */
        stale?: string;
        /**
         * Use the current permissions. Without it, permissions can be up to one second old.
         */
        consistent?: string;
        /**
         * Maximum replication lag of a replica that answers, such as 10s.
         */
        max_stale?: string;
    };
    url: '/v1/acl/role/name/{name}';
};

export type ReadRoleByNameResponses = {
    /**
     * The role.
     */
    200: Role;
};

export type ReadRoleByNameResponse = ReadRoleByNameResponses[keyof ReadRoleByNameResponses];

export type ListRolesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Namespace to list; `*` for all namespaces that the caller may read. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Maximum number of entries; fewer if entries are large. The header X-Service-Next contains the cursor of the next page.
         */
        'page-size'?: string;
        /**
         * Maximum number of entries, 1 to 1000, in the order of `sort`. X-Tessera-Next contains the cursor of the next page, X-Tessera-Total the number of all entries.
         */
        limit?: string;
        /**
         * X-Service-Next of the previous page; with `limit`, its X-Tessera-Next.
         */
        after?: string;
        /**
         * Only entries that contain this text, ignoring case.
         */
        search?: string;
        /**
         * With `limit`: member to sort by; prefix with - for descending order.
         */
        sort?: string;
        /**
         * With `limit`: first sort value of the page.
         */
        at?: string;
        /**
         * With `limit`: only entries with this ID prefix, at least 4 characters of a UUID.
         */
        'id-prefix'?: string;
        /**
         * Only roles that link to the policy with this ID.
         */
        policy?: string;
        /**
         * Blocking query: wait until the index is greater than this X-Service-Index.
         */
        index?: string;
        /**
         * Maximum wait, such as 5m.
         */
        wait?: string;
        /**
         * Allow a replica to answer. Without it, and with `consistent`, the primary answers.
         */
        stale?: string;
        /**
         * Use the current permissions. Without it, permissions can be up to one second old.
         */
        consistent?: string;
        /**
         * Maximum replication lag of a replica that answers, such as 10s.
         */
        max_stale?: string;
    };
    url: '/v1/acl/roles';
};

export type ListRolesResponses = {
    /**
     * The roles.
     */
    200: Array<Role>;
};

export type ListRolesResponse = ListRolesResponses[keyof ListRolesResponses];

export type CreateDeclarationData = {
    body: CreateDeclarationRequest;
    path?: never;
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Write only if the object has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/declaration';
};

export type CreateDeclarationResponses = {
    /**
     * The declaration.
     */
    200: CreateDeclarationAnswer;
};

export type CreateDeclarationResponse = CreateDeclarationResponses[keyof CreateDeclarationResponses];

export type DeleteDeclarationData = {
    body?: never;
    path: {
        /**
         * ID of the declaration.
         */
        id: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Write only if the object has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/declaration/{id}';
};

export type DeleteDeclarationResponses = {
    /**
     * Deleted.
     */
    200: boolean;
};

export type DeleteDeclarationResponse = DeleteDeclarationResponses[keyof DeleteDeclarationResponses];

export type ReadDeclarationData = {
    body?: never;
    path: {
        /**
         * ID of the declaration.
         */
        id: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Blocking query: wait until the index is greater than this X-Service-Index.
         */
        index?: string;
        /**
         * Maximum wait, such as 5m.
         */
        wait?: string;
        /**
         * Allow a replica to answer. Without it, and with `consistent`, the primary answers.
         */
        stale?: string;
        /**
         * Use the current permissions. Without it, permissions can be up to one second old.
         */
        consistent?: string;
        /**
         * Maximum replication lag of a replica that answers, such as 10s.
         */
        max_stale?: string;
    };
    url: '/v1/acl/declaration/{id}';
};

export type ReadDeclarationResponses = {
    /**
     * The declaration.
     */
    200: CreateDeclarationAnswer;
};

export type ReadDeclarationResponse = ReadDeclarationResponses[keyof ReadDeclarationResponses];

export type UpdateDeclarationData = {
    body: CreateDeclarationRequest;
    path: {
        /**
         * ID of the declaration.
         */
        id: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Write only if the object has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/declaration/{id}';
};

export type UpdateDeclarationResponses = {
    /**
     * The declaration.
     */
    200: CreateDeclarationAnswer;
};

export type UpdateDeclarationResponse = UpdateDeclarationResponses[keyof UpdateDeclarationResponses];

export type ReplaceDeclarationData = {
    body: CreateDeclarationRequest;
    path: {
        /**
         * ID of the declaration.
         */
        id: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Write only if the object has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/declaration/{id}';
};

export type ReplaceDeclarationResponses = {
    /**
     * The declaration.
     */
    200: CreateDeclarationAnswer;
};

export type ReplaceDeclarationResponse = ReplaceDeclarationResponses[keyof ReplaceDeclarationResponses];

export type ReadDeclarationByNameData = {
    body?: never;
    path: {
        /**
         * Name of the declaration.
         */
        name: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Blocking query: wait until the index is greater than this X-Service-Index.
         */
        index?: string;
        /**
         * Maximum wait, such as 5m.
         */
        wait?: string;
        /**
         * Allow a replica to answer. Without it, and with `consistent`, the primary answers.
         */
        stale?: string;
        /**
         * Use the current permissions. Without it, permissions can be up to one second old.
         */
        consistent?: string;
        /**
         * Maximum replication lag of a replica that answers, such as 10s.
         */
        max_stale?: string;
    };
    url: '/v1/acl/declaration/name/{name}';
};

export type ReadDeclarationByNameResponses = {
    /**
     * The declaration.
     */
    200: CreateDeclarationAnswer;
};

export type ReadDeclarationByNameResponse = ReadDeclarationByNameResponses[keyof ReadDeclarationByNameResponses];

export type ListDeclarationsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Namespace to list; `*` for all namespaces that the caller may read. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Maximum number of entries; fewer if entries are large. The header X-Service-Next contains the cursor of the next page.
         */
        'page-size'?: string;
        /**
         * Maximum number of entries, 1 to 1000, in the order of `sort`. X-Tessera-Next contains the cursor of the next page, X-Tessera-Total the number of all entries.
         */
        limit?: string;
        /**
         * X-Service-Next of the previous page; with `limit`, its X-Tessera-Next.
         */
        after?: string;
        /**
         * Only entries that contain this text, ignoring case.
         */
        search?: string;
        /**
         * With `limit`: member to sort by; prefix with - for descending order.
         */
        sort?: string;
        /**
         * With `limit`: first sort value of the page.
         */
        at?: string;
        /**
         * With `limit`: only entries with this ID prefix, at least 4 characters of a UUID.
         */
        'id-prefix'?: string;
        /**
         * Blocking query: wait until the index is greater than this X-Service-Index.
         */
        index?: string;
        /**
         * Maximum wait, such as 5m.
         */
        wait?: string;
        /**
         * Allow a replica to answer. Without it, and with `consistent`, the primary answers.
         */
        stale?: string;
        /**
         * Use the current permissions. Without it, permissions can be up to one second old.
         */
        consistent?: string;
        /**
         * Maximum replication lag of a replica that answers, such as 10s.
         */
        max_stale?: string;
    };
    url: '/v1/acl/declarations';
};

export type ListDeclarationsResponses = {
    /**
     * The declarations.
     */
    200: Array<CreateDeclarationAnswer>;
};

export type ListDeclarationsResponse = ListDeclarationsResponses[keyof ListDeclarationsResponses];

export type CreateDecisionMappingData = {
    body: DecisionMappingRequest;
    path?: never;
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Write only if the object has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/decision-mapping';
};

export type CreateDecisionMappingResponses = {
    /**
     * The decision mapping.
     */
    200: DecisionMapping;
};

export type CreateDecisionMappingResponse = CreateDecisionMappingResponses[keyof CreateDecisionMappingResponses];

export type DeleteDecisionMappingData = {
    body?: never;
    path: {
        /**
         * name of the decision mapping.
         */
        name: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Write only if the object has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/decision-mapping/{name}';
};

export type DeleteDecisionMappingResponses = {
    /**
     * Deleted.
     */
    200: boolean;
};

export type DeleteDecisionMappingResponse = DeleteDecisionMappingResponses[keyof DeleteDecisionMappingResponses];

export type ReadDecisionMappingData = {
    body?: never;
    path: {
        /**
         * name of the decision mapping.
         */
        name: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Blocking query: wait until the index is greater than this X-Service-Index.
         */
        index?: string;
        /**
         * Maximum wait, such as 5m.
         */
        wait?: string;
        /**
         * Allow a replica to answer. Without it, and with `consistent`, the primary answers.
         */
        stale?: string;
        /**
         * Use the current permissions. Without it, permissions can be up to one second old.
         */
        consistent?: string;
        /**
         * Maximum replication lag of a replica that answers, such as 10s.
         */
        max_stale?: string;
    };
    url: '/v1/acl/decision-mapping/{name}';
};

export type ReadDecisionMappingResponses = {
    /**
     * The decision mapping.
     */
    200: DecisionMapping;
};

export type ReadDecisionMappingResponse = ReadDecisionMappingResponses[keyof ReadDecisionMappingResponses];

export type UpdateDecisionMappingData = {
    body: DecisionMappingRequest;
    path: {
        /**
         * name of the decision mapping.
         */
        name: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Write only if the object has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/decision-mapping/{name}';
};

export type UpdateDecisionMappingResponses = {
    /**
     * The decision mapping.
     */
    200: DecisionMapping;
};

export type UpdateDecisionMappingResponse = UpdateDecisionMappingResponses[keyof UpdateDecisionMappingResponses];

export type ReplaceDecisionMappingData = {
    body: DecisionMappingRequest;
    path: {
        /**
         * name of the decision mapping.
         */
        name: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Write only if the object has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/decision-mapping/{name}';
};

export type ReplaceDecisionMappingResponses = {
    /**
     * The decision mapping.
     */
    200: DecisionMapping;
};

export type ReplaceDecisionMappingResponse = ReplaceDecisionMappingResponses[keyof ReplaceDecisionMappingResponses];

export type ListDecisionMappingsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Namespace to list; `*` for all namespaces that the caller may read. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Maximum number of entries; fewer if entries are large. The header X-Service-Next contains the cursor of the next page.
         */
        'page-size'?: string;
        /**
         * Maximum number of entries, 1 to 1000, in the order of `sort`. X-Tessera-Next contains the cursor of the next page, X-Tessera-Total the number of all entries.
         */
        limit?: string;
        /**
         * X-Service-Next of the previous page; with `limit`, its X-Tessera-Next.
         */
        after?: string;
        /**
         * Only entries that contain this text, ignoring case.
         */
        search?: string;
        /**
         * With `limit`: member to sort by; prefix with - for descending order.
         */
        sort?: string;
        /**
         * With `limit`: first sort value of the page.
         */
        at?: string;
        /**
         * Blocking query: wait until the index is greater than this X-Service-Index.
         */
        index?: string;
        /**
         * Maximum wait, such as 5m.
         */
        wait?: string;
        /**
         * Allow a replica to answer. Without it, and with `consistent`, the primary answers.
         */
        stale?: string;
        /**
         * Use the current permissions. Without it, permissions can be up to one second old.
         */
        consistent?: string;
        /**
         * Maximum replication lag of a replica that answers, such as 10s.
         */
        max_stale?: string;
    };
    url: '/v1/acl/decision-mappings';
};

export type ListDecisionMappingsResponses = {
    /**
     * The decision mappings.
     */
    200: Array<DecisionMapping>;
};

export type ListDecisionMappingsResponse = ListDecisionMappingsResponses[keyof ListDecisionMappingsResponses];

export type ListSessionsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
    };
    url: '/v1/acl/sessions';
};

export type ListSessionsResponses = {
    /**
     * Sessions, most recently used first.
     */
    200: ConsoleSessions;
};

export type ListSessionsResponse = ListSessionsResponses[keyof ListSessionsResponses];

export type EndSessionData = {
    body?: never;
    path: {
        /**
         * ID of the session.
         */
        id: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
    };
    url: '/v1/acl/session/{id}';
};

export type EndSessionResponses = {
    /**
     * Deleted.
     */
    200: boolean;
};

export type EndSessionResponse = EndSessionResponses[keyof EndSessionResponses];

export type ListViewsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Noun of one list, such as roles. Default: all lists.
         */
        list?: string;
    };
    url: '/v1/acl/views';
};

export type ListViewsResponses = {
    /**
     * Own views, and shared views of the namespace, by name.
     */
    200: Array<SavedView>;
};

export type ListViewsResponse = ListViewsResponses[keyof ListViewsResponses];

export type CreateViewData = {
    /**
     * At most 4096 bytes as JSON.
     */
    body: ViewRequest;
    path?: never;
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
    };
    url: '/v1/acl/view';
};

export type CreateViewResponses = {
    /**
     * The saved view.
     */
    200: SavedView;
};

export type CreateViewResponse = CreateViewResponses[keyof CreateViewResponses];

export type DeleteViewData = {
    body?: never;
    path: {
        /**
         * ID of the view.
         */
        id: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Write only if the object has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/view/{id}';
};

export type DeleteViewResponses = {
    /**
     * Deleted.
     */
    200: boolean;
};

export type DeleteViewResponse = DeleteViewResponses[keyof DeleteViewResponses];

export type ReplaceViewData = {
    /**
     * At most 4096 bytes as JSON.
     */
    body: ViewRequest;
    path: {
        /**
         * ID of the view.
         */
        id: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Write only if the object has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/view/{id}';
};

export type ReplaceViewResponses = {
    /**
     * The saved view.
     */
    200: SavedView;
};

export type ReplaceViewResponse = ReplaceViewResponses[keyof ReplaceViewResponses];

export type CreateTokenData = {
    body: TokenRequest;
    path?: never;
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Write only if the object has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/token';
};

export type CreateTokenResponses = {
    /**
     * The token.
     */
    200: Token;
};

export type CreateTokenResponse = CreateTokenResponses[keyof CreateTokenResponses];

export type DeleteTokenData = {
    body?: never;
    path: {
        /**
         * AccessorID of the token.
         */
        accessor: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Write only if the object has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/token/{accessor}';
};

export type DeleteTokenResponses = {
    /**
     * Deleted.
     */
    200: boolean;
};

export type DeleteTokenResponse = DeleteTokenResponses[keyof DeleteTokenResponses];

export type ReadTokenData = {
    body?: never;
    path: {
        /**
         * AccessorID of the token.
         */
        accessor: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Include all policies and roles of the token, direct and inherited.
         */
        expanded?: string;
        /**
         * Blocking query: wait until the index is greater than this X-Service-Index.
         */
        index?: string;
        /**
         * Maximum wait, such as 5m.
         */
        wait?: string;
        /**
         * Allow a replica to answer. Without it, and with `consistent`, the primary answers.
         */
        stale?: string;
        /**
         * Use the current permissions. Without it, permissions can be up to one second old.
         */
        consistent?: string;
        /**
         * Maximum replication lag of a replica that answers, such as 10s.
         */
        max_stale?: string;
    };
    url: '/v1/acl/token/{accessor}';
};

export type ReadTokenResponses = {
    /**
     * The token.
     */
    200: ExpandedToken;
};

export type ReadTokenResponse = ReadTokenResponses[keyof ReadTokenResponses];

export type UpdateTokenData = {
    body: TokenRequest;
    path: {
        /**
         * AccessorID of the token.
         */
        accessor: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Write only if the object has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/token/{accessor}';
};

export type UpdateTokenResponses = {
    /**
     * The token.
     */
    200: Token;
};

export type UpdateTokenResponse = UpdateTokenResponses[keyof UpdateTokenResponses];

export type ReplaceTokenData = {
    body: TokenRequest;
    path: {
        /**
         * AccessorID of the token.
         */
        accessor: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Write only if the object has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/token/{accessor}';
};

export type ReplaceTokenResponses = {
    /**
     * The token.
     */
    200: Token;
};

export type ReplaceTokenResponse = ReplaceTokenResponses[keyof ReplaceTokenResponses];

export type ListTokensData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Namespace to list; `*` for all namespaces that the caller may read. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Maximum number of entries; fewer if entries are large. The header X-Service-Next contains the cursor of the next page.
         */
        'page-size'?: string;
        /**
         * Maximum number of entries, 1 to 1000, in the order of `sort`. X-Tessera-Next contains the cursor of the next page, X-Tessera-Total the number of all entries.
         */
        limit?: string;
        /**
         * X-Service-Next of the previous page; with `limit`, its X-Tessera-Next.
         */
        after?: string;
        /**
         * Only entries that contain this text, ignoring case.
         */
        search?: string;
        /**
         * With `limit`: member to sort by; prefix with - for descending order.
         */
        sort?: string;
        /**
         * With `limit`: first sort value of the page.
         */
        at?: string;
        /**
         * With `limit`: only entries with this ID prefix, at least 4 characters of a UUID.
         */
        'id-prefix'?: string;
        /**
         * Only tokens that link to the policy with this ID.
         */
        policy?: string;
        /**
         * Only tokens that link to the role with this ID.
         */
        role?: string;
        /**
         * Only tokens with an identity for this service.
         */
        servicename?: string;
        /**
         * Only tokens that this auth method created.
         */
        authmethod?: string;
        /**
         * Only tokens of auth methods in this namespace.
         */
        'authmethod-ns'?: string;
        /**
         * Only tokens that were neither used nor created within this duration, in days, such as 90d.
         */
        'unused-for'?: string;
        /**
         * Only tokens that expire before this time, or within this duration, such as 7d.
         */
        'expires-before'?: string;
        /**
         * Only tokens that expire at this time or later, or not within this duration, such as 1d.
         */
        'expires-after'?: string;
        /**
         * Only tokens whose last use was within this duration, in days, such as 30d.
         */
        'used-within'?: string;
        /**
         * `ever` or `never`: only tokens that were used, or were never used.
         */
        used?: string;
        /**
         * `never`: only tokens that never expire.
         */
        expires?: string;
        /**
         * Blocking query: wait until the index is greater than this X-Service-Index.
         */
        index?: string;
        /**
         * Maximum wait, such as 5m.
         */
        wait?: string;
        /**
         * Allow a replica to answer. Without it, and with `consistent`, the primary answers.
         */
        stale?: string;
        /**
         * Use the current permissions. Without it, permissions can be up to one second old.
         */
        consistent?: string;
        /**
         * Maximum replication lag of a replica that answers, such as 10s.
         */
        max_stale?: string;
    };
    url: '/v1/acl/tokens';
};

export type ListTokensResponses = {
    /**
     * Tokens. SecretID is `<hidden>` without acl:write.
     */
    200: Array<Token>;
};

export type ListTokensResponse = ListTokensResponses[keyof ListTokensResponses];

export type CloneTokenData = {
    body: TokenRequest;
    path: {
        /**
         * AccessorID of the other token.
         */
        accessor: string;
    };
    query?: {
        /**
         * Write only if the object has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/token/{accessor}/clone';
};

export type CloneTokenResponses = {
    /**
     * The token.
     */
    200: Token;
};

export type CloneTokenResponse = CloneTokenResponses[keyof CloneTokenResponses];

export type RotateTokenData = {
    body: RotateTokenBody;
    headers?: {
        /**
         * Idempotency key. A repeated rotation with this key within ten minutes returns the first response.
         */
        'Idempotency-Key'?: string;
    };
    path: {
        /**
         * AccessorID of the token.
         */
        accessor: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Write only if the object has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/token/{accessor}/rotate';
};

export type RotateTokenResponses = {
    /**
     * Token with its new secret.
     */
    200: RotatedToken;
};

export type RotateTokenResponse = RotateTokenResponses[keyof RotateTokenResponses];

export type RevealTokenData = {
    body?: never;
    path: {
        /**
         * AccessorID of the token.
         */
        accessor: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
    };
    url: '/v1/acl/token/{accessor}/reveal';
};

export type RevealTokenResponses = {
    /**
     * The token.
     */
    200: Token;
};

export type RevealTokenResponse = RevealTokenResponses[keyof RevealTokenResponses];

export type ReadOwnTokenData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Accepted for compatibility; the token is returned without expansion.
         */
        expanded?: string;
        /**
         * Blocking query: wait until the index is greater than this X-Service-Index.
         */
        index?: string;
        /**
         * Maximum wait, such as 5m.
         */
        wait?: string;
        /**
         * Allow a replica to answer. Without it, and with `consistent`, the primary answers.
         */
        stale?: string;
        /**
         * Use the current permissions. Without it, permissions can be up to one second old.
         */
        consistent?: string;
        /**
         * Maximum replication lag of a replica that answers, such as 10s.
         */
        max_stale?: string;
    };
    url: '/v1/acl/token/self';
};

export type ReadOwnTokenResponses = {
    /**
     * The token.
     */
    200: Token;
};

export type ReadOwnTokenResponse = ReadOwnTokenResponses[keyof ReadOwnTokenResponses];

export type ListTokenNamesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * AccessorIDs, separated by commas. Maximum 64.
         */
        accessor?: string;
    };
    url: '/v1/acl/token-names';
};

export type ListTokenNamesResponses = {
    /**
     * Tokens that the caller may read, in the order of the request.
     */
    200: Array<TokenName>;
};

export type ListTokenNamesResponse = ListTokenNamesResponses[keyof ListTokenNamesResponses];

export type DisableTokenData = {
    body?: never;
    path: {
        /**
         * AccessorID of the token.
         */
        accessor: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Write only if the object has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/token/{accessor}/disable';
};

export type DisableTokenResponses = {
    /**
     * The token.
     */
    200: Token;
};

export type DisableTokenResponse = DisableTokenResponses[keyof DisableTokenResponses];

export type EnableTokenData = {
    body?: never;
    path: {
        /**
         * AccessorID of the token.
         */
        accessor: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Write only if the object has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/token/{accessor}/enable';
};

export type EnableTokenResponses = {
    /**
     * The token.
     */
    200: Token;
};

export type EnableTokenResponse = EnableTokenResponses[keyof EnableTokenResponses];

export type FindLeakedTokensData = {
    body: FindLeakedTokensBody;
    path?: never;
    query?: never;
    url: '/v1/acl/tokens/leaked';
};

export type FindLeakedTokensResponses = {
    /**
     * Active tokens. The response contains no secrets.
     */
    200: FindLeakedTokensAnswer;
};

export type FindLeakedTokensResponse = FindLeakedTokensResponses[keyof FindLeakedTokensResponses];

export type RevokeTokensData = {
    body: RevokeTokensBody;
    path?: never;
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Dry run: return the tokens to delete, delete none. true or false.
         */
        preview?: string;
    };
    url: '/v1/acl/tokens/revoke';
};

export type RevokeTokensResponses = {
    /**
     * Progress of the revocation.
     */
    200: RevokeTokensAnswer;
};

export type RevokeTokensResponse = RevokeTokensResponses[keyof RevokeTokensResponses];

export type ReadTokenRevocationData = {
    body?: never;
    path: {
        /**
         * ID of the revocation.
         */
        id: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
    };
    url: '/v1/acl/tokens/revoke/{id}';
};

export type ReadTokenRevocationResponses = {
    /**
     * Progress of the revocation.
     */
    200: RevokeTokensAnswer;
};

export type ReadTokenRevocationResponse = ReadTokenRevocationResponses[keyof ReadTokenRevocationResponses];

export type CountTokensData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Namespace to list; `*` for all namespaces that the caller may read. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
    };
    url: '/v1/acl/tokens/histogram';
};

export type CountTokensResponses = {
    /**
     * Active tokens that the caller may read. Each token is in one bucket of each kind.
     */
    200: CountTokensAnswer;
};

export type CountTokensResponse = CountTokensResponses[keyof CountTokensResponses];

export type ListTemplatedPoliciesData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v1/acl/templated-policies';
};

export type ListTemplatedPoliciesResponses = {
    /**
     * The templated policies.
     */
    200: ListTemplatedPoliciesAnswer;
};

export type ListTemplatedPoliciesResponse = ListTemplatedPoliciesResponses[keyof ListTemplatedPoliciesResponses];

export type ReadTemplatedPolicyData = {
    body?: never;
    path: {
        /**
         * Name, such as `builtin/service`; the slash needs no escape.
         */
        name: string;
    };
    query?: never;
    url: '/v1/acl/templated-policy/name/{name}';
};

export type ReadTemplatedPolicyResponses = {
    /**
     * The templated policy.
     */
    200: ReadTemplatedPolicyAnswer;
};

export type ReadTemplatedPolicyResponse = ReadTemplatedPolicyResponses[keyof ReadTemplatedPolicyResponses];

export type PreviewTemplatedPolicyData = {
    body: PreviewTemplatedPolicyBody;
    path: {
        /**
         * Name, such as `builtin/service`; the slash needs no escape.
         */
        name: string;
    };
    query?: never;
    url: '/v1/acl/templated-policy/preview/{name}';
};

export type PreviewTemplatedPolicyResponses = {
    /**
     * The policy.
     */
    200: Policy;
};

export type PreviewTemplatedPolicyResponse = PreviewTemplatedPolicyResponses[keyof PreviewTemplatedPolicyResponses];

export type CreateAuthMethodData = {
    body: AuthMethodRequest;
    path?: never;
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Write only if the object has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/auth-method';
};

export type CreateAuthMethodResponses = {
    /**
     * Auth method. Secrets of its configuration are `<hidden>` without acl:write.
     */
    200: AuthMethod;
};

export type CreateAuthMethodResponse = CreateAuthMethodResponses[keyof CreateAuthMethodResponses];

export type DeleteAuthMethodData = {
    body?: never;
    path: {
        /**
         * name of the auth method.
         */
        name: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Write only if the object has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/auth-method/{name}';
};

export type DeleteAuthMethodResponses = {
    /**
     * Deleted.
     */
    200: boolean;
};

export type DeleteAuthMethodResponse = DeleteAuthMethodResponses[keyof DeleteAuthMethodResponses];

export type ReadAuthMethodData = {
    body?: never;
    path: {
        /**
         * name of the auth method.
         */
        name: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Blocking query: wait until the index is greater than this X-Service-Index.
         */
        index?: string;
        /**
         * Maximum wait, such as 5m.
         */
        wait?: string;
        /**
         * Allow a replica to answer. Without it, and with `consistent`, the primary answers.
         */
        stale?: string;
        /**
         * Use the current permissions. Without it, permissions can be up to one second old.
         */
        consistent?: string;
        /**
         * Maximum replication lag of a replica that answers, such as 10s.
         */
        max_stale?: string;
    };
    url: '/v1/acl/auth-method/{name}';
};

export type ReadAuthMethodResponses = {
    /**
     * Auth method. Secrets of its configuration are `<hidden>` without acl:write.
     */
    200: AuthMethod;
};

export type ReadAuthMethodResponse = ReadAuthMethodResponses[keyof ReadAuthMethodResponses];

export type UpdateAuthMethodData = {
    body: AuthMethodRequest;
    path: {
        /**
         * name of the auth method.
         */
        name: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Write only if the object has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/auth-method/{name}';
};

export type UpdateAuthMethodResponses = {
    /**
     * Auth method. Secrets of its configuration are `<hidden>` without acl:write.
     */
    200: AuthMethod;
};

export type UpdateAuthMethodResponse = UpdateAuthMethodResponses[keyof UpdateAuthMethodResponses];

export type ReplaceAuthMethodData = {
    body: AuthMethodRequest;
    path: {
        /**
         * name of the auth method.
         */
        name: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Write only if the object has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/auth-method/{name}';
};

export type ReplaceAuthMethodResponses = {
    /**
     * Auth method. Secrets of its configuration are `<hidden>` without acl:write.
     */
    200: AuthMethod;
};

export type ReplaceAuthMethodResponse = ReplaceAuthMethodResponses[keyof ReplaceAuthMethodResponses];

export type ListAuthMethodsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Namespace to list; `*` for all namespaces that the caller may read. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Maximum number of entries; fewer if entries are large. The header X-Service-Next contains the cursor of the next page.
         */
        'page-size'?: string;
        /**
         * Maximum number of entries, 1 to 1000, in the order of `sort`. X-Tessera-Next contains the cursor of the next page, X-Tessera-Total the number of all entries.
         */
        limit?: string;
        /**
         * X-Service-Next of the previous page; with `limit`, its X-Tessera-Next.
         */
        after?: string;
        /**
         * Only entries that contain this text, ignoring case.
         */
        search?: string;
        /**
         * With `limit`: member to sort by; prefix with - for descending order.
         */
        sort?: string;
        /**
         * With `limit`: first sort value of the page.
         */
        at?: string;
        /**
         * Blocking query: wait until the index is greater than this X-Service-Index.
         */
        index?: string;
        /**
         * Maximum wait, such as 5m.
         */
        wait?: string;
        /**
         * Allow a replica to answer. Without it, and with `consistent`, the primary answers.
         */
        stale?: string;
        /**
         * Use the current permissions. Without it, permissions can be up to one second old.
         */
        consistent?: string;
        /**
         * Maximum replication lag of a replica that answers, such as 10s.
         */
        max_stale?: string;
    };
    url: '/v1/acl/auth-methods';
};

export type ListAuthMethodsResponses = {
    /**
     * Auth methods, without their configurations.
     */
    200: Array<ListedAuthMethod>;
};

export type ListAuthMethodsResponse = ListAuthMethodsResponses[keyof ListAuthMethodsResponses];

export type CheckPolicyData = {
    body: PolicyRequest;
    path?: never;
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Origin of the policy: consul, consul-community, tessera. Decisions that differ there are reported as warnings.
         */
        from?: string;
    };
    url: '/v1/acl/policy/check';
};

export type CheckPolicyResponses = {
    /**
     * Errors and warnings; both empty if the object is valid.
     */
    200: CheckPolicyAnswer;
};

export type CheckPolicyResponse = CheckPolicyResponses[keyof CheckPolicyResponses];

export type CheckBindingRuleData = {
    body: BindingRuleToCheckWritable;
    path?: never;
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
    };
    url: '/v1/acl/binding-rule/check';
};

export type CheckBindingRuleResponses = {
    /**
     * Errors and warnings; both empty if the object is valid.
     */
    200: CheckPolicyAnswer;
};

export type CheckBindingRuleResponse = CheckBindingRuleResponses[keyof CheckBindingRuleResponses];

export type CheckAuthMethodData = {
    body: AuthMethodRequest;
    path?: never;
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
    };
    url: '/v1/acl/auth-method/check';
};

export type CheckAuthMethodResponses = {
    /**
     * Errors and warnings; both empty if the object is valid.
     */
    200: CheckPolicyAnswer;
};

export type CheckAuthMethodResponse = CheckAuthMethodResponses[keyof CheckAuthMethodResponses];

export type CreateBindingRuleData = {
    body: BindingRuleRequest;
    headers?: {
        /**
         * Idempotency key. A repeated create with this key returns the first binding rule.
         */
        'Idempotency-Key'?: string;
    };
    path?: never;
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Write only if the object has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/binding-rule';
};

export type CreateBindingRuleResponses = {
    /**
     * Binding rule. Without a `Selector`, it matches all identities.
     */
    200: BindingRule;
};

export type CreateBindingRuleResponse = CreateBindingRuleResponses[keyof CreateBindingRuleResponses];

export type DeleteBindingRuleData = {
    body?: never;
    path: {
        /**
         * ID of the binding rule.
         */
        id: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Write only if the object has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/binding-rule/{id}';
};

export type DeleteBindingRuleResponses = {
    /**
     * Deleted.
     */
    200: boolean;
};

export type DeleteBindingRuleResponse = DeleteBindingRuleResponses[keyof DeleteBindingRuleResponses];

export type ReadBindingRuleData = {
    body?: never;
    path: {
        /**
         * ID of the binding rule.
         */
        id: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Blocking query: wait until the index is greater than this X-Service-Index.
         */
        index?: string;
        /**
         * Maximum wait, such as 5m.
         */
        wait?: string;
        /**
         * Allow a replica to answer. Without it, and with `consistent`, the primary answers.
         */
        stale?: string;
        /**
         * Use the current permissions. Without it, permissions can be up to one second old.
         */
        consistent?: string;
        /**
         * Maximum replication lag of a replica that answers, such as 10s.
         */
        max_stale?: string;
    };
    url: '/v1/acl/binding-rule/{id}';
};

export type ReadBindingRuleResponses = {
    /**
     * Binding rule. Without a `Selector`, it matches all identities.
     */
    200: BindingRule;
};

export type ReadBindingRuleResponse = ReadBindingRuleResponses[keyof ReadBindingRuleResponses];

export type UpdateBindingRuleData = {
    body: BindingRuleRequest;
    path: {
        /**
         * ID of the binding rule.
         */
        id: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Write only if the object has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/binding-rule/{id}';
};

export type UpdateBindingRuleResponses = {
    /**
     * Binding rule. Without a `Selector`, it matches all identities.
     */
    200: BindingRule;
};

export type UpdateBindingRuleResponse = UpdateBindingRuleResponses[keyof UpdateBindingRuleResponses];

export type ReplaceBindingRuleData = {
    body: BindingRuleRequest;
    path: {
        /**
         * ID of the binding rule.
         */
        id: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Write only if the object has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/binding-rule/{id}';
};

export type ReplaceBindingRuleResponses = {
    /**
     * Binding rule. Without a `Selector`, it matches all identities.
     */
    200: BindingRule;
};

export type ReplaceBindingRuleResponse = ReplaceBindingRuleResponses[keyof ReplaceBindingRuleResponses];

export type ListBindingRulesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Namespace to list; `*` for all namespaces that the caller may read. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Maximum number of entries; fewer if entries are large. The header X-Service-Next contains the cursor of the next page.
         */
        'page-size'?: string;
        /**
         * Maximum number of entries, 1 to 1000, in the order of `sort`. X-Tessera-Next contains the cursor of the next page, X-Tessera-Total the number of all entries.
         */
        limit?: string;
        /**
         * X-Service-Next of the previous page; with `limit`, its X-Tessera-Next.
         */
        after?: string;
        /**
         * Only entries that contain this text, ignoring case.
         */
        search?: string;
        /**
         * With `limit`: member to sort by; prefix with - for descending order.
         */
        sort?: string;
        /**
         * With `limit`: first sort value of the page.
         */
        at?: string;
        /**
         * With `limit`: only entries with this ID prefix, at least 4 characters of a UUID.
         */
        'id-prefix'?: string;
        /**
         * Only binding rules of the auth method with this name, ignoring case.
         */
        authmethod?: string;
        /**
         * Blocking query: wait until the index is greater than this X-Service-Index.
         */
        index?: string;
        /**
         * Maximum wait, such as 5m.
         */
        wait?: string;
        /**
         * Allow a replica to answer. Without it, and with `consistent`, the primary answers.
         */
        stale?: string;
        /**
         * Use the current permissions. Without it, permissions can be up to one second old.
         */
        consistent?: string;
        /**
         * Maximum replication lag of a replica that answers, such as 10s.
         */
        max_stale?: string;
    };
    url: '/v1/acl/binding-rules';
};

export type ListBindingRulesResponses = {
    /**
     * The binding rules.
     */
    200: Array<BindingRule>;
};

export type ListBindingRulesResponse = ListBindingRulesResponses[keyof ListBindingRulesResponses];

export type ListTrashData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * ID of one entry. The response then contains the consequences of a restore.
         */
        id?: string;
    };
    url: '/v1/acl/trash';
};

export type ListTrashResponses = {
    /**
     * Deleted objects, latest deletion first. `LeftOut` and `NameTaken` are present with `id`.
     */
    200: Array<TrashEntry>;
};

export type ListTrashResponse = ListTrashResponses[keyof ListTrashResponses];

export type RestoreFromTrashData = {
    body: RestoreBody;
    path: {
        /**
         * ID of the entry.
         */
        id: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
    };
    url: '/v1/acl/trash/{id}/restore';
};

export type RestoreFromTrashResponses = {
    /**
     * The restored object. Read it with its own route.
     */
    200: RestoredObject;
};

export type RestoreFromTrashResponse = RestoreFromTrashResponses[keyof RestoreFromTrashResponses];

export type LoginData = {
    body: LoginBody;
    path?: never;
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
    };
    url: '/v1/acl/login';
};

export type LoginResponses = {
    /**
     * The token.
     */
    200: Token;
};

export type LoginResponse = LoginResponses[keyof LoginResponses];

export type LogoutData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v1/acl/logout';
};

export type LogoutResponses = {
    /**
     * Deleted.
     */
    200: boolean;
};

export type LogoutResponse = LogoutResponses[keyof LogoutResponses];

export type ExplainLoginData = {
    body: ExplainLoginBody;
    path?: never;
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
    };
    url: '/v1/acl/login/explain';
};

export type ExplainLoginResponses = {
    /**
     * Identity, each binding rule with its explanation, and the result.
     */
    200: LoginExplanation;
};

export type ExplainLoginResponse = ExplainLoginResponses[keyof ExplainLoginResponses];

export type AuthorizeInternallyData = {
    body: QuestionRequest;
    path?: never;
    query?: {
        /**
         * Return the deciding rule and policy; requires acl:read. Default: `false`.
         */
        explain?: string;
        /**
         * Namespace of checks without a namespace. Default: `default`.
         */
        ns?: string;
        /**
         * Partition of checks without a partition. Default: `default`.
         */
        partition?: string;
    };
    url: '/v1/internal/acl/authorize';
};

export type AuthorizeInternallyResponses = {
    /**
     * Checks in the order of the request, each with its result.
     */
    200: Array<Decision>;
};

export type AuthorizeInternallyResponse = AuthorizeInternallyResponses[keyof AuthorizeInternallyResponses];

export type AuthorizeData = {
    body: QuestionRequest;
    path?: never;
    query?: {
        /**
         * Return the deciding rule and policy; requires acl:read. Default: `false`.
         */
        explain?: string;
        /**
         * Namespace of checks without a namespace. Default: `default`.
         */
        ns?: string;
        /**
         * Partition of checks without a partition. Default: `default`.
         */
        partition?: string;
    };
    url: '/v1/acl/authorize';
};

export type AuthorizeResponses = {
    /**
     * Checks in the order of the request, each with its result.
     */
    200: Array<Decision>;
};

export type AuthorizeResponse = AuthorizeResponses[keyof AuthorizeResponses];

export type ExplainDecisionsData = {
    body: ExplainDecisionsBody;
    path?: never;
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
    };
    url: '/v1/acl/explain';
};

export type ExplainDecisionsResponses = {
    /**
     * Subject, and the checks in the order of the request, each with its decision and path.
     */
    200: ExplainDecisionsAnswer;
};

export type ExplainDecisionsResponse = ExplainDecisionsResponses[keyof ExplainDecisionsResponses];

export type ExplainRefusalData = {
    body?: never;
    path: {
        /**
         * X-Request-Id of the response.
         */
        request_id: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
    };
    url: '/v1/acl/why/{request_id}';
};

export type ExplainRefusalResponses = {
    /**
     * Denied request, its denial, and the current decision.
     */
    200: ExplainRefusalAnswer;
};

export type ExplainRefusalResponse = ExplainRefusalResponses[keyof ExplainRefusalResponses];

export type ListOwnRefusalsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v1/acl/denied';
};

export type ListOwnRefusalsResponses = {
    /**
     * Last denied access checks, the latest first, each with the current decision and the minimal rule.
     */
    200: Array<OwnDeniedRequest>;
};

export type ListOwnRefusalsResponse = ListOwnRefusalsResponses[keyof ListOwnRefusalsResponses];

export type ListAccessData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Resource, such as `workspace`.
         */
        resource?: string;
        /**
         * Name, such as `acme/prod`.
         */
        segment?: string;
        /**
         * Access, such as `read` or `write`.
         */
        access?: string;
        /**
         * Only `role`, `binding-rule` or `token`.
         */
        kind?: string;
        /**
         * Maximum number of entries. Default: 100. The header X-Service-Next contains the cursor of the next page.
         */
        'page-size'?: string;
        /**
         * X-Service-Next of the previous page.
         */
        after?: string;
    };
    url: '/v1/acl/access';
};

export type ListAccessResponses = {
    /**
     * Subjects with the permission: roles, binding rules with their condition, then tokens.
     */
    200: Array<ListAccessEntry>;
};

export type ListAccessResponse = ListAccessResponses[keyof ListAccessResponses];

export type PreviewEffectData = {
    body: EffectBodyWritable;
    path?: never;
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Only subjects of the change with this ID.
         */
        change?: string;
        /**
         * Only `role`, `binding-rule` or `token`.
         */
        kind?: string;
        /**
         * Maximum number of entries. Default: 100. The header X-Service-Next contains the cursor of the next page.
         */
        'page-size'?: string;
        /**
         * X-Service-Next of the previous page.
         */
        after?: string;
    };
    url: '/v1/acl/effect';
};

export type PreviewEffectResponses = {
    /**
     * Number of subjects that gain or lose permissions, and a page of them. Limited to subjects that the caller may read.
     */
    200: PreviewEffectAnswer;
};

export type PreviewEffectResponse = PreviewEffectResponses[keyof PreviewEffectResponses];

export type ReplayDraftData = {
    body: ReplayBodyWritable;
    path?: never;
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Only `refused`, `allowed` or `already-refused`. Default: `refused` and `allowed`. The totals always include all kinds.
         */
        change?: string;
        /**
         * Maximum number of entries. Default: 100. The header X-Service-Next contains the cursor of the next page.
         */
        'page-size'?: string;
        /**
         * X-Service-Next of the previous page.
         */
        after?: string;
    };
    url: '/v1/acl/replay';
};

export type ReplayDraftResponses = {
    /**
     * Differences between the stored state and the draft. Limited to subjects that the caller may read.
     */
    200: ReplayDraftAnswer;
};

export type ReplayDraftResponse = ReplayDraftResponses[keyof ReplayDraftResponses];

export type ListEffectiveData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * AccessorID of a token, or `self`. Default without another subject: `self`.
         */
        accessor?: string;
        /**
         * ID or name of a role.
         */
        role?: string;
        /**
         * Auth method: the permissions of a login that all its binding rules match.
         */
        'auth-method'?: string;
        /**
         * Namespace: the default policies of its tokens.
         */
        'namespace-defaults'?: string;
        /**
         * Second subject, such as `accessor:ID` or `role:NAME`. Only resources with differences are listed.
         */
        with?: string;
        /**
         * Only rows of this resource.
         */
        resource?: string;
        /**
         * Time in RFC 3339: the permissions at that time, from audit records. Not for auth methods.
         */
        at?: string;
        /**
         * Maximum number of rows. Default: 100. The header X-Service-Next contains the cursor of the next page.
         */
        'page-size'?: string;
        /**
         * X-Service-Next of the previous page.
         */
        after?: string;
    };
    url: '/v1/acl/effective';
};

export type ListEffectiveResponses = {
    /**
     * Effective permissions, by place, resource and name.
     */
    200: ListEffectiveAnswer;
};

export type ListEffectiveResponse = ListEffectiveResponses[keyof ListEffectiveResponses];

export type ListUsesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * ID of a policy.
         */
        policy?: string;
        /**
         * ID of a role.
         */
        role?: string;
        /**
         * Name of an auth method.
         */
        'auth-method'?: string;
        /**
         * Name of a namespace.
         */
        namespace?: string;
    };
    url: '/v1/acl/uses';
};

export type ListUsesResponses = {
    /**
     * Objects that use it and that the caller may read.
     */
    200: ListUsesAnswer;
};

export type ListUsesResponse = ListUsesResponses[keyof ListUsesResponses];

export type ReadUseData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Subjects of the report: policy (default), rule, token, role, identity, binding-rule or decision-point.
         */
        by?: string;
        /**
         * ID of a policy. Only the use of this policy is counted.
         */
        policy?: string;
        /**
         * ID of the one policy, token, role or binding rule to report.
         */
        id?: string;
        /**
         * Only subjects that were not used for this time, such as 30d.
         */
        'unused-for'?: string;
    };
    url: '/v1/acl/use';
};

export type ReadUseResponses = {
    /**
     * Use of permissions.
     */
    200: UseReport;
};

export type ReadUseResponse = ReadUseResponses[keyof ReadUseResponses];

export type TightenPolicyData = {
    body: TightenPolicyBody;
    path: {
        /**
         * ID of the policy.
         */
        id: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
    };
    url: '/v1/acl/policy/{id}/tighten';
};

export type TightenPolicyResponses = {
    /**
     * A draft that adds no permission for any subject. The policy stays unchanged.
     */
    200: TightenedPolicy;
};

export type TightenPolicyResponse = TightenPolicyResponses[keyof TightenPolicyResponses];

export type TightenRoleData = {
    body: TightenRoleBody;
    path: {
        /**
         * ID of the role.
         */
        id: string;
    };
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
    };
    url: '/v1/acl/role/{id}/tighten';
};

export type TightenRoleResponses = {
    /**
     * Policies that the role can lose without a new permission for any subject. The role stays unchanged.
     */
    200: TightenedRole;
};

export type TightenRoleResponse = TightenRoleResponses[keyof TightenRoleResponses];

export type ReadOverviewData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
    };
    url: '/v1/acl/overview';
};

export type ReadOverviewResponses = {
    /**
     * Overview, limited to objects that the caller may read.
     */
    200: ReadOverviewAnswer;
};

export type ReadOverviewResponse = ReadOverviewResponses[keyof ReadOverviewResponses];

export type CreateNamespaceData = {
    body: NamespaceRequest;
    path?: never;
    query?: {
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Write only if the object has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/namespace';
};

export type CreateNamespaceResponses = {
    /**
     * Namespace. `DeletedAt` is present once it is marked for deletion.
     */
    200: Namespace;
};

export type CreateNamespaceResponse = CreateNamespaceResponses[keyof CreateNamespaceResponses];

export type DeleteNamespaceData = {
    body?: never;
    path: {
        /**
         * name of the namespace.
         */
        name: string;
    };
    query?: {
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Write only if the object has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/namespace/{name}';
};

export type DeleteNamespaceResponses = {
    /**
     * Deleted if empty, else marked for deletion. The body is empty.
     */
    200: string;
};

export type DeleteNamespaceResponse = DeleteNamespaceResponses[keyof DeleteNamespaceResponses];

export type ReadNamespaceData = {
    body?: never;
    path: {
        /**
         * name of the namespace.
         */
        name: string;
    };
    query?: {
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Blocking query: wait until the index is greater than this X-Service-Index.
         */
        index?: string;
        /**
         * Maximum wait, such as 5m.
         */
        wait?: string;
        /**
         * Allow a replica to answer. Without it, and with `consistent`, the primary answers.
         */
        stale?: string;
        /**
         * Use the current permissions. Without it, permissions can be up to one second old.
         */
        consistent?: string;
        /**
         * Maximum replication lag of a replica that answers, such as 10s.
         */
        max_stale?: string;
    };
    url: '/v1/namespace/{name}';
};

export type ReadNamespaceResponses = {
    /**
     * Namespace. `DeletedAt` is present once it is marked for deletion.
     */
    200: Namespace;
};

export type ReadNamespaceResponse = ReadNamespaceResponses[keyof ReadNamespaceResponses];

export type UpdateNamespaceData = {
    body: NamespaceRequest;
    path: {
        /**
         * name of the namespace.
         */
        name: string;
    };
    query?: {
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Write only if the object has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/namespace/{name}';
};

export type UpdateNamespaceResponses = {
    /**
     * Namespace. `DeletedAt` is present once it is marked for deletion.
     */
    200: Namespace;
};

export type UpdateNamespaceResponse = UpdateNamespaceResponses[keyof UpdateNamespaceResponses];

export type ReplaceNamespaceData = {
    body: NamespaceRequest;
    path: {
        /**
         * name of the namespace.
         */
        name: string;
    };
    query?: {
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Write only if the object has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/namespace/{name}';
};

export type ReplaceNamespaceResponses = {
    /**
     * Namespace. `DeletedAt` is present once it is marked for deletion.
     */
    200: Namespace;
};

export type ReplaceNamespaceResponse = ReplaceNamespaceResponses[keyof ReplaceNamespaceResponses];

export type ListNamespacesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Maximum number of entries; fewer if entries are large. The header X-Service-Next contains the cursor of the next page.
         */
        'page-size'?: string;
        /**
         * Maximum number of entries, 1 to 1000, in the order of `sort`. X-Tessera-Next contains the cursor of the next page, X-Tessera-Total the number of all entries.
         */
        limit?: string;
        /**
         * X-Service-Next of the previous page; with `limit`, its X-Tessera-Next.
         */
        after?: string;
        /**
         * Only entries that contain this text, ignoring case.
         */
        search?: string;
        /**
         * With `limit`: member to sort by; prefix with - for descending order.
         */
        sort?: string;
        /**
         * With `limit`: first sort value of the page.
         */
        at?: string;
        /**
         * Blocking query: wait until the index is greater than this X-Service-Index.
         */
        index?: string;
        /**
         * Maximum wait, such as 5m.
         */
        wait?: string;
        /**
         * Allow a replica to answer. Without it, and with `consistent`, the primary answers.
         */
        stale?: string;
        /**
         * Use the current permissions. Without it, permissions can be up to one second old.
         */
        consistent?: string;
        /**
         * Maximum replication lag of a replica that answers, such as 10s.
         */
        max_stale?: string;
    };
    url: '/v1/namespaces';
};

export type ListNamespacesResponses = {
    /**
     * The namespaces that the caller may see.
     */
    200: Array<Namespace>;
};

export type ListNamespacesResponse = ListNamespacesResponses[keyof ListNamespacesResponses];

export type CreatePartitionData = {
    body: PartitionRequest;
    path?: never;
    query?: {
        /**
         * Write only if the object has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/partition';
};

export type CreatePartitionResponses = {
    /**
     * Partition. `DeletedAt` is present once it is marked for deletion.
     */
    200: Partition;
};

export type CreatePartitionResponse = CreatePartitionResponses[keyof CreatePartitionResponses];

export type DeletePartitionData = {
    body?: never;
    path: {
        /**
         * name of the partition.
         */
        name: string;
    };
    query?: {
        /**
         * Write only if the object has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/partition/{name}';
};

export type DeletePartitionResponses = {
    /**
     * Deleted if empty, else marked for deletion. The body is empty.
     */
    200: string;
};

export type DeletePartitionResponse = DeletePartitionResponses[keyof DeletePartitionResponses];

export type ReadPartitionData = {
    body?: never;
    path: {
        /**
         * name of the partition.
         */
        name: string;
    };
    query?: {
        /**
         * Blocking query: wait until the index is greater than this X-Service-Index.
         */
        index?: string;
        /**
         * Maximum wait, such as 5m.
         */
        wait?: string;
        /**
         * Allow a replica to answer. Without it, and with `consistent`, the primary answers.
         */
        stale?: string;
        /**
         * Use the current permissions. Without it, permissions can be up to one second old.
         */
        consistent?: string;
        /**
         * Maximum replication lag of a replica that answers, such as 10s.
         */
        max_stale?: string;
    };
    url: '/v1/partition/{name}';
};

export type ReadPartitionResponses = {
    /**
     * Partition. `DeletedAt` is present once it is marked for deletion.
     */
    200: Partition;
};

export type ReadPartitionResponse = ReadPartitionResponses[keyof ReadPartitionResponses];

export type UpdatePartitionData = {
    body: PartitionRequest;
    path: {
        /**
         * name of the partition.
         */
        name: string;
    };
    query?: {
        /**
         * Write only if the object has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/partition/{name}';
};

export type UpdatePartitionResponses = {
    /**
     * Partition. `DeletedAt` is present once it is marked for deletion.
     */
    200: Partition;
};

export type UpdatePartitionResponse = UpdatePartitionResponses[keyof UpdatePartitionResponses];

export type ReplacePartitionData = {
    body: PartitionRequest;
    path: {
        /**
         * name of the partition.
         */
        name: string;
    };
    query?: {
        /**
         * Write only if the object has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/partition/{name}';
};

export type ReplacePartitionResponses = {
    /**
     * Partition. `DeletedAt` is present once it is marked for deletion.
     */
    200: Partition;
};

export type ReplacePartitionResponse = ReplacePartitionResponses[keyof ReplacePartitionResponses];

export type ListPartitionsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Maximum number of entries; fewer if entries are large. The header X-Service-Next contains the cursor of the next page.
         */
        'page-size'?: string;
        /**
         * Maximum number of entries, 1 to 1000, in the order of `sort`. X-Tessera-Next contains the cursor of the next page, X-Tessera-Total the number of all entries.
         */
        limit?: string;
        /**
         * X-Service-Next of the previous page; with `limit`, its X-Tessera-Next.
         */
        after?: string;
        /**
         * Only entries that contain this text, ignoring case.
         */
        search?: string;
        /**
         * With `limit`: member to sort by; prefix with - for descending order.
         */
        sort?: string;
        /**
         * With `limit`: first sort value of the page.
         */
        at?: string;
        /**
         * Blocking query: wait until the index is greater than this X-Service-Index.
         */
        index?: string;
        /**
         * Maximum wait, such as 5m.
         */
        wait?: string;
        /**
         * Allow a replica to answer. Without it, and with `consistent`, the primary answers.
         */
        stale?: string;
        /**
         * Use the current permissions. Without it, permissions can be up to one second old.
         */
        consistent?: string;
        /**
         * Maximum replication lag of a replica that answers, such as 10s.
         */
        max_stale?: string;
    };
    url: '/v1/partitions';
};

export type ListPartitionsResponses = {
    /**
     * The partitions that the caller may read.
     */
    200: Array<Partition>;
};

export type ListPartitionsResponse = ListPartitionsResponses[keyof ListPartitionsResponses];

export type MakeOidcAuthUrlData = {
    body: MakeOidcAuthUrlBody;
    path?: never;
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
    };
    url: '/v1/acl/oidc/auth-url';
};

export type MakeOidcAuthUrlResponses = {
    /**
     * URL of the identity provider for the browser.
     */
    200: MakeOidcAuthUrlAnswer;
};

export type MakeOidcAuthUrlResponse = MakeOidcAuthUrlResponses[keyof MakeOidcAuthUrlResponses];

export type FinishOidcLoginData = {
    body: FinishOidcLoginBody;
    path?: never;
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
    };
    url: '/v1/acl/oidc/callback';
};

export type FinishOidcLoginResponses = {
    /**
     * The token.
     */
    200: Token;
};

export type FinishOidcLoginResponse = FinishOidcLoginResponses[keyof FinishOidcLoginResponses];

export type ListOidcAuthMethodsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
    };
    url: '/v1/internal/ui/oidc-auth-methods';
};

export type ListOidcAuthMethodsResponses = {
    /**
     * Auth methods of type oidc.
     */
    200: Array<ListOidcAuthMethodsEntry>;
};

export type ListOidcAuthMethodsResponse = ListOidcAuthMethodsResponses[keyof ListOidcAuthMethodsResponses];

export type StreamEventsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Comma-separated kinds: auth-methods, binding-rules, decision-mappings, declarations, namespaces, policies, roles, tokens. Default: all.
         */
        topics?: string;
    };
    url: '/v1/events';
};

export type StreamEventsResponses = {
    /**
     * Event stream. Last-Event-ID in the request continues after that event.
     */
    200: string;
};

export type StreamEventsResponse = StreamEventsResponses[keyof StreamEventsResponses];

export type ListVersionsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * ID of a policy.
         */
        policy?: string;
        /**
         * ID of a role.
         */
        role?: string;
        /**
         * ID of a binding rule.
         */
        'binding-rule'?: string;
        /**
         * Name of an auth method.
         */
        'auth-method'?: string;
        /**
         * Name of a namespace, for its default policies and roles.
         */
        namespace?: string;
        /**
         * Version to return with its content.
         */
        version?: string;
    };
    url: '/v1/acl/history';
};

export type ListVersionsResponses = {
    /**
     * Versions, newest first. `Content` and `Patch` are present with `version`.
     */
    200: Array<ObjectVersion>;
};

export type ListVersionsResponse = ListVersionsResponses[keyof ListVersionsResponses];

export type ListAuditData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Namespace to list; `*` for all namespaces that the caller may read. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * Maximum number of entries; fewer if entries are large. The header X-Service-Next contains the cursor of the next page.
         */
        'page-size'?: string;
        /**
         * Maximum number of entries, 1 to 1000, in the order of `sort`. X-Tessera-Next contains the cursor of the next page, X-Tessera-Total the number of all entries.
         */
        limit?: string;
        /**
         * X-Service-Next of the previous page; with `limit`, its X-Tessera-Next.
         */
        after?: string;
        /**
         * Only entries that contain this text, ignoring case.
         */
        search?: string;
        /**
         * With `limit`: member to sort by; prefix with - for descending order.
         */
        sort?: string;
        /**
         * With `limit`: first sort value of the page.
         */
        at?: string;
        /**
         * AccessorID of the actor's token.
         */
        actor?: string;
        /**
         * Kind of the object, such as token or workspace.
         */
        kind?: string;
        /**
         * ID of the object.
         */
        object?: string;
        /**
         * Action, such as create, update, delete or login.
         */
        action?: string;
        /**
         * done or refused.
         */
        outcome?: string;
        /**
         * ID of the request.
         */
        'request-id'?: string;
        /**
         * From this time on (RFC 3339).
         */
        from?: string;
        /**
         * Before this time (RFC 3339).
         */
        to?: string;
        /**
         * Blocking query: wait until the index is greater than this X-Service-Index.
         */
        index?: string;
        /**
         * Maximum wait, such as 5m.
         */
        wait?: string;
        /**
         * Allow a replica to answer. Without it, and with `consistent`, the primary answers.
         */
        stale?: string;
        /**
         * Use the current permissions. Without it, permissions can be up to one second old.
         */
        consistent?: string;
        /**
         * Maximum replication lag of a replica that answers, such as 10s.
         */
        max_stale?: string;
    };
    url: '/v1/audit';
};

export type ListAuditResponses = {
    /**
     * The records.
     */
    200: Array<ListAuditEntry>;
};

export type ListAuditResponse = ListAuditResponses[keyof ListAuditResponses];

export type CountAuditDaysData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Namespace to list; `*` for all namespaces that the caller may read. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
    };
    url: '/v1/audit/days';
};

export type CountAuditDaysResponses = {
    /**
     * Numbers of changes, logins and denied requests in the audit records that the caller may read, by day. Hashes are not verified.
     */
    200: CountAuditDaysAnswer;
};

export type CountAuditDaysResponse = CountAuditDaysResponses[keyof CountAuditDaysResponses];

export type EvaluateAccessData = {
    /**
     * Subject: `token`, `role` or `identity`, and its ID. Resource: as in policy rules, such as `key`, and its name.
     */
    body: EvaluationRequest;
    path?: never;
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * true: decisions come with their reason; requires acl:read.
         */
        explain?: string;
    };
    url: '/access/v1/evaluation';
};

export type EvaluateAccessResponses = {
    /**
     * Decision.
     */
    200: AccessDecision;
};

export type EvaluateAccessResponse = EvaluateAccessResponses[keyof EvaluateAccessResponses];

export type EvaluateAccessInBatchData = {
    body: EvaluationsRequest;
    path?: never;
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
        /**
         * true: decisions come with their reason; requires acl:read.
         */
        explain?: string;
    };
    url: '/access/v1/evaluations';
};

export type EvaluateAccessInBatchResponses = {
    /**
     * Decisions in the order of the items; a single decision for a request without items.
     */
    200: AccessDecisions;
};

export type EvaluateAccessInBatchResponse = EvaluateAccessInBatchResponses[keyof EvaluateAccessInBatchResponses];

export type SearchSubjectsData = {
    body: SubjectSearch;
    path?: never;
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
    };
    url: '/access/v1/search/subject';
};

export type SearchSubjectsResponses = {
    /**
     * Results of one page.
     */
    200: FoundEntities;
};

export type SearchSubjectsResponse = SearchSubjectsResponses[keyof SearchSubjectsResponses];

export type SearchResourcesData = {
    body: ResourceSearch;
    path?: never;
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
    };
    url: '/access/v1/search/resource';
};

export type SearchResourcesResponses = {
    /**
     * Results of one page.
     */
    200: FoundEntities;
};

export type SearchResourcesResponse = SearchResourcesResponses[keyof SearchResourcesResponses];

export type SearchActionsData = {
    body: ActionSearch;
    path?: never;
    query?: {
        /**
         * Namespace. Default: the namespace of the token.
         */
        ns?: string;
        /**
         * Partition. Default: the partition of the token.
         */
        partition?: string;
    };
    url: '/access/v1/search/action';
};

export type SearchActionsResponses = {
    /**
     * Results of one page.
     */
    200: FoundActions;
};

export type SearchActionsResponse = SearchActionsResponses[keyof SearchActionsResponses];

/** Parameters, bodies and responses of each operation. */
export interface OperationTypes {
    getHealth: { takes: GetHealthData; answers: GetHealthResponses };
    getReadiness: { takes: GetReadinessData; answers: GetReadinessResponses };
    getMetrics: { takes: GetMetricsData; answers: GetMetricsResponses };
    discoverServices: { takes: DiscoverServicesData; answers: DiscoverServicesResponses };
    readDecisionPointMetadata: { takes: ReadDecisionPointMetadataData; answers: ReadDecisionPointMetadataResponses };
    ping: { takes: PingData; answers: PingResponses };
    readOwnAccount: { takes: ReadOwnAccountData; answers: ReadOwnAccountResponses };
    listOrganizations: { takes: ListOrganizationsData; answers: ListOrganizationsResponses };
    createOrganization: { takes: CreateOrganizationData; answers: CreateOrganizationResponses };
    readOrganization: { takes: ReadOrganizationData; answers: ReadOrganizationResponses };
    updateOrganization: { takes: UpdateOrganizationData; answers: UpdateOrganizationResponses };
    replaceOrganization: { takes: ReplaceOrganizationData; answers: ReplaceOrganizationResponses };
    deleteOrganization: { takes: DeleteOrganizationData; answers: DeleteOrganizationResponses };
    readEntitlementSet: { takes: ReadEntitlementSetData; answers: ReadEntitlementSetResponses };
    listProjects: { takes: ListProjectsData; answers: ListProjectsResponses };
    createProject: { takes: CreateProjectData; answers: CreateProjectResponses };
    readProject: { takes: ReadProjectData; answers: ReadProjectResponses };
    updateProject: { takes: UpdateProjectData; answers: UpdateProjectResponses };
    deleteProject: { takes: DeleteProjectData; answers: DeleteProjectResponses };
    moveWorkspaces: { takes: MoveWorkspacesData; answers: MoveWorkspacesResponses };
    listTags: { takes: ListTagsData; answers: ListTagsResponses };
    createTags: { takes: CreateTagsData; answers: CreateTagsResponses };
    deleteTags: { takes: DeleteTagsData; answers: DeleteTagsResponses };
    readTag: { takes: ReadTagData; answers: ReadTagResponses };
    renameTag: { takes: RenameTagData; answers: RenameTagResponses };
    listAlikeTags: { takes: ListAlikeTagsData; answers: ListAlikeTagsResponses };
    listWorkspaces: { takes: ListWorkspacesData; answers: ListWorkspacesResponses };
    createWorkspace: { takes: CreateWorkspaceData; answers: CreateWorkspaceResponses };
    readWorkspace: { takes: ReadWorkspaceData; answers: ReadWorkspaceResponses };
    updateWorkspace: { takes: UpdateWorkspaceData; answers: UpdateWorkspaceResponses };
    deleteWorkspace: { takes: DeleteWorkspaceData; answers: DeleteWorkspaceResponses };
    safeDeleteWorkspace: { takes: SafeDeleteWorkspaceData; answers: SafeDeleteWorkspaceResponses };
    readWorkspaceByName: { takes: ReadWorkspaceByNameData; answers: ReadWorkspaceByNameResponses };
    updateWorkspaceByName: { takes: UpdateWorkspaceByNameData; answers: UpdateWorkspaceByNameResponses };
    deleteWorkspaceByName: { takes: DeleteWorkspaceByNameData; answers: DeleteWorkspaceByNameResponses };
    safeDeleteWorkspaceByName: { takes: SafeDeleteWorkspaceByNameData; answers: SafeDeleteWorkspaceByNameResponses };
    lockWorkspace: { takes: LockWorkspaceData; answers: LockWorkspaceResponses };
    unlockWorkspace: { takes: UnlockWorkspaceData; answers: UnlockWorkspaceResponses };
    forceUnlockWorkspace: { takes: ForceUnlockWorkspaceData; answers: ForceUnlockWorkspaceResponses };
    listWorkspaceTags: { takes: ListWorkspaceTagsData; answers: ListWorkspaceTagsResponses };
    addWorkspaceTags: { takes: AddWorkspaceTagsData; answers: AddWorkspaceTagsResponses };
    removeWorkspaceTags: { takes: RemoveWorkspaceTagsData; answers: RemoveWorkspaceTagsResponses };
    listTagWorkspaces: { takes: ListTagWorkspacesData; answers: ListTagWorkspacesResponses };
    addTagWorkspaces: { takes: AddTagWorkspacesData; answers: AddTagWorkspacesResponses };
    removeTagWorkspaces: { takes: RemoveTagWorkspacesData; answers: RemoveTagWorkspacesResponses };
    listWorkspaceTagBindings: { takes: ListWorkspaceTagBindingsData; answers: ListWorkspaceTagBindingsResponses };
    addWorkspaceTagBindings: { takes: AddWorkspaceTagBindingsData; answers: AddWorkspaceTagBindingsResponses };
    readWorkspaceTagBindings: { takes: ReadWorkspaceTagBindingsData; answers: ReadWorkspaceTagBindingsResponses };
    bindWorkspace: { takes: BindWorkspaceData; answers: BindWorkspaceResponses };
    replaceWorkspaceTagBindings: { takes: ReplaceWorkspaceTagBindingsData; answers: ReplaceWorkspaceTagBindingsResponses };
    listWorkspaceEffectiveTagBindings: { takes: ListWorkspaceEffectiveTagBindingsData; answers: ListWorkspaceEffectiveTagBindingsResponses };
    listProjectTagBindings: { takes: ListProjectTagBindingsData; answers: ListProjectTagBindingsResponses };
    addProjectTagBindings: { takes: AddProjectTagBindingsData; answers: AddProjectTagBindingsResponses };
    readProjectTagBindings: { takes: ReadProjectTagBindingsData; answers: ReadProjectTagBindingsResponses };
    bindProject: { takes: BindProjectData; answers: BindProjectResponses };
    replaceProjectTagBindings: { takes: ReplaceProjectTagBindingsData; answers: ReplaceProjectTagBindingsResponses };
    listProjectEffectiveTagBindings: { takes: ListProjectEffectiveTagBindingsData; answers: ListProjectEffectiveTagBindingsResponses };
    listTagBindings: { takes: ListTagBindingsData; answers: ListTagBindingsResponses };
    exportTags: { takes: ExportTagsData; answers: ExportTagsResponses };
    importTags: { takes: ImportTagsData; answers: ImportTagsResponses };
    listReservedTagKeys: { takes: ListReservedTagKeysData; answers: ListReservedTagKeysResponses };
    createReservedTagKey: { takes: CreateReservedTagKeyData; answers: CreateReservedTagKeyResponses };
    updateReservedTagKey: { takes: UpdateReservedTagKeyData; answers: UpdateReservedTagKeyResponses };
    deleteReservedTagKey: { takes: DeleteReservedTagKeyData; answers: DeleteReservedTagKeyResponses };
    updateReservedTagKeyByOtherPath: { takes: UpdateReservedTagKeyByOtherPathData; answers: UpdateReservedTagKeyByOtherPathResponses };
    deleteReservedTagKeyByOtherPath: { takes: DeleteReservedTagKeyByOtherPathData; answers: DeleteReservedTagKeyByOtherPathResponses };
    listRemoteStateConsumers: { takes: ListRemoteStateConsumersData; answers: ListRemoteStateConsumersResponses };
    addRemoteStateConsumers: { takes: AddRemoteStateConsumersData; answers: AddRemoteStateConsumersResponses };
    replaceRemoteStateConsumers: { takes: ReplaceRemoteStateConsumersData; answers: ReplaceRemoteStateConsumersResponses };
    removeRemoteStateConsumers: { takes: RemoveRemoteStateConsumersData; answers: RemoveRemoteStateConsumersResponses };
    streamOrganizationEvents: { takes: StreamOrganizationEventsData; answers: StreamOrganizationEventsResponses };
    listTagJobs: { takes: ListTagJobsData; answers: ListTagJobsResponses };
    createTagJob: { takes: CreateTagJobData; answers: CreateTagJobResponses };
    pauseTagJob: { takes: PauseTagJobData; answers: PauseTagJobResponses };
    resumeTagJob: { takes: ResumeTagJobData; answers: ResumeTagJobResponses };
    cancelTagJob: { takes: CancelTagJobData; answers: CancelTagJobResponses };
    undoTagJob: { takes: UndoTagJobData; answers: UndoTagJobResponses };
    readTagJob: { takes: ReadTagJobData; answers: ReadTagJobResponses };
    readTagPolicy: { takes: ReadTagPolicyData; answers: ReadTagPolicyResponses };
    putTagPolicy: { takes: PutTagPolicyData; answers: PutTagPolicyResponses };
    deleteTagPolicy: { takes: DeleteTagPolicyData; answers: DeleteTagPolicyResponses };
    reportTagPolicy: { takes: ReportTagPolicyData; answers: ReportTagPolicyResponses };
    listTagPolicyKeys: { takes: ListTagPolicyKeysData; answers: ListTagPolicyKeysResponses };
    listTagPolicyProjects: { takes: ListTagPolicyProjectsData; answers: ListTagPolicyProjectsResponses };
    listTagPolicyDays: { takes: ListTagPolicyDaysData; answers: ListTagPolicyDaysResponses };
    checkTagPolicy: { takes: CheckTagPolicyData; answers: CheckTagPolicyResponses };
    listOrganizationAudit: { takes: ListOrganizationAuditData; answers: ListOrganizationAuditResponses };
    listTagWebhooks: { takes: ListTagWebhooksData; answers: ListTagWebhooksResponses };
    createTagWebhook: { takes: CreateTagWebhookData; answers: CreateTagWebhookResponses };
    readTagWebhook: { takes: ReadTagWebhookData; answers: ReadTagWebhookResponses };
    updateTagWebhook: { takes: UpdateTagWebhookData; answers: UpdateTagWebhookResponses };
    deleteTagWebhook: { takes: DeleteTagWebhookData; answers: DeleteTagWebhookResponses };
    verifyTagWebhook: { takes: VerifyTagWebhookData; answers: VerifyTagWebhookResponses };
    getLeader: { takes: GetLeaderData; answers: GetLeaderResponses };
    listPeers: { takes: ListPeersData; answers: ListPeersResponses };
    readSelf: { takes: ReadSelfData; answers: ReadSelfResponses };
    readVersion: { takes: ReadVersionData; answers: ReadVersionResponses };
    listMembers: { takes: ListMembersData; answers: ListMembersResponses };
    listDatacenters: { takes: ListDatacentersData; answers: ListDatacentersResponses };
    listNodeChecks: { takes: ListNodeChecksData; answers: ListNodeChecksResponses };
    readReplication: { takes: ReadReplicationData; answers: ReadReplicationResponses };
    bootstrap: { takes: BootstrapData; answers: BootstrapResponses };
    createPolicy: { takes: CreatePolicyData; answers: CreatePolicyResponses };
    replacePolicy: { takes: ReplacePolicyData; answers: ReplacePolicyResponses };
    updatePolicy: { takes: UpdatePolicyData; answers: UpdatePolicyResponses };
    deletePolicy: { takes: DeletePolicyData; answers: DeletePolicyResponses };
    readPolicy: { takes: ReadPolicyData; answers: ReadPolicyResponses };
    readPolicyByName: { takes: ReadPolicyByNameData; answers: ReadPolicyByNameResponses };
    listPolicies: { takes: ListPoliciesData; answers: ListPoliciesResponses };
    createRole: { takes: CreateRoleData; answers: CreateRoleResponses };
    replaceRole: { takes: ReplaceRoleData; answers: ReplaceRoleResponses };
    updateRole: { takes: UpdateRoleData; answers: UpdateRoleResponses };
    deleteRole: { takes: DeleteRoleData; answers: DeleteRoleResponses };
    readRole: { takes: ReadRoleData; answers: ReadRoleResponses };
    readRoleByName: { takes: ReadRoleByNameData; answers: ReadRoleByNameResponses };
    listRoles: { takes: ListRolesData; answers: ListRolesResponses };
    createDeclaration: { takes: CreateDeclarationData; answers: CreateDeclarationResponses };
    replaceDeclaration: { takes: ReplaceDeclarationData; answers: ReplaceDeclarationResponses };
    updateDeclaration: { takes: UpdateDeclarationData; answers: UpdateDeclarationResponses };
    deleteDeclaration: { takes: DeleteDeclarationData; answers: DeleteDeclarationResponses };
    readDeclaration: { takes: ReadDeclarationData; answers: ReadDeclarationResponses };
    readDeclarationByName: { takes: ReadDeclarationByNameData; answers: ReadDeclarationByNameResponses };
    listDeclarations: { takes: ListDeclarationsData; answers: ListDeclarationsResponses };
    createDecisionMapping: { takes: CreateDecisionMappingData; answers: CreateDecisionMappingResponses };
    replaceDecisionMapping: { takes: ReplaceDecisionMappingData; answers: ReplaceDecisionMappingResponses };
    updateDecisionMapping: { takes: UpdateDecisionMappingData; answers: UpdateDecisionMappingResponses };
    deleteDecisionMapping: { takes: DeleteDecisionMappingData; answers: DeleteDecisionMappingResponses };
    readDecisionMapping: { takes: ReadDecisionMappingData; answers: ReadDecisionMappingResponses };
    listDecisionMappings: { takes: ListDecisionMappingsData; answers: ListDecisionMappingsResponses };
    listSessions: { takes: ListSessionsData; answers: ListSessionsResponses };
    endSession: { takes: EndSessionData; answers: EndSessionResponses };
    listViews: { takes: ListViewsData; answers: ListViewsResponses };
    createView: { takes: CreateViewData; answers: CreateViewResponses };
    replaceView: { takes: ReplaceViewData; answers: ReplaceViewResponses };
    deleteView: { takes: DeleteViewData; answers: DeleteViewResponses };
    createToken: { takes: CreateTokenData; answers: CreateTokenResponses };
    replaceToken: { takes: ReplaceTokenData; answers: ReplaceTokenResponses };
    updateToken: { takes: UpdateTokenData; answers: UpdateTokenResponses };
    deleteToken: { takes: DeleteTokenData; answers: DeleteTokenResponses };
    readToken: { takes: ReadTokenData; answers: ReadTokenResponses };
    listTokens: { takes: ListTokensData; answers: ListTokensResponses };
    cloneToken: { takes: CloneTokenData; answers: CloneTokenResponses };
    rotateToken: { takes: RotateTokenData; answers: RotateTokenResponses };
    revealToken: { takes: RevealTokenData; answers: RevealTokenResponses };
    readOwnToken: { takes: ReadOwnTokenData; answers: ReadOwnTokenResponses };
    listTokenNames: { takes: ListTokenNamesData; answers: ListTokenNamesResponses };
    disableToken: { takes: DisableTokenData; answers: DisableTokenResponses };
    enableToken: { takes: EnableTokenData; answers: EnableTokenResponses };
    findLeakedTokens: { takes: FindLeakedTokensData; answers: FindLeakedTokensResponses };
    revokeTokens: { takes: RevokeTokensData; answers: RevokeTokensResponses };
    readTokenRevocation: { takes: ReadTokenRevocationData; answers: ReadTokenRevocationResponses };
    countTokens: { takes: CountTokensData; answers: CountTokensResponses };
    listTemplatedPolicies: { takes: ListTemplatedPoliciesData; answers: ListTemplatedPoliciesResponses };
    readTemplatedPolicy: { takes: ReadTemplatedPolicyData; answers: ReadTemplatedPolicyResponses };
    previewTemplatedPolicy: { takes: PreviewTemplatedPolicyData; answers: PreviewTemplatedPolicyResponses };
    createAuthMethod: { takes: CreateAuthMethodData; answers: CreateAuthMethodResponses };
    replaceAuthMethod: { takes: ReplaceAuthMethodData; answers: ReplaceAuthMethodResponses };
    updateAuthMethod: { takes: UpdateAuthMethodData; answers: UpdateAuthMethodResponses };
    deleteAuthMethod: { takes: DeleteAuthMethodData; answers: DeleteAuthMethodResponses };
    readAuthMethod: { takes: ReadAuthMethodData; answers: ReadAuthMethodResponses };
    listAuthMethods: { takes: ListAuthMethodsData; answers: ListAuthMethodsResponses };
    checkPolicy: { takes: CheckPolicyData; answers: CheckPolicyResponses };
    checkBindingRule: { takes: CheckBindingRuleData; answers: CheckBindingRuleResponses };
    checkAuthMethod: { takes: CheckAuthMethodData; answers: CheckAuthMethodResponses };
    createBindingRule: { takes: CreateBindingRuleData; answers: CreateBindingRuleResponses };
    replaceBindingRule: { takes: ReplaceBindingRuleData; answers: ReplaceBindingRuleResponses };
    updateBindingRule: { takes: UpdateBindingRuleData; answers: UpdateBindingRuleResponses };
    deleteBindingRule: { takes: DeleteBindingRuleData; answers: DeleteBindingRuleResponses };
    readBindingRule: { takes: ReadBindingRuleData; answers: ReadBindingRuleResponses };
    listBindingRules: { takes: ListBindingRulesData; answers: ListBindingRulesResponses };
    listTrash: { takes: ListTrashData; answers: ListTrashResponses };
    restoreFromTrash: { takes: RestoreFromTrashData; answers: RestoreFromTrashResponses };
    login: { takes: LoginData; answers: LoginResponses };
    logout: { takes: LogoutData; answers: LogoutResponses };
    explainLogin: { takes: ExplainLoginData; answers: ExplainLoginResponses };
    authorizeInternally: { takes: AuthorizeInternallyData; answers: AuthorizeInternallyResponses };
    authorize: { takes: AuthorizeData; answers: AuthorizeResponses };
    explainDecisions: { takes: ExplainDecisionsData; answers: ExplainDecisionsResponses };
    explainRefusal: { takes: ExplainRefusalData; answers: ExplainRefusalResponses };
    listOwnRefusals: { takes: ListOwnRefusalsData; answers: ListOwnRefusalsResponses };
    listAccess: { takes: ListAccessData; answers: ListAccessResponses };
    previewEffect: { takes: PreviewEffectData; answers: PreviewEffectResponses };
    replayDraft: { takes: ReplayDraftData; answers: ReplayDraftResponses };
    listEffective: { takes: ListEffectiveData; answers: ListEffectiveResponses };
    listUses: { takes: ListUsesData; answers: ListUsesResponses };
    readUse: { takes: ReadUseData; answers: ReadUseResponses };
    tightenPolicy: { takes: TightenPolicyData; answers: TightenPolicyResponses };
    tightenRole: { takes: TightenRoleData; answers: TightenRoleResponses };
    readOverview: { takes: ReadOverviewData; answers: ReadOverviewResponses };
    createNamespace: { takes: CreateNamespaceData; answers: CreateNamespaceResponses };
    replaceNamespace: { takes: ReplaceNamespaceData; answers: ReplaceNamespaceResponses };
    updateNamespace: { takes: UpdateNamespaceData; answers: UpdateNamespaceResponses };
    deleteNamespace: { takes: DeleteNamespaceData; answers: DeleteNamespaceResponses };
    readNamespace: { takes: ReadNamespaceData; answers: ReadNamespaceResponses };
    listNamespaces: { takes: ListNamespacesData; answers: ListNamespacesResponses };
    createPartition: { takes: CreatePartitionData; answers: CreatePartitionResponses };
    replacePartition: { takes: ReplacePartitionData; answers: ReplacePartitionResponses };
    updatePartition: { takes: UpdatePartitionData; answers: UpdatePartitionResponses };
    deletePartition: { takes: DeletePartitionData; answers: DeletePartitionResponses };
    readPartition: { takes: ReadPartitionData; answers: ReadPartitionResponses };
    listPartitions: { takes: ListPartitionsData; answers: ListPartitionsResponses };
    makeOidcAuthUrl: { takes: MakeOidcAuthUrlData; answers: MakeOidcAuthUrlResponses };
    finishOidcLogin: { takes: FinishOidcLoginData; answers: FinishOidcLoginResponses };
    listOidcAuthMethods: { takes: ListOidcAuthMethodsData; answers: ListOidcAuthMethodsResponses };
    streamEvents: { takes: StreamEventsData; answers: StreamEventsResponses };
    listVersions: { takes: ListVersionsData; answers: ListVersionsResponses };
    listAudit: { takes: ListAuditData; answers: ListAuditResponses };
    countAuditDays: { takes: CountAuditDaysData; answers: CountAuditDaysResponses };
    evaluateAccess: { takes: EvaluateAccessData; answers: EvaluateAccessResponses };
    evaluateAccessInBatch: { takes: EvaluateAccessInBatchData; answers: EvaluateAccessInBatchResponses };
    searchSubjects: { takes: SearchSubjectsData; answers: SearchSubjectsResponses };
    searchResources: { takes: SearchResourcesData; answers: SearchResourcesResponses };
    searchActions: { takes: SearchActionsData; answers: SearchActionsResponses };
}
