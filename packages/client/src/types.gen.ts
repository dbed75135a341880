// Made by `npm run generate:client` from the server's own document; do not edit.
// Structure: f9ee251be76c7a190f01a81c737c5d51

export type ClientOptions = {
    baseUrl: `${string}://${string}` | (string & {});
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
     * What their names have in common.
     */
    id: string;
    type: 'alike-tags';
    attributes: {
        /**
         * How many tags there are in the group.
         */
        'tag-count': number;
        /**
         * The first 100, the one to keep first.
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
                 * The one that most workspaces carry, of these the shortest, then the oldest.
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
     * An empty one is that of the stored method.
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
    Namespace?: string;
    Partition?: string;
    readonly CreateIndex?: number;
    readonly ModifyIndex?: number;
    Config?: {
        [key: string]: unknown;
    };
    NamespaceRules?: Array<NamespaceRuleBody>;
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
 * A rule that is not written yet; without `BindName` only its selector is asked.
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
     * SecretID that the token is to have.
     */
    BootstrapSecret?: string;
};

export type BootstrapToken = {
    /**
     * The SecretID, as old clients look for it.
     */
    ID: string;
} & Token;

/**
 * Not used for 90 days; up to 10,000 are counted.
 */
export type BoundedCount = {
    Count: number;
    More?: boolean;
};

export type CheckPolicyAnswer = {
    Errors: Array<Finding>;
    Warnings: Array<Finding>;
};

export type ConsoleSessions = Array<ListSessionsEntry>;

export type CreateDeclarationAnswer = {
    ID: string;
    Name: string;
    Description: string;
    /**
     * What the directory owns: kind and place of each object.
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
             * Letters, digits, hyphens and underscores, 90 at most. Unique in any case.
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
             * Letters, digits, blanks, hyphens and underscores, 3 to 40, no blank at either end. Unique in any case.
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
             * As keys of tags may be.
             */
            key: string;
            /**
             * Whether workspaces may not give the key another value than their project.
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
             * Flat tags, or keys where a value is given.
             */
            tags?: Array<{
                name: string;
                value?: string;
            }>;
            /**
             * remove: as what they are taken off; any unless given.
             */
            as?: 'any' | 'tag' | 'binding';
            /**
             * rename, merge: the name that they get.
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
             * For people; need not be unique.
             */
            name: string;
            /**
             * Where records are posted to: https or http.
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
     * The binding rules of the login that gave it.
     */
    BindingRules?: Array<{
        ID: string;
        AuthMethod?: string;
        Selector?: string;
    }>;
};

export type DecidingPolicy = {
    /**
     * Of the policy; `hidden` when the caller may not read it.
     */
    ID: string;
    Name: string;
    Namespace?: string;
    Partition?: string;
    /**
     * Where in its text the rule stands.
     */
    Places?: Array<{
        Line: number;
        Column: number;
    }>;
    /**
     * How whoever is asked about came by it.
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

export type DeleteTagsBody = {
    data: Array<{
        type: 'tags';
        id: string;
    }>;
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
    Kind: 'role' | 'binding-rule' | 'token';
    /**
     * Of a token its AccessorID.
     */
    ID: string;
    Name?: string;
    /**
     * Of a binding rule.
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
    AuthMethod?: string;
    Selector?: string;
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
     * The external id of the organization.
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
     * What a login would be refused with.
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
     * Of a policy that is only thought of; it is `draft` in the paths.
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
     * A method and path in the place of all else, such as `PATCH /api/v2/workspaces/ws-1`.
     */
    Request?: string;
};

export type ExplainRefusalAnswer = {
    RequestID: string;
    /**
     * When it was put on record, or refused last while it is not.
     */
    At: string;
    Action: 'read' | 'write' | 'login' | 'authenticate';
    AccessorID?: string;
    /**
     * Requests that were refused the same within its minute.
     */
    Count: number;
    /**
     * What was asked, and how it is decided now.
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
};

export type ExplainedDecision = {
    Resource?: string;
    Segment?: string;
    Access?: string;
    Namespace?: string;
    Partition?: string;
    Request?: string;
    /**
     * Absent where the path names nothing that the caller may read.
     */
    Allow?: boolean;
    /**
     * `login` of an identity whose login would be refused.
     */
    DecidedBy?: 'direct' | 'default' | 'default-policy' | 'login';
    Rule?: DecidingRule;
    Path?: Array<DecidingPolicy>;
    Wanted?: WantedRule;
};

/**
 * Of the rule in the request.
 */
export type ExplainedDraft = {
    Verdict: 'matched' | 'not matched' | 'failed';
    Reason: string;
    BindType?: 'service' | 'node' | 'role' | 'policy' | 'templated-policy';
    /**
     * The name that its template gives.
     */
    BindName?: string;
};

export type FindLeakedTokensAnswer = {
    Live: Array<{
        /**
         * In the list that was asked, from 0 on.
         */
        Position: number;
        AccessorID: string;
        /**
         * Whether the token has another secret since, and this one counts for a while.
         */
        Old: boolean;
        Namespace?: string;
        Partition?: string;
    }>;
};

export type FindLeakedTokensBody = {
    /**
     * At most 1,000.
     */
    Secrets?: Array<string>;
};

export type Finding = {
    /**
     * `invalid` of errors; of warnings, what they are about.
     */
    Code: string;
    Message: string;
    /**
     * The member of the body that it is about.
     */
    Member: string;
    /**
     * In the text of that member, from 1.
     */
    Line?: number;
    /**
     * In characters, from 1.
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
    results: Array<FoundEntity>;
};

export type FoundEntity = {
    type: string;
    id: string;
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
    Kind: 'role' | 'binding-rule' | 'token';
    /**
     * Of a token its AccessorID.
     */
    ID: string;
    Name?: string;
    Namespace?: string;
    Partition?: string;
    /**
     * `computed` of a binding rule of which the identity decides.
     */
    DecidedBy: 'direct' | 'default' | 'default-policy' | 'computed';
    /**
     * The policies that hold the rule; `hidden` for those that the caller may not read.
     */
    Policies: Array<Link>;
    AuthMethod?: string;
    Selector?: string;
};

export type ListAuditEntry = {
    [key: string]: unknown;
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
     * Of the token that acts by it.
     */
    AccessorID: string;
    /**
     * Whether the request came by it.
     */
    Current: boolean;
    /**
     * Whether the token was made for it, and ends when it is signed out.
     */
    MadeByLogin: boolean;
    /**
     * When it was begun.
     */
    CreateTime: string;
    /**
     * When somebody did something, to a minute.
     */
    LastActive: string;
    /**
     * When it ends unless somebody does something.
     */
    IdleUntil: string;
    /**
     * When it ends whatever somebody does.
     */
    ExpirationTime: string;
    /**
     * Where it was begun.
     */
    Address: string;
    /**
     * What began it, as that calls itself.
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
    /**
     * Of a namespace: how much lies in it, such as `tokens`.
     */
    Content?: {
        [key: string]: number;
    };
    /**
     * Something else uses it, or lies in it, that the caller may not see.
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
         * ISO 8601, UTC, with milliseconds; null for who may not read the organization.
         */
        'created-at': string | null;
        /**
         * How many workspaces carry it; null for who may not read the organization.
         */
        'instance-count': number | null;
        /**
         * With include=values: the values of the key, the most used 100.
         */
        values?: Array<{
            value: string;
            /**
             * How many workspaces have it.
             */
            count: number;
            /**
             * How many projects have it.
             */
            'project-count': number;
        }>;
        /**
         * With include=values: how many values it has.
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
     * What a login would give.
     */
    Token?: {
        [key: string]: unknown;
    };
    /**
     * What a login would be refused with.
     */
    Refusal?: string;
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
 * Refused unless null, because there are no agents.
 */
export type NoAgentPool = {
    data?: FoundEntity | null;
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
         * Never changes.
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
     * Echoed. It has no effect: there are no user tokens.
     */
    'user-tokens-enabled'?: boolean | null;
    /**
     * Echoed.
     */
    'cost-estimation-enabled'?: boolean | null;
    /**
     * Echoed.
     */
    'stacks-enabled'?: boolean | null;
    /**
     * Echoed.
     */
    'assessments-enforced'?: boolean | null;
    /**
     * Echoed.
     */
    'send-passing-statuses-for-untriggered-speculative-plans'?: boolean | null;
    /**
     * Echoed.
     */
    'aggregated-commit-status-enabled'?: boolean | null;
    /**
     * Echoed.
     */
    'speculative-plan-management-enabled'?: boolean | null;
    /**
     * Echoed.
     */
    'allow-force-delete-workspaces'?: boolean | null;
    /**
     * Echoed.
     */
    'max-ttl-enabled'?: boolean | null;
    /**
     * Echoed.
     */
    'enforce-hyok'?: boolean | null;
    'owners-team-saml-role-id'?: string | null;
    /**
     * What workspaces use unless they or their project say otherwise. There are no agents.
     */
    'default-execution-mode'?: 'remote' | 'local' | null;
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
 * The first policies that would decide otherwise if they were written again, and what; 1,000 are looked at.
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
     * Whether all was compared: at most 256 rights are.
     */
    Complete: boolean;
    Roles: EffectCount;
    BindingRules: EffectCount;
    Tokens: EffectCount;
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
         * All of them, also those that the token may not see.
         */
        'workspace-count': number;
        'team-count': number;
        'stack-count': number;
        'is-unified': boolean;
        'auto-destroy-activity-duration': string | null;
        /**
         * Its own, or the organization's.
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
     * What its workspaces use unless they say otherwise. There are no agents.
     */
    'default-execution-mode'?: 'remote' | 'local' | null;
    /**
     * False follows the organization again.
     */
    'setting-overwrites'?: {
        'default-execution-mode'?: boolean | null;
        'default-agent-pool'?: boolean | null;
    } | null;
    /**
     * Hours or days, such as 36h or 14d, of four digits at most. Echoed.
     */
    'auto-destroy-activity-duration'?: string | null;
    /**
     * Refused unless null, because there are no agents.
     */
    'default-agent-pool-id'?: string | null;
};

export type PutTagPolicyBody = {
    data: {
        type: 'tag-policies';
        id?: string;
        attributes: {
            /**
             * advise: writes that break rules are made, and answered with meta.warnings; refuse: they are 422.
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
     * When it was counted; it is kept for 30 s.
     */
    Time: string;
    /**
     * In all namespaces that the caller may read.
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
     * They never end; up to 10,000 are counted.
     */
    TokensWithoutExpiration: BoundedCount;
    PoliciesReadAsBefore: PoliciesReadAsBefore;
    /**
     * Logins of the last day, by the newest 500 records, the most first.
     */
    RefusedLogins: Array<{
        AuthMethod: string;
        Namespace: string;
        Count: number;
    }>;
    /**
     * The server that answers, for who has operator:read; the age only with `--backup-every`.
     */
    Server?: {
        Ready: boolean;
        Checks: Array<string>;
        BackupAgeSeconds?: number;
    };
    /**
     * The database's servers, this one first; one that stopped answering goes after an hour.
     */
    Nodes?: Array<{
        Name: string;
        Version: string;
        LastSeen: string;
        Ready: boolean;
    }>;
    /**
     * The caller may not read every namespace that there may be.
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
         * Version of the API; `+ent` when it has namespaces.
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
     * JSON schema of the variables; empty when there are none.
     */
    Schema: string;
    Template: string;
    Description: string;
};

export type ReadVersionAnswer = {
    /**
     * Empty: not told.
     */
    SHA: string;
    BuildDate: string;
    /**
     * Version of the API; `+ent` when it has namespaces.
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

export type RevokeTokensAnswer = {
    /**
     * Of the job; a preview has none.
     */
    ID?: string;
    /**
     * preview, queued, running, done or failed.
     */
    Status: string;
    /**
     * How many tokens there were when it began.
     */
    Total?: number;
    Revoked: number;
    /**
     * Of a preview: the first 100.
     */
    AccessorIDs?: Array<string>;
    /**
     * Why it failed.
     */
    Reason?: string;
    CreateTime?: string;
    FinishTime?: string;
    Namespace?: string;
    Partition?: string;
};

export type RevokeTokensBody = {
    /**
     * Tokens that were not used, nor made, for that long, to the day, such as 90d.
     */
    UnusedFor?: string;
    /**
     * Tokens that this auth method made.
     */
    AuthMethod?: string;
    /**
     * Tokens that link to this role, by its ID or name.
     */
    Role?: string;
    /**
     * Tokens whose description holds this.
     */
    Description?: string;
    Namespace?: string;
    Partition?: string;
};

export type Right = {
    Resource: string;
    Segment?: string;
    /**
     * To all that begins with the segment and that no other rule is about.
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
     * For how long the secret of before counts beside the new one: 0, unless it is said, to 168h.
     */
    Overlap?: string;
    Namespace?: string;
    Partition?: string;
};

export type RotatedToken = Token & {
    /**
     * Until when secrets of before count; absent when they do not.
     */
    OldSecretExpirationTime?: string;
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
         * Never changes.
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

export type Tag = {
    id: string;
    type: 'tags';
    attributes: {
        name: string;
        /**
         * ISO 8601, UTC, with milliseconds; null for who may not read the organization.
         */
        'created-at': string | null;
        /**
         * How many workspaces carry it; null for who may not read the organization.
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
         * At most 256 of these; not given, empty, or, where bindings are added, as it is.
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
 * Tags of the pool; empty for all.
 */
export type TagFilter = {
    /**
     * Text that the name holds, in any case.
     */
    q?: string;
    /**
     * Whether nothing holds it.
     */
    unused?: boolean;
    /**
     * How many workspaces carry it.
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
         * Tags, keys, settings and rules that would be made.
         */
        create: number;
        change: number;
        remove: number;
        /**
         * Those that are as the file says.
         */
        unchanged: number;
        /**
         * Objects that would change though they break a rule that only advises, by the name of the rule.
         */
        warned: {
            [key: string]: number;
        };
        /**
         * The first 100.
         */
        changes: Array<{
            /**
             * Of the file; where the object's record begins.
             */
            line: number;
            kind: string;
            name: string;
            action: 'create' | 'change' | 'remove';
            /**
             * A flat tag.
             */
            tag?: string;
            /**
             * A key, what is said of a tag of the pool or of a reserved key, or `enforce` and `rules/<name>` of rules.
             */
            key?: string;
            from?: string;
            to?: string;
        }>;
        /**
         * Objects that would be left as they are, by the reason, with the lines of the first 100.
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
         * As it was asked.
         */
        as: string | null;
        /**
         * As it was asked.
         */
        to: string | null;
        /**
         * As it was asked.
         */
        filter: TagJobFilter | null;
        /**
         * The job that it takes back.
         */
        'undo-of': string | null;
        /**
         * How a file is imported.
         */
        mode: string | null;
        status: 'queued' | 'running' | 'paused' | 'cancelled' | 'done' | 'failed';
        /**
         * Why it failed, or was cancelled by the server.
         */
        reason: string | null;
        /**
         * How much there was to look at when it began; null before.
         */
        total: number | null;
        /**
         * How much of that it has looked at.
         */
        done: number;
        /**
         * How much of that it has changed.
         */
        changed: number;
        /**
         * How much it has refused, by the reason.
         */
        refused: {
            [key: string]: number;
        };
        /**
         * How much of what was changed breaks rules for tags that only advise, by the name of the rule.
         */
        warned: {
            [key: string]: number;
        };
        /**
         * The first refusals in words, where there is more to say: to who asked for it, and to who may write the organization and see all of its workspaces; empty for others.
         */
        errors: Array<string>;
        /**
         * Of the token that asked for it.
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
         * How much it would refuse, by the reason.
         */
        refused: {
            [key: string]: number;
        };
        /**
         * How much of what it would change breaks rules that only advise, by the name of the rule.
         */
        warned: {
            [key: string]: number;
        };
        /**
         * false where it took too long to work out all of it: the counts are those so far.
         */
        complete: boolean;
        changes: Array<{
            kind: string;
            name: string;
            action: string;
            /**
             * As its record would say it.
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
         * advise: writes that break rules are made, and answered with meta.warnings; refuse: they are 422.
         */
        enforce: 'advise' | 'refuse';
        rules: Array<TagRule>;
        'created-at': string;
        'updated-at': string;
    };
    relationships: OfOrganization;
};

export type TagPolicyDocument = {
    data: TagPolicy;
};

export type TagPolicyShortcoming = {
    id: string;
    type: 'tag-policy-shortcomings';
    attributes: {
        'workspace-name': string;
        /**
         * How many rules it breaks, each as often as it does.
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
 * Named by its id, or by the name in its attributes.
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
     * Unique in the policy; answers name the rule by it.
     */
    name: string;
    /**
     * Id of the project that it is for; all without it.
     */
    project?: string | null;
    /**
     * Keys that a workspace has, itself or by its project, or as flat tags.
     */
    'required-keys'?: Array<string> | null;
    /**
     * The key whose values are bounded by allowed-values or value-pattern.
     */
    key?: string | null;
    /**
     * Values that the key may have.
     */
    'allowed-values'?: Array<string> | null;
    /**
     * A regular expression (RE2) that fits the whole value.
     */
    'value-pattern'?: string | null;
    /**
     * A regular expression (RE2) that fits the whole name of each tag and key.
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
             * When the target was last asked.
             */
            'delivered-at': string | null;
            /**
             * The status of its answer, or why there was none.
             */
            status: string | null;
            /**
             * Since the last success.
             */
            failures: number;
            /**
             * When the first of them was.
             */
            'failing-since': string | null;
            /**
             * When it is asked again after a failure.
             */
            'retry-at': string | null;
            /**
             * Records that it has not been told, up to 1000.
             */
            behind: number;
            /**
             * When records were last passed over that were not kept any more.
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
     * True unless it is given. One that is not goes on later where it stopped.
     */
    enabled?: boolean | null;
    /**
     * The secret that signs; null or empty for none. Never shown.
     */
    token?: string | null;
    /**
     * Kinds of objects that are told of; empty or null for all.
     */
    kinds?: Array<'workspace' | 'project' | 'tag' | 'reserved-tag-key' | 'tag-policy'> | null;
    /**
     * What was done to them; empty or null for all.
     */
    actions?: Array<'tags-changed' | 'created' | 'updated' | 'renamed' | 'merged' | 'deleted'> | null;
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

export type ToOrganization = {
    data: {
        /**
         * The organization's name.
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
     * When it was used first on the last day, of UTC, on which it was used; absent before its first use.
     */
    LastUsed?: string;
    Hash: string;
    Namespace?: string;
    Partition?: string;
    CreateIndex: number;
    ModifyIndex: number;
};

export type TokenBody = {
    /**
     * Chosen on creation with operator:write, or acl:write in the default namespace of the partition.
     */
    AccessorID?: string;
    SecretID?: string;
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
    Namespace?: string;
    Partition?: string;
    readonly CreateIndex?: number;
    readonly ModifyIndex?: number;
    readonly Hash?: string | null;
};

export type UpdateOrganizationBody = {
    data: {
        type: 'organizations';
        id?: string;
        attributes?: {
            /**
             * Letters, digits, hyphens and underscores, 90 at most. Unique in any case.
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
             * Letters, digits, blanks, hyphens and underscores, 3 to 40, no blank at either end. Unique in any case.
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
             * As keys of tags may be.
             */
            key?: string;
            /**
             * Whether workspaces may not give the key another value than their project.
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
             * For people; need not be unique.
             */
            name?: string;
            /**
             * Where records are posted to: https or http.
             */
            url?: string;
        } & TagWebhookSettings;
    };
};

export type User = {
    id: string;
    type: 'users';
    attributes: {
        /**
         * The token's AccessorID.
         */
        username: string;
        /**
         * Made up, in a domain that no mail reaches.
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
     * How many there are, 10,000 at most.
     */
    Count: number;
    /**
     * There are more than that.
     */
    More?: boolean;
    /**
     * The first 100.
     */
    First: Array<{
        /**
         * Of a token its AccessorID, of a namespace its name.
         */
        ID: string;
        /**
         * Of a token or a binding rule its description.
         */
        Name?: string;
        Namespace?: string;
        Partition?: string;
    }>;
};

export type WantedRule = {
    /**
     * The smallest rule that would allow it.
     */
    Rules?: string;
    /**
     * The rule that decides is stronger: it has to go before any other counts.
     */
    Overruled?: boolean;
    /**
     * Roles that hold it already.
     */
    Roles: Array<Link>;
    /**
     * Whether all roles were looked at.
     */
    RolesComplete: boolean;
};

export type Warning = {
    rule: string;
    detail: string;
};

/**
 * Rules that this breaks, if any.
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
 * Workspaces; empty for all that the caller may see.
 */
export type WorkspaceFilter = {
    /**
     * Text that the name holds, in any case.
     */
    name?: string;
    /**
     * The whole name, with * for any text.
     */
    wildcard?: string;
    /**
     * Tags or keys, all of which it carries.
     */
    tags?: Array<string>;
    /**
     * Tags or keys, none of which it carries.
     */
    'exclude-tags'?: Array<string>;
    /**
     * Keys and values that apply to it, inherited or not.
     */
    bindings?: Array<{
        key: string;
        /**
         * Any unless given.
         */
        value?: string;
    }>;
    /**
     * The id of its project.
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
         * The status of the target's answer.
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
     * An empty one is that of the stored method.
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
     * Chosen on creation with operator:write, or acl:write in the default namespace of the partition.
     */
    AccessorID?: string;
    SecretID?: string;
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

/**
 * ETags of what the client has: 304 while the answer is one of them.
 */
export type IfNoneMatch = string;

/**
 * With if-none-match, `wait=60`: answer as soon as there is something else, or after so many seconds.
 */
export type Prefer = string;

/**
 * Page wanted, from 1, or what next-page said: a page ends early where it would pass 8 MiB.
 */
export type PageNumber = string;

/**
 * Entries per page: 20 unless given, 100 at most.
 */
export type PageSize = string;

/**
 * Name of the organization.
 */
export type OrganizationName = string;

/**
 * Text that the name holds, in any case.
 */
export type Q = string;

/**
 * A key that applies, written as it was given.
 */
export type FilterTagged0Key = string;

/**
 * Its value; any unless given, or empty.
 */
export type FilterTagged0Value = string;

/**
 * The same, alone.
 */
export type FilterTagged = string;

/**
 * Its value.
 */
export type FilterTaggedValue = string;

/**
 * true: one of the keys is enough.
 */
export type FilterTagUnion = string;

/**
 * true: a key without a value asks for the key without one.
 */
export type FilterTagValueDefaultNull = string;

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
 * Id of its project.
 */
export type FilterProjectId = string;

/**
 * organization, project, locked_by, effective_tag_bindings; the names of runs, states and the like include nothing.
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
 * Partition in which to work; that of the token unless it is named.
 */
export type PartitionParam = string;

/**
 * Wait until the index of the answer is greater; X-Service-Index of the answer before.
 */
export type Index = string;

/**
 * How long to wait at most, such as 5m.
 */
export type Wait = string;

/**
 * A replica may answer; without it, and with `consistent`, the primary does.
 */
export type Stale = string;

/**
 * Rights count as they are now, whichever server changed them; without it they may be a second old.
 */
export type Consistent = string;

/**
 * A replica that is not further behind than this may answer, such as 10s.
 */
export type MaxStale = string;

/**
 * Namespace in which to work; that of the token unless it is named.
 */
export type Ns = string;

/**
 * Write only when the object still has this ModifyIndex; else 409.
 */
export type Cas = string;

/**
 * Namespace to list; that of the token unless it is named, and `*` for all that the caller may read.
 */
export type NsParam = string;

/**
 * At most so many entries, and fewer where they are long; the header X-Service-Next of the answer leads on.
 */
export type PageSizeParam = string;

/**
 * At most so many entries, 1 to 1000, in the order of `sort`; X-Tessera-Next of the answer leads on, and X-Tessera-Total says how many there are.
 */
export type Limit = string;

/**
 * The X-Service-Next of the page before; with `limit`, its X-Tessera-Next.
 */
export type After = string;

/**
 * Only entries that hold this text, in any case.
 */
export type Search = string;

/**
 * With `limit`: the member to sort by, behind a minus for the other way round.
 */
export type Sort = string;

/**
 * With `limit`: begin at the first entry whose sort value is this or comes after it.
 */
export type At = string;

/**
 * With `limit`: only entries whose ID begins with this, the first 4 characters of a UUID or more.
 */
export type IdPrefix = string;

/**
 * AccessorID of the token.
 */
export type Accessor = string;

/**
 * Such as `builtin/service`; the slash may stand as it is.
 */
export type Name = string;

/**
 * Say which rule of which policy decided; needs acl:read. `false` is as without it.
 */
export type Explain = string;

/**
 * Namespace of the questions that name none; `default` unless it is named.
 */
export type NsParam2 = string;

/**
 * Partition of the questions that name none; `default` unless it is named.
 */
export type PartitionParam2 = string;

/**
 * Only `role`, `binding-rule` or `token`.
 */
export type Kind = string;

/**
 * At most so many entries, 100 unless it says otherwise; the header X-Service-Next of the answer leads on.
 */
export type PageSizeParam2 = string;

/**
 * The X-Service-Next of the page before.
 */
export type AfterParam = string;

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
     * The process is alive.
     */
    200: string;
};

export type GetHealthResponse = GetHealthResponses[keyof GetHealthResponses];

export type GetReadinessData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Whatever its value: say how each check went.
         */
        verbose?: string;
    };
    url: '/readyz';
};

export type GetReadinessResponses = {
    /**
     * Storage answers, and a write succeeded in the last 10 s. With `verbose`, a line for each check, and this one.
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
     * The numbers.
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
     * The services and their paths.
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
     * The server speaks this API.
     */
    204: void;
};

export type PingResponse = PingResponses[keyof PingResponses];

export type ReadOwnAccountData = {
    body?: never;
    headers?: {
        /**
         * ETags of what the client has: 304 while the answer is one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: answer as soon as there is something else, or after so many seconds.
         */
        prefer?: string;
    };
    path?: never;
    query?: never;
    url: '/api/v2/account/details';
};

export type ReadOwnAccountResponses = {
    /**
     * The token's own account.
     */
    200: UserDocument;
};

export type ReadOwnAccountResponse = ReadOwnAccountResponses[keyof ReadOwnAccountResponses];

export type ListOrganizationsData = {
    body?: never;
    headers?: {
        /**
         * ETags of what the client has: 304 while the answer is one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: answer as soon as there is something else, or after so many seconds.
         */
        prefer?: string;
    };
    path?: never;
    query?: {
        /**
         * Text that the name or the email holds, in any case.
         */
        q?: string;
        /**
         * Text that the name holds.
         */
        'q[name]'?: string;
        /**
         * Text that the email holds.
         */
        'q[email]'?: string;
        /**
         * Page wanted, from 1, or what next-page said: a page ends early where it would pass 8 MiB.
         */
        'page[number]'?: string;
        /**
         * Entries per page: 20 unless given, 100 at most.
         */
        'page[size]'?: string;
    };
    url: '/api/v2/organizations';
};

export type ListOrganizationsResponses = {
    /**
     * A page of organizations; without page parameters all of them, without links and meta.
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
     * It is gone.
     */
    204: void;
};

export type DeleteOrganizationResponse = DeleteOrganizationResponses[keyof DeleteOrganizationResponses];

export type ReadOrganizationData = {
    body?: never;
    headers?: {
        /**
         * ETags of what the client has: 304 while the answer is one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: answer as soon as there is something else, or after so many seconds.
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
         * default_project, entitlement_set; subscription includes nothing.
         */
        include?: string;
    };
    url: '/api/v2/organizations/{organization_name}';
};

export type ReadOrganizationResponses = {
    /**
     * The organization; for who may read workspaces of it alone, its name and permissions that are all false.
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
         * ETags of what the client has: 304 while the answer is one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: answer as soon as there is something else, or after so many seconds.
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
     * What the organization may use.
     */
    200: EntitlementSetDocument;
};

export type ReadEntitlementSetResponse = ReadEntitlementSetResponses[keyof ReadEntitlementSetResponses];

export type ListProjectsData = {
    body?: never;
    headers?: {
        /**
         * ETags of what the client has: 304 while the answer is one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: answer as soon as there is something else, or after so many seconds.
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
         * Text that the name holds, in any case.
         */
        q?: string;
        /**
         * Up to 100 names separated by commas, in any case; a project has any of them.
         */
        'filter[names]'?: string;
        /**
         * A key that applies, written as it was given.
         */
        'filter[tagged][0][key]'?: string;
        /**
         * Its value; any unless given, or empty.
         */
        'filter[tagged][0][value]'?: string;
        /**
         * The same, alone.
         */
        'filter[tagged]'?: string;
        /**
         * Its value.
         */
        'filter[tagged][value]'?: string;
        /**
         * true: one of the keys is enough.
         */
        'filter[tag-union]'?: string;
        /**
         * true: a key without a value asks for the key without one.
         */
        'filter[tag-value-default-null]'?: string;
        /**
         * true: only those that the token may change; false: only the others.
         */
        'filter[permissions][update]'?: string;
        /**
         * true: only those in which the token may make workspaces; false: only the others.
         */
        'filter[permissions][create-workspace]'?: string;
        /**
         * name, or -name for the other way round; otherwise the newest come first.
         */
        sort?: string;
        /**
         * effective_tag_bindings.
         */
        include?: string;
        /**
         * Page wanted, from 1, or what next-page said: a page ends early where it would pass 8 MiB.
         */
        'page[number]'?: string;
        /**
         * Entries per page: 20 unless given, 100 at most.
         */
        'page[size]'?: string;
    };
    url: '/api/v2/organizations/{organization_name}/projects';
};

export type ListProjectsResponses = {
    /**
     * A page of projects.
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
     * The project, and rules for tags that it breaks.
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
     * It is gone.
     */
    204: void;
};

export type DeleteProjectResponse = DeleteProjectResponses[keyof DeleteProjectResponses];

export type ReadProjectData = {
    body?: never;
    headers?: {
        /**
         * ETags of what the client has: 304 while the answer is one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: answer as soon as there is something else, or after so many seconds.
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
     * The project, and rules for tags that it breaks.
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
     * Done; and what was written breaks rules.
     */
    200: WarningsDocument;
    /**
     * All of them are in the project now.
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
     * Done; and what was written breaks rules.
     */
    200: WarningsDocument;
    /**
     * The tags are gone.
     */
    204: void;
};

export type DeleteTagsResponse = DeleteTagsResponses[keyof DeleteTagsResponses];

export type ListTagsData = {
    body?: never;
    headers?: {
        /**
         * ETags of what the client has: 304 while the answer is one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: answer as soon as there is something else, or after so many seconds.
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
         * Page wanted, from 1, or what next-page said: a page ends early where it would pass 8 MiB.
         */
        'page[number]'?: string;
        /**
         * Entries per page: 20 unless given, 100 at most.
         */
        'page[size]'?: string;
        /**
         * Text that the name holds, in any case.
         */
        q?: string;
        /**
         * Id of a workspace; the tags that it carries are left out. One that there is not leaves out none.
         */
        'filter[exclude][taggable][id]'?: string;
        /**
         * true: tags that neither a workspace nor a project has; false: all others.
         */
        'filter[unused]'?: string;
        /**
         * true: keys; false: all others.
         */
        'filter[key]'?: string;
        /**
         * Tags that so many workspaces carry, or more.
         */
        'filter[instance-count][gte]'?: string;
        /**
         * Tags that so many workspaces carry, or fewer.
         */
        'filter[instance-count][lte]'?: string;
        /**
         * name, count (or instance-count) or created-at, with - in front for the reverse; equal ones by name.
         */
        sort?: string;
        /**
         * values: what values each key has, and how often.
         */
        include?: string;
    };
    url: '/api/v2/organizations/{organization_name}/tags';
};

export type ListTagsResponses = {
    /**
     * A page of tags.
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
     * The tags, new or not, in the order of the request.
     */
    201: WrittenTagList;
};

export type CreateTagsResponse = CreateTagsResponses[keyof CreateTagsResponses];

export type ReadTagData = {
    body?: never;
    headers?: {
        /**
         * ETags of what the client has: 304 while the answer is one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: answer as soon as there is something else, or after so many seconds.
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
         * ETags of what the client has: 304 while the answer is one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: answer as soon as there is something else, or after so many seconds.
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
         * Page wanted, from 1, or what next-page said: a page ends early where it would pass 8 MiB.
         */
        'page[number]'?: string;
        /**
         * Entries per page: 20 unless given, 100 at most.
         */
        'page[size]'?: string;
    };
    url: '/api/v2/organizations/{organization_name}/tags/alike';
};

export type ListAlikeTagsResponses = {
    /**
     * A page of groups of tags that are alike.
     */
    200: AlikeTagPage;
};

export type ListAlikeTagsResponse = ListAlikeTagsResponses[keyof ListAlikeTagsResponses];

export type ListWorkspacesData = {
    body?: never;
    headers?: {
        /**
         * ETags of what the client has: 304 while the answer is one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: answer as soon as there is something else, or after so many seconds.
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
         * Page wanted, from 1, or what next-page said: a page ends early where it would pass 8 MiB.
         */
        'page[number]'?: string;
        /**
         * Entries per page: 20 unless given, 100 at most.
         */
        'page[size]'?: string;
        /**
         * Text that the name holds, in any case.
         */
        'search[name]'?: string;
        /**
         * The name, with * for any text.
         */
        'search[wildcard-name]'?: string;
        /**
         * Names of tags that a workspace carries, flat or as keys, all of them; separated by commas.
         */
        'search[tags]'?: string;
        /**
         * Names of tags of which it carries none.
         */
        'search[exclude-tags]'?: string;
        /**
         * The same in its other spelling.
         */
        'search[exclude_tags]'?: string;
        /**
         * A key that applies, written as it was given.
         */
        'filter[tagged][0][key]'?: string;
        /**
         * Its value; any unless given, or empty.
         */
        'filter[tagged][0][value]'?: string;
        /**
         * The same, alone.
         */
        'filter[tagged]'?: string;
        /**
         * Its value.
         */
        'filter[tagged][value]'?: string;
        /**
         * true: one of the keys is enough.
         */
        'filter[tag-union]'?: string;
        /**
         * true: a key without a value asks for the key without one.
         */
        'filter[tag-value-default-null]'?: string;
        /**
         * Id of its project.
         */
        'filter[project][id]'?: string;
        /**
         * There are no runs, so this matches nothing.
         */
        'filter[current-run][status]'?: string;
        /**
         * name, created-at or latest-change-at; with - in front the other way round.
         */
        sort?: string;
        /**
         * organization, project, locked_by, effective_tag_bindings; the names of runs, states and the like include nothing.
         */
        include?: string;
    };
    url: '/api/v2/organizations/{organization_name}/workspaces';
};

export type ListWorkspacesResponses = {
    /**
     * A page of workspaces.
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
     * The workspace, and rules for tags that it breaks.
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
     * The workspace is gone.
     */
    204: void;
};

export type DeleteWorkspaceResponse = DeleteWorkspaceResponses[keyof DeleteWorkspaceResponses];

export type ReadWorkspaceData = {
    body?: never;
    headers?: {
        /**
         * ETags of what the client has: 304 while the answer is one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: answer as soon as there is something else, or after so many seconds.
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
         * organization, project, locked_by, effective_tag_bindings; the names of runs, states and the like include nothing.
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
     * The workspace, and rules for tags that it breaks.
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
     * The workspace is gone.
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
     * The workspace is gone.
     */
    204: void;
};

export type DeleteWorkspaceByNameResponse = DeleteWorkspaceByNameResponses[keyof DeleteWorkspaceByNameResponses];

export type ReadWorkspaceByNameData = {
    body?: never;
    headers?: {
        /**
         * ETags of what the client has: 304 while the answer is one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: answer as soon as there is something else, or after so many seconds.
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
         * organization, project, locked_by, effective_tag_bindings; the names of runs, states and the like include nothing.
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
     * The workspace, and rules for tags that it breaks.
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
     * The workspace is gone.
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
     * Done; and what was written breaks rules.
     */
    200: WarningsDocument;
    /**
     * Done; also when there was nothing to do.
     */
    204: void;
};

export type RemoveWorkspaceTagsResponse = RemoveWorkspaceTagsResponses[keyof RemoveWorkspaceTagsResponses];

export type ListWorkspaceTagsData = {
    body?: never;
    headers?: {
        /**
         * ETags of what the client has: 304 while the answer is one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: answer as soon as there is something else, or after so many seconds.
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
         * Page wanted, from 1, or what next-page said: a page ends early where it would pass 8 MiB.
         */
        'page[number]'?: string;
        /**
         * Entries per page: 20 unless given, 100 at most.
         */
        'page[size]'?: string;
        /**
         * Text that the name holds, in any case.
         */
        name?: string;
    };
    url: '/api/v2/workspaces/{workspace_id}/relationships/tags';
};

export type ListWorkspaceTagsResponses = {
    /**
     * A page of tags.
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
     * Done; and what was written breaks rules.
     */
    200: WarningsDocument;
    /**
     * Done; also when there was nothing to do.
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
     * Done; and what was written breaks rules.
     */
    200: WarningsDocument;
    /**
     * Done; also when there was nothing to do.
     */
    204: void;
};

export type RemoveTagWorkspacesResponse = RemoveTagWorkspacesResponses[keyof RemoveTagWorkspacesResponses];

export type ListTagWorkspacesData = {
    body?: never;
    headers?: {
        /**
         * ETags of what the client has: 304 while the answer is one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: answer as soon as there is something else, or after so many seconds.
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
         * Page wanted, from 1, or what next-page said: a page ends early where it would pass 8 MiB.
         */
        'page[number]'?: string;
        /**
         * Entries per page: 20 unless given, 100 at most.
         */
        'page[size]'?: string;
    };
    url: '/api/v2/tags/{tag_id}/relationships/workspaces';
};

export type ListTagWorkspacesResponses = {
    /**
     * A page of workspaces.
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
     * Done; and what was written breaks rules.
     */
    200: WarningsDocument;
    /**
     * Done; also when there was nothing to do.
     */
    204: void;
};

export type AddTagWorkspacesResponse = AddTagWorkspacesResponses[keyof AddTagWorkspacesResponses];

export type ListWorkspaceTagBindingsData = {
    body?: never;
    headers?: {
        /**
         * ETags of what the client has: 304 while the answer is one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: answer as soon as there is something else, or after so many seconds.
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
     * The bindings, in the order of adding.
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
     * Those that the request names, but for the inherited.
     */
    200: WrittenTagBindingList;
};

export type AddWorkspaceTagBindingsResponse = AddWorkspaceTagBindingsResponses[keyof AddWorkspaceTagBindingsResponses];

export type ReadWorkspaceTagBindingsData = {
    body?: never;
    headers?: {
        /**
         * ETags of what the client has: 304 while the answer is one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: answer as soon as there is something else, or after so many seconds.
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
     * The bindings, in the order of adding.
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
     * Done; and what was written breaks rules.
     */
    200: WarningsDocument;
    /**
     * Done; also when there was nothing to do.
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
     * Done; and what was written breaks rules.
     */
    200: WarningsDocument;
    /**
     * Done; also when there was nothing to do.
     */
    204: void;
};

export type BindWorkspaceResponse = BindWorkspaceResponses[keyof BindWorkspaceResponses];

export type ListWorkspaceEffectiveTagBindingsData = {
    body?: never;
    headers?: {
        /**
         * ETags of what the client has: 304 while the answer is one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: answer as soon as there is something else, or after so many seconds.
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
     * What applies: its own first, then what is inherited.
     */
    200: EffectiveTagBindingList;
};

export type ListWorkspaceEffectiveTagBindingsResponse = ListWorkspaceEffectiveTagBindingsResponses[keyof ListWorkspaceEffectiveTagBindingsResponses];

export type ListProjectTagBindingsData = {
    body?: never;
    headers?: {
        /**
         * ETags of what the client has: 304 while the answer is one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: answer as soon as there is something else, or after so many seconds.
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
     * The bindings, in the order of adding.
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
     * Those that the request names, but for the inherited.
     */
    200: WrittenTagBindingList;
};

export type AddProjectTagBindingsResponse = AddProjectTagBindingsResponses[keyof AddProjectTagBindingsResponses];

export type ReadProjectTagBindingsData = {
    body?: never;
    headers?: {
        /**
         * ETags of what the client has: 304 while the answer is one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: answer as soon as there is something else, or after so many seconds.
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
     * The bindings, in the order of adding.
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
     * Done; and what was written breaks rules.
     */
    200: WarningsDocument;
    /**
     * Done; also when there was nothing to do.
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
     * Done; and what was written breaks rules.
     */
    200: WarningsDocument;
    /**
     * Done; also when there was nothing to do.
     */
    204: void;
};

export type BindProjectResponse = BindProjectResponses[keyof BindProjectResponses];

export type ListProjectEffectiveTagBindingsData = {
    body?: never;
    headers?: {
        /**
         * ETags of what the client has: 304 while the answer is one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: answer as soon as there is something else, or after so many seconds.
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
     * What applies: its own first, then what is inherited.
     */
    200: EffectiveTagBindingList;
};

export type ListProjectEffectiveTagBindingsResponse = ListProjectEffectiveTagBindingsResponses[keyof ListProjectEffectiveTagBindingsResponses];

export type ListTagBindingsData = {
    body?: never;
    headers?: {
        /**
         * ETags of what the client has: 304 while the answer is one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: answer as soon as there is something else, or after so many seconds.
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
         * Page wanted, from 1, or what next-page said: a page ends early where it would pass 8 MiB.
         */
        'page[number]'?: string;
        /**
         * Entries per page: 20 unless given, 100 at most.
         */
        'page[size]'?: string;
        /**
         * workspaces or projects; both unless given.
         */
        'filter[taggable-type]'?: string;
        /**
         * A key that applies, written as it was given.
         */
        'filter[tagged][0][key]'?: string;
        /**
         * Its value; any unless given, or empty.
         */
        'filter[tagged][0][value]'?: string;
        /**
         * The same, alone.
         */
        'filter[tagged]'?: string;
        /**
         * Its value.
         */
        'filter[tagged][value]'?: string;
        /**
         * true: one of the keys is enough.
         */
        'filter[tag-union]'?: string;
        /**
         * true: a key without a value asks for the key without one.
         */
        'filter[tag-value-default-null]'?: string;
        /**
         * The attributes that are wanted: counts, key, value, created-at.
         */
        'fields[tag-binding]'?: string;
    };
    url: '/api/v2/organizations/{organization_name}/tag-bindings';
};

export type ListTagBindingsResponses = {
    /**
     * A page of bindings.
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
         * csv or jsonl (JSON lines); without it the Accept header says which, and JSON lines are the default.
         */
        format?: string;
    };
    url: '/api/v2/organizations/{organization_name}/tags/export';
};

export type ExportTagsResponses = {
    /**
     * One record for each object. It is streamed, and cut off when it cannot be made to its end.
     */
    200: string;
};

export type ExportTagsResponse = ExportTagsResponses[keyof ExportTagsResponses];

export type ImportTagsData = {
    /**
     * At most 64 MiB and 500,000 objects, in the form of an export.
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
         * true: answers what would change, and changes nothing.
         */
        preview?: string;
        /**
         * merge, which is the default, adds and changes; replace takes away too what the file does not say of the objects that it names.
         */
        mode?: string;
    };
    url: '/api/v2/organizations/{organization_name}/tag-imports';
};

export type ImportTagsResponses = {
    /**
     * What would change.
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
         * ETags of what the client has: 304 while the answer is one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: answer as soon as there is something else, or after so many seconds.
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
         * Page wanted, from 1, or what next-page said: a page ends early where it would pass 8 MiB.
         */
        'page[number]'?: string;
        /**
         * Entries per page: 20 unless given, 100 at most.
         */
        'page[size]'?: string;
    };
    url: '/api/v2/organizations/{organization_name}/reserved-tag-keys';
};

export type ListReservedTagKeysResponses = {
    /**
     * A page of reserved keys.
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
     * The key is reserved no more.
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
     * The key is reserved no more.
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
     * Done; also when there was nothing to do. The list guards nothing: there is no state here.
     */
    204: void;
};

export type RemoveRemoteStateConsumersResponse = RemoveRemoteStateConsumersResponses[keyof RemoveRemoteStateConsumersResponses];

export type ListRemoteStateConsumersData = {
    body?: never;
    headers?: {
        /**
         * ETags of what the client has: 304 while the answer is one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: answer as soon as there is something else, or after so many seconds.
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
         * Page wanted, from 1, or what next-page said: a page ends early where it would pass 8 MiB.
         */
        'page[number]'?: string;
        /**
         * Entries per page: 20 unless given, 100 at most.
         */
        'page[size]'?: string;
        /**
         * true: those that were put on the list, also while all others may read the state.
         */
        show_only_configured?: string;
    };
    url: '/api/v2/workspaces/{workspace_id}/relationships/remote-state-consumers';
};

export type ListRemoteStateConsumersResponses = {
    /**
     * A page of workspaces.
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
     * Done; also when there was nothing to do. The list guards nothing: there is no state here.
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
     * Done; also when there was nothing to do. The list guards nothing: there is no state here.
     */
    204: void;
};

export type AddRemoteStateConsumersResponse = AddRemoteStateConsumersResponses[keyof AddRemoteStateConsumersResponses];

export type StreamOrganizationEventsData = {
    body?: never;
    headers?: {
        /**
         * The id of the last event that the client has seen.
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
         * The id of an event: goes on behind it, as Last-Event-ID does, which counts before this.
         */
        after?: string;
    };
    url: '/api/v2/organizations/{organization_name}/events';
};

export type StreamOrganizationEventsResponses = {
    /**
     * Writes of workspaces, projects, tags and their rules, and that others were made: from now on, or from where the request says.
     */
    200: string;
};

export type StreamOrganizationEventsResponse = StreamOrganizationEventsResponses[keyof StreamOrganizationEventsResponses];

export type ListTagJobsData = {
    body?: never;
    headers?: {
        /**
         * ETags of what the client has: 304 while the answer is one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: answer as soon as there is something else, or after so many seconds.
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
         * Page wanted, from 1, or what next-page said: a page ends early where it would pass 8 MiB.
         */
        'page[number]'?: string;
        /**
         * Entries per page: 20 unless given, 100 at most.
         */
        'page[size]'?: string;
    };
    url: '/api/v2/organizations/{organization_name}/tag-jobs';
};

export type ListTagJobsResponses = {
    /**
     * A page of jobs, the newest first.
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
         * true: answers what the job would do now, and begins none.
         */
        preview?: string;
    };
    url: '/api/v2/organizations/{organization_name}/tag-jobs';
};

export type CreateTagJobResponses = {
    /**
     * What the job would do now.
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
         * ETags of what the client has: 304 while the answer is one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: answer as soon as there is something else, or after so many seconds.
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
     * There are none any more.
     */
    204: void;
};

export type DeleteTagPolicyResponse = DeleteTagPolicyResponses[keyof DeleteTagPolicyResponses];

export type ReadTagPolicyData = {
    body?: never;
    headers?: {
        /**
         * ETags of what the client has: 304 while the answer is one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: answer as soon as there is something else, or after so many seconds.
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
         * ETags of what the client has: 304 while the answer is one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: answer as soon as there is something else, or after so many seconds.
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
         * Page wanted, from 1, or what next-page said: a page ends early where it would pass 8 MiB.
         */
        'page[number]'?: string;
        /**
         * Entries per page: 20 unless given, 100 at most.
         */
        'page[size]'?: string;
        /**
         * Text that the name holds, in any case.
         */
        q?: string;
        /**
         * Id of its project.
         */
        'filter[project][id]'?: string;
        /**
         * A rule that it breaks.
         */
        'filter[rule]'?: string;
        /**
         * How: required, value, name or limit.
         */
        'filter[kind]'?: string;
        /**
         * The key or name it is about.
         */
        'filter[key]'?: string;
    };
    url: '/api/v2/organizations/{organization_name}/tag-policy/report';
};

export type ReportTagPolicyResponses = {
    /**
     * A page of workspaces that fall short.
     */
    200: TagPolicyShortcomingPage;
};

export type ReportTagPolicyResponse = ReportTagPolicyResponses[keyof ReportTagPolicyResponses];

export type ListOrganizationAuditData = {
    body?: never;
    headers?: {
        /**
         * ETags of what the client has: 304 while the answer is one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: answer as soon as there is something else, or after so many seconds.
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
         * AccessorID of the token that did it.
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
         * What was done, such as create, update, delete or login.
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
         * Records per page, 100 at most; 20 when left out.
         */
        'page[size]'?: string;
        /**
         * Where the page begins, as `links.next` of the page before says it.
         */
        'page[after]'?: string;
    };
    url: '/api/v2/organizations/{organization_name}/audit';
};

export type ListOrganizationAuditResponses = {
    /**
     * A page of the records.
     */
    200: ListOrganizationAuditAnswer;
};

export type ListOrganizationAuditResponse = ListOrganizationAuditResponses[keyof ListOrganizationAuditResponses];

export type ListTagWebhooksData = {
    body?: never;
    headers?: {
        /**
         * ETags of what the client has: 304 while the answer is one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: answer as soon as there is something else, or after so many seconds.
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
         * Page wanted, from 1, or what next-page said: a page ends early where it would pass 8 MiB.
         */
        'page[number]'?: string;
        /**
         * Entries per page: 20 unless given, 100 at most.
         */
        'page[size]'?: string;
    };
    url: '/api/v2/organizations/{organization_name}/tag-webhooks';
};

export type ListTagWebhooksResponses = {
    /**
     * A page of webhooks in the order of their making.
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
     * It is gone.
     */
    204: void;
};

export type DeleteTagWebhookResponse = DeleteTagWebhookResponses[keyof DeleteTagWebhookResponses];

export type ReadTagWebhookData = {
    body?: never;
    headers?: {
        /**
         * ETags of what the client has: 304 while the answer is one of them.
         */
        'if-none-match'?: string;
        /**
         * With if-none-match, `wait=60`: answer as soon as there is something else, or after so many seconds.
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
     * The webhook, and how its target answered.
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
     * The same as the only entry.
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
     * This server's version.
     */
    200: ReadVersionAnswer;
};

export type ReadVersionResponse = ReadVersionResponses[keyof ReadVersionResponses];

export type ListMembersData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Means nothing to one server.
         */
        wan?: string;
        /**
         * Means nothing to one server.
         */
        segment?: string;
    };
    url: '/v1/agent/members';
};

export type ListMembersResponses = {
    /**
     * This server, to whoever may read its node.
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
     * The one datacenter that there is.
     */
    200: Array<string>;
};

export type ListDatacentersResponse = ListDatacentersResponses[keyof ListDatacentersResponses];

export type ListNodeChecksData = {
    body?: never;
    path: {
        /**
         * Name of the node, in any case.
         */
        node: string;
    };
    query?: {
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Wait until the index of the answer is greater; X-Service-Index of the answer before.
         */
        index?: string;
        /**
         * How long to wait at most, such as 5m.
         */
        wait?: string;
        /**
         * A replica may answer; without it, and with `consistent`, the primary does.
         */
        stale?: string;
        /**
         * Rights count as they are now, whichever server changed them; without it they may be a second old.
         */
        consistent?: string;
        /**
         * A replica that is not further behind than this may answer, such as 10s.
         */
        max_stale?: string;
    };
    url: '/v1/health/node/{node}';
};

export type ListNodeChecksResponses = {
    /**
     * That this server is there, when it is named and the caller may read its node; else nothing.
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
     * Nothing comes from another datacenter.
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
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Write only when the object still has this ModifyIndex; else 409.
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
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Write only when the object still has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/policy/{id}';
};

export type DeletePolicyResponses = {
    /**
     * It is gone.
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
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Wait until the index of the answer is greater; X-Service-Index of the answer before.
         */
        index?: string;
        /**
         * How long to wait at most, such as 5m.
         */
        wait?: string;
        /**
         * A replica may answer; without it, and with `consistent`, the primary does.
         */
        stale?: string;
        /**
         * Rights count as they are now, whichever server changed them; without it they may be a second old.
         */
        consistent?: string;
        /**
         * A replica that is not further behind than this may answer, such as 10s.
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
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Write only when the object still has this ModifyIndex; else 409.
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
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Write only when the object still has this ModifyIndex; else 409.
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
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Wait until the index of the answer is greater; X-Service-Index of the answer before.
         */
        index?: string;
        /**
         * How long to wait at most, such as 5m.
         */
        wait?: string;
        /**
         * A replica may answer; without it, and with `consistent`, the primary does.
         */
        stale?: string;
        /**
         * Rights count as they are now, whichever server changed them; without it they may be a second old.
         */
        consistent?: string;
        /**
         * A replica that is not further behind than this may answer, such as 10s.
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
         * Namespace to list; that of the token unless it is named, and `*` for all that the caller may read.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * At most so many entries, and fewer where they are long; the header X-Service-Next of the answer leads on.
         */
        'page-size'?: string;
        /**
         * At most so many entries, 1 to 1000, in the order of `sort`; X-Tessera-Next of the answer leads on, and X-Tessera-Total says how many there are.
         */
        limit?: string;
        /**
         * The X-Service-Next of the page before; with `limit`, its X-Tessera-Next.
         */
        after?: string;
        /**
         * Only entries that hold this text, in any case.
         */
        search?: string;
        /**
         * With `limit`: the member to sort by, behind a minus for the other way round.
         */
        sort?: string;
        /**
         * With `limit`: begin at the first entry whose sort value is this or comes after it.
         */
        at?: string;
        /**
         * With `limit`: only entries whose ID begins with this, the first 4 characters of a UUID or more.
         */
        'id-prefix'?: string;
        /**
         * Wait until the index of the answer is greater; X-Service-Index of the answer before.
         */
        index?: string;
        /**
         * How long to wait at most, such as 5m.
         */
        wait?: string;
        /**
         * A replica may answer; without it, and with `consistent`, the primary does.
         */
        stale?: string;
        /**
         * Rights count as they are now, whichever server changed them; without it they may be a second old.
         */
        consistent?: string;
        /**
         * A replica that is not further behind than this may answer, such as 10s.
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
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Write only when the object still has this ModifyIndex; else 409.
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
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Write only when the object still has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/role/{id}';
};

export type DeleteRoleResponses = {
    /**
     * It is gone.
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
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Wait until the index of the answer is greater; X-Service-Index of the answer before.
         */
        index?: string;
        /**
         * How long to wait at most, such as 5m.
         */
        wait?: string;
        /**
         * A replica may answer; without it, and with `consistent`, the primary does.
         */
        stale?: string;
        /**
         * Rights count as they are now, whichever server changed them; without it they may be a second old.
         */
        consistent?: string;
        /**
         * A replica that is not further behind than this may answer, such as 10s.
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
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Write only when the object still has this ModifyIndex; else 409.
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
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Write only when the object still has this ModifyIndex; else 409.
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
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Wait until the index of the answer is greater; X-Service-Index of the answer before.
         */
        index?: string;
        /**
         * How long to wait at most, such as 5m.
         */
        wait?: string;
        /**
         * A replica may answer; without it, and with `consistent`, the primary does.
         */
        stale?: string;
        /**
         * Rights count as they are now, whichever server changed them; without it they may be a second old.
         */
        consistent?: string;
        /**
         * A replica that is not further behind than this may answer, such as 10s.
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
         * Namespace to list; that of the token unless it is named, and `*` for all that the caller may read.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * At most so many entries, and fewer where they are long; the header X-Service-Next of the answer leads on.
         */
        'page-size'?: string;
        /**
         * At most so many entries, 1 to 1000, in the order of `sort`; X-Tessera-Next of the answer leads on, and X-Tessera-Total says how many there are.
         */
        limit?: string;
        /**
         * The X-Service-Next of the page before; with `limit`, its X-Tessera-Next.
         */
        after?: string;
        /**
         * Only entries that hold this text, in any case.
         */
        search?: string;
        /**
         * With `limit`: the member to sort by, behind a minus for the other way round.
         */
        sort?: string;
        /**
         * With `limit`: begin at the first entry whose sort value is this or comes after it.
         */
        at?: string;
        /**
         * With `limit`: only entries whose ID begins with this, the first 4 characters of a UUID or more.
         */
        'id-prefix'?: string;
        /**
         * Only roles that link to the policy with this ID.
         */
        policy?: string;
        /**
         * Wait until the index of the answer is greater; X-Service-Index of the answer before.
         */
        index?: string;
        /**
         * How long to wait at most, such as 5m.
         */
        wait?: string;
        /**
         * A replica may answer; without it, and with `consistent`, the primary does.
         */
        stale?: string;
        /**
         * Rights count as they are now, whichever server changed them; without it they may be a second old.
         */
        consistent?: string;
        /**
         * A replica that is not further behind than this may answer, such as 10s.
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
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Write only when the object still has this ModifyIndex; else 409.
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
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Write only when the object still has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/declaration/{id}';
};

export type DeleteDeclarationResponses = {
    /**
     * It is gone.
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
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Wait until the index of the answer is greater; X-Service-Index of the answer before.
         */
        index?: string;
        /**
         * How long to wait at most, such as 5m.
         */
        wait?: string;
        /**
         * A replica may answer; without it, and with `consistent`, the primary does.
         */
        stale?: string;
        /**
         * Rights count as they are now, whichever server changed them; without it they may be a second old.
         */
        consistent?: string;
        /**
         * A replica that is not further behind than this may answer, such as 10s.
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
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Write only when the object still has this ModifyIndex; else 409.
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
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Write only when the object still has this ModifyIndex; else 409.
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
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Wait until the index of the answer is greater; X-Service-Index of the answer before.
         */
        index?: string;
        /**
         * How long to wait at most, such as 5m.
         */
        wait?: string;
        /**
         * A replica may answer; without it, and with `consistent`, the primary does.
         */
        stale?: string;
        /**
         * Rights count as they are now, whichever server changed them; without it they may be a second old.
         */
        consistent?: string;
        /**
         * A replica that is not further behind than this may answer, such as 10s.
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
         * Namespace to list; that of the token unless it is named, and `*` for all that the caller may read.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * At most so many entries, and fewer where they are long; the header X-Service-Next of the answer leads on.
         */
        'page-size'?: string;
        /**
         * At most so many entries, 1 to 1000, in the order of `sort`; X-Tessera-Next of the answer leads on, and X-Tessera-Total says how many there are.
         */
        limit?: string;
        /**
         * The X-Service-Next of the page before; with `limit`, its X-Tessera-Next.
         */
        after?: string;
        /**
         * Only entries that hold this text, in any case.
         */
        search?: string;
        /**
         * With `limit`: the member to sort by, behind a minus for the other way round.
         */
        sort?: string;
        /**
         * With `limit`: begin at the first entry whose sort value is this or comes after it.
         */
        at?: string;
        /**
         * With `limit`: only entries whose ID begins with this, the first 4 characters of a UUID or more.
         */
        'id-prefix'?: string;
        /**
         * Wait until the index of the answer is greater; X-Service-Index of the answer before.
         */
        index?: string;
        /**
         * How long to wait at most, such as 5m.
         */
        wait?: string;
        /**
         * A replica may answer; without it, and with `consistent`, the primary does.
         */
        stale?: string;
        /**
         * Rights count as they are now, whichever server changed them; without it they may be a second old.
         */
        consistent?: string;
        /**
         * A replica that is not further behind than this may answer, such as 10s.
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

export type ListSessionsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
    };
    url: '/v1/acl/sessions';
};

export type ListSessionsResponses = {
    /**
     * The sessions, those that were used last first.
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
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
    };
    url: '/v1/acl/session/{id}';
};

export type EndSessionResponses = {
    /**
     * It is gone.
     */
    200: boolean;
};

export type EndSessionResponse = EndSessionResponses[keyof EndSessionResponses];

export type CreateTokenData = {
    body: TokenRequest;
    path?: never;
    query?: {
        /**
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Write only when the object still has this ModifyIndex; else 409.
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
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Write only when the object still has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/token/{accessor}';
};

export type DeleteTokenResponses = {
    /**
     * It is gone.
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
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Also all policies and roles that the token has, by whatever way.
         */
        expanded?: string;
        /**
         * Wait until the index of the answer is greater; X-Service-Index of the answer before.
         */
        index?: string;
        /**
         * How long to wait at most, such as 5m.
         */
        wait?: string;
        /**
         * A replica may answer; without it, and with `consistent`, the primary does.
         */
        stale?: string;
        /**
         * Rights count as they are now, whichever server changed them; without it they may be a second old.
         */
        consistent?: string;
        /**
         * A replica that is not further behind than this may answer, such as 10s.
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
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Write only when the object still has this ModifyIndex; else 409.
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
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Write only when the object still has this ModifyIndex; else 409.
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
         * Namespace to list; that of the token unless it is named, and `*` for all that the caller may read.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * At most so many entries, and fewer where they are long; the header X-Service-Next of the answer leads on.
         */
        'page-size'?: string;
        /**
         * At most so many entries, 1 to 1000, in the order of `sort`; X-Tessera-Next of the answer leads on, and X-Tessera-Total says how many there are.
         */
        limit?: string;
        /**
         * The X-Service-Next of the page before; with `limit`, its X-Tessera-Next.
         */
        after?: string;
        /**
         * Only entries that hold this text, in any case.
         */
        search?: string;
        /**
         * With `limit`: the member to sort by, behind a minus for the other way round.
         */
        sort?: string;
        /**
         * With `limit`: begin at the first entry whose sort value is this or comes after it.
         */
        at?: string;
        /**
         * With `limit`: only entries whose ID begins with this, the first 4 characters of a UUID or more.
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
         * Only tokens that this auth method made.
         */
        authmethod?: string;
        /**
         * Only tokens of auth methods in this namespace.
         */
        'authmethod-ns'?: string;
        /**
         * Only tokens that were not used, nor made, for that long, to the day, such as 90d.
         */
        'unused-for'?: string;
        /**
         * Only tokens that end before that time, or within that long, such as 7d.
         */
        'expires-before'?: string;
        /**
         * `never`: only tokens without an end.
         */
        expires?: string;
        /**
         * Wait until the index of the answer is greater; X-Service-Index of the answer before.
         */
        index?: string;
        /**
         * How long to wait at most, such as 5m.
         */
        wait?: string;
        /**
         * A replica may answer; without it, and with `consistent`, the primary does.
         */
        stale?: string;
        /**
         * Rights count as they are now, whichever server changed them; without it they may be a second old.
         */
        consistent?: string;
        /**
         * A replica that is not further behind than this may answer, such as 10s.
         */
        max_stale?: string;
    };
    url: '/v1/acl/tokens';
};

export type ListTokensResponses = {
    /**
     * The tokens; SecretID is `<hidden>` without acl:write.
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
         * Write only when the object still has this ModifyIndex; else 409.
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
         * The same rotation sent again with the same key within ten minutes has the same answer.
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
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Write only when the object still has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/token/{accessor}/rotate';
};

export type RotateTokenResponses = {
    /**
     * The token with its new secret.
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
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
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
         * Clients send it; one's own token is shown as it is stored all the same.
         */
        expanded?: string;
        /**
         * Wait until the index of the answer is greater; X-Service-Index of the answer before.
         */
        index?: string;
        /**
         * How long to wait at most, such as 5m.
         */
        wait?: string;
        /**
         * A replica may answer; without it, and with `consistent`, the primary does.
         */
        stale?: string;
        /**
         * Rights count as they are now, whichever server changed them; without it they may be a second old.
         */
        consistent?: string;
        /**
         * A replica that is not further behind than this may answer, such as 10s.
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

export type FindLeakedTokensData = {
    body: FindLeakedTokensBody;
    path?: never;
    query?: never;
    url: '/v1/acl/tokens/leaked';
};

export type FindLeakedTokensResponses = {
    /**
     * Those that live. No secret is in the answer.
     */
    200: FindLeakedTokensAnswer;
};

export type FindLeakedTokensResponse = FindLeakedTokensResponses[keyof FindLeakedTokensResponses];

export type RevokeTokensData = {
    body: RevokeTokensBody;
    path?: never;
    query?: {
        /**
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Say what would be deleted, and delete nothing: true or false.
         */
        preview?: string;
    };
    url: '/v1/acl/tokens/revoke';
};

export type RevokeTokensResponses = {
    /**
     * How far it is.
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
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
    };
    url: '/v1/acl/tokens/revoke/{id}';
};

export type ReadTokenRevocationResponses = {
    /**
     * How far it is.
     */
    200: RevokeTokensAnswer;
};

export type ReadTokenRevocationResponse = ReadTokenRevocationResponses[keyof ReadTokenRevocationResponses];

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
         * Such as `builtin/service`; the slash may stand as it is.
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
         * Such as `builtin/service`; the slash may stand as it is.
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
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Write only when the object still has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/auth-method';
};

export type CreateAuthMethodResponses = {
    /**
     * The auth method; secrets of its configuration are `<hidden>` without acl:write.
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
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Write only when the object still has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/auth-method/{name}';
};

export type DeleteAuthMethodResponses = {
    /**
     * It is gone.
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
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Wait until the index of the answer is greater; X-Service-Index of the answer before.
         */
        index?: string;
        /**
         * How long to wait at most, such as 5m.
         */
        wait?: string;
        /**
         * A replica may answer; without it, and with `consistent`, the primary does.
         */
        stale?: string;
        /**
         * Rights count as they are now, whichever server changed them; without it they may be a second old.
         */
        consistent?: string;
        /**
         * A replica that is not further behind than this may answer, such as 10s.
         */
        max_stale?: string;
    };
    url: '/v1/acl/auth-method/{name}';
};

export type ReadAuthMethodResponses = {
    /**
     * The auth method; secrets of its configuration are `<hidden>` without acl:write.
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
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Write only when the object still has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/auth-method/{name}';
};

export type UpdateAuthMethodResponses = {
    /**
     * The auth method; secrets of its configuration are `<hidden>` without acl:write.
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
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Write only when the object still has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/auth-method/{name}';
};

export type ReplaceAuthMethodResponses = {
    /**
     * The auth method; secrets of its configuration are `<hidden>` without acl:write.
     */
    200: AuthMethod;
};

export type ReplaceAuthMethodResponse = ReplaceAuthMethodResponses[keyof ReplaceAuthMethodResponses];

export type ListAuthMethodsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Namespace to list; that of the token unless it is named, and `*` for all that the caller may read.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * At most so many entries, and fewer where they are long; the header X-Service-Next of the answer leads on.
         */
        'page-size'?: string;
        /**
         * At most so many entries, 1 to 1000, in the order of `sort`; X-Tessera-Next of the answer leads on, and X-Tessera-Total says how many there are.
         */
        limit?: string;
        /**
         * The X-Service-Next of the page before; with `limit`, its X-Tessera-Next.
         */
        after?: string;
        /**
         * Only entries that hold this text, in any case.
         */
        search?: string;
        /**
         * With `limit`: the member to sort by, behind a minus for the other way round.
         */
        sort?: string;
        /**
         * With `limit`: begin at the first entry whose sort value is this or comes after it.
         */
        at?: string;
        /**
         * Wait until the index of the answer is greater; X-Service-Index of the answer before.
         */
        index?: string;
        /**
         * How long to wait at most, such as 5m.
         */
        wait?: string;
        /**
         * A replica may answer; without it, and with `consistent`, the primary does.
         */
        stale?: string;
        /**
         * Rights count as they are now, whichever server changed them; without it they may be a second old.
         */
        consistent?: string;
        /**
         * A replica that is not further behind than this may answer, such as 10s.
         */
        max_stale?: string;
    };
    url: '/v1/acl/auth-methods';
};

export type ListAuthMethodsResponses = {
    /**
     * The auth methods, without their configurations.
     */
    200: Array<ListedAuthMethod>;
};

export type ListAuthMethodsResponse = ListAuthMethodsResponses[keyof ListAuthMethodsResponses];

export type CheckPolicyData = {
    body: PolicyRequest;
    path?: never;
    query?: {
        /**
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Where the policy comes from: consul, consul-community, tessera. What decides otherwise there is warned of.
         */
        from?: string;
    };
    url: '/v1/acl/policy/check';
};

export type CheckPolicyResponses = {
    /**
     * What would be refused, and what does not do what it seems to; both empty when all is well.
     */
    200: CheckPolicyAnswer;
};

export type CheckPolicyResponse = CheckPolicyResponses[keyof CheckPolicyResponses];

export type CheckBindingRuleData = {
    body: BindingRuleToCheckWritable;
    path?: never;
    query?: {
        /**
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
    };
    url: '/v1/acl/binding-rule/check';
};

export type CheckBindingRuleResponses = {
    /**
     * What would be refused, and what does not do what it seems to; both empty when all is well.
     */
    200: CheckPolicyAnswer;
};

export type CheckBindingRuleResponse = CheckBindingRuleResponses[keyof CheckBindingRuleResponses];

export type CheckAuthMethodData = {
    body: AuthMethodRequest;
    path?: never;
    query?: {
        /**
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
    };
    url: '/v1/acl/auth-method/check';
};

export type CheckAuthMethodResponses = {
    /**
     * What would be refused, and what does not do what it seems to; both empty when all is well.
     */
    200: CheckPolicyAnswer;
};

export type CheckAuthMethodResponse = CheckAuthMethodResponses[keyof CheckAuthMethodResponses];

export type CreateBindingRuleData = {
    body: BindingRuleRequest;
    headers?: {
        /**
         * The same creation sent again with the same key answers the first rule.
         */
        'Idempotency-Key'?: string;
    };
    path?: never;
    query?: {
        /**
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Write only when the object still has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/binding-rule';
};

export type CreateBindingRuleResponses = {
    /**
     * The binding rule; without a `Selector` it is for all identities.
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
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Write only when the object still has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/binding-rule/{id}';
};

export type DeleteBindingRuleResponses = {
    /**
     * It is gone.
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
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Wait until the index of the answer is greater; X-Service-Index of the answer before.
         */
        index?: string;
        /**
         * How long to wait at most, such as 5m.
         */
        wait?: string;
        /**
         * A replica may answer; without it, and with `consistent`, the primary does.
         */
        stale?: string;
        /**
         * Rights count as they are now, whichever server changed them; without it they may be a second old.
         */
        consistent?: string;
        /**
         * A replica that is not further behind than this may answer, such as 10s.
         */
        max_stale?: string;
    };
    url: '/v1/acl/binding-rule/{id}';
};

export type ReadBindingRuleResponses = {
    /**
     * The binding rule; without a `Selector` it is for all identities.
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
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Write only when the object still has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/binding-rule/{id}';
};

export type UpdateBindingRuleResponses = {
    /**
     * The binding rule; without a `Selector` it is for all identities.
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
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Write only when the object still has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/acl/binding-rule/{id}';
};

export type ReplaceBindingRuleResponses = {
    /**
     * The binding rule; without a `Selector` it is for all identities.
     */
    200: BindingRule;
};

export type ReplaceBindingRuleResponse = ReplaceBindingRuleResponses[keyof ReplaceBindingRuleResponses];

export type ListBindingRulesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Namespace to list; that of the token unless it is named, and `*` for all that the caller may read.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * At most so many entries, and fewer where they are long; the header X-Service-Next of the answer leads on.
         */
        'page-size'?: string;
        /**
         * At most so many entries, 1 to 1000, in the order of `sort`; X-Tessera-Next of the answer leads on, and X-Tessera-Total says how many there are.
         */
        limit?: string;
        /**
         * The X-Service-Next of the page before; with `limit`, its X-Tessera-Next.
         */
        after?: string;
        /**
         * Only entries that hold this text, in any case.
         */
        search?: string;
        /**
         * With `limit`: the member to sort by, behind a minus for the other way round.
         */
        sort?: string;
        /**
         * With `limit`: begin at the first entry whose sort value is this or comes after it.
         */
        at?: string;
        /**
         * With `limit`: only entries whose ID begins with this, the first 4 characters of a UUID or more.
         */
        'id-prefix'?: string;
        /**
         * Only rules of the auth method with this name, in any case.
         */
        authmethod?: string;
        /**
         * Wait until the index of the answer is greater; X-Service-Index of the answer before.
         */
        index?: string;
        /**
         * How long to wait at most, such as 5m.
         */
        wait?: string;
        /**
         * A replica may answer; without it, and with `consistent`, the primary does.
         */
        stale?: string;
        /**
         * Rights count as they are now, whichever server changed them; without it they may be a second old.
         */
        consistent?: string;
        /**
         * A replica that is not further behind than this may answer, such as 10s.
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

export type LoginData = {
    body: LoginBody;
    path?: never;
    query?: {
        /**
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
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
     * It is gone.
     */
    200: boolean;
};

export type LogoutResponse = LogoutResponses[keyof LogoutResponses];

export type ExplainLoginData = {
    body: ExplainLoginBody;
    path?: never;
    query?: {
        /**
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
    };
    url: '/v1/acl/login/explain';
};

export type ExplainLoginResponses = {
    /**
     * The identity, each binding rule with why it gives what it gives, and the outcome.
     */
    200: LoginExplanation;
};

export type ExplainLoginResponse = ExplainLoginResponses[keyof ExplainLoginResponses];

export type AuthorizeInternallyData = {
    body: QuestionRequest;
    path?: never;
    query?: {
        /**
         * Say which rule of which policy decided; needs acl:read. `false` is as without it.
         */
        explain?: string;
        /**
         * Namespace of the questions that name none; `default` unless it is named.
         */
        ns?: string;
        /**
         * Partition of the questions that name none; `default` unless it is named.
         */
        partition?: string;
    };
    url: '/v1/internal/acl/authorize';
};

export type AuthorizeInternallyResponses = {
    /**
     * The questions in their order, each with its answer.
     */
    200: Array<Decision>;
};

export type AuthorizeInternallyResponse = AuthorizeInternallyResponses[keyof AuthorizeInternallyResponses];

export type AuthorizeData = {
    body: QuestionRequest;
    path?: never;
    query?: {
        /**
         * Say which rule of which policy decided; needs acl:read. `false` is as without it.
         */
        explain?: string;
        /**
         * Namespace of the questions that name none; `default` unless it is named.
         */
        ns?: string;
        /**
         * Partition of the questions that name none; `default` unless it is named.
         */
        partition?: string;
    };
    url: '/v1/acl/authorize';
};

export type AuthorizeResponses = {
    /**
     * The questions in their order, each with its answer.
     */
    200: Array<Decision>;
};

export type AuthorizeResponse = AuthorizeResponses[keyof AuthorizeResponses];

export type ExplainDecisionsData = {
    body: ExplainDecisionsBody;
    path?: never;
    query?: {
        /**
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
    };
    url: '/v1/acl/explain';
};

export type ExplainDecisionsResponses = {
    /**
     * Who was asked about, and the questions in their order, each with its answer and the path that led to it.
     */
    200: ExplainDecisionsAnswer;
};

export type ExplainDecisionsResponse = ExplainDecisionsResponses[keyof ExplainDecisionsResponses];

export type ExplainRefusalData = {
    body?: never;
    path: {
        /**
         * X-Request-Id of the answer.
         */
        request_id: string;
    };
    query?: {
        /**
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
    };
    url: '/v1/acl/why/{request_id}';
};

export type ExplainRefusalResponses = {
    /**
     * The request, what it was refused, and how that is decided now.
     */
    200: ExplainRefusalAnswer;
};

export type ExplainRefusalResponse = ExplainRefusalResponses[keyof ExplainRefusalResponses];

export type ListAccessData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * What is asked for, such as `workspace`.
         */
        resource?: string;
        /**
         * Its name, such as `acme/prod`.
         */
        segment?: string;
        /**
         * `read`, `write` or what else the resource has.
         */
        access?: string;
        /**
         * Only `role`, `binding-rule` or `token`.
         */
        kind?: string;
        /**
         * At most so many entries, 100 unless it says otherwise; the header X-Service-Next of the answer leads on.
         */
        'page-size'?: string;
        /**
         * The X-Service-Next of the page before.
         */
        after?: string;
    };
    url: '/v1/acl/access';
};

export type ListAccessResponses = {
    /**
     * Who may: roles, then binding rules with their condition, then tokens.
     */
    200: Array<ListAccessEntry>;
};

export type ListAccessResponse = ListAccessResponses[keyof ListAccessResponses];

export type PreviewEffectData = {
    body: EffectBodyWritable;
    path?: never;
    query?: {
        /**
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Only `role`, `binding-rule` or `token`.
         */
        kind?: string;
        /**
         * At most so many entries, 100 unless it says otherwise; the header X-Service-Next of the answer leads on.
         */
        'page-size'?: string;
        /**
         * The X-Service-Next of the page before.
         */
        after?: string;
    };
    url: '/v1/acl/effect';
};

export type PreviewEffectResponses = {
    /**
     * How many gain and lose something, of those that the caller may read, and a page of them.
     */
    200: PreviewEffectAnswer;
};

export type PreviewEffectResponse = PreviewEffectResponses[keyof PreviewEffectResponses];

export type ListUsesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
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
     * What uses it, of what the caller may see.
     */
    200: ListUsesAnswer;
};

export type ListUsesResponse = ListUsesResponses[keyof ListUsesResponses];

export type ReadOverviewData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
    };
    url: '/v1/acl/overview';
};

export type ReadOverviewResponses = {
    /**
     * What there is, of what the caller may see.
     */
    200: ReadOverviewAnswer;
};

export type ReadOverviewResponse = ReadOverviewResponses[keyof ReadOverviewResponses];

export type CreateNamespaceData = {
    body: NamespaceRequest;
    path?: never;
    query?: {
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Write only when the object still has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/namespace';
};

export type CreateNamespaceResponses = {
    /**
     * The namespace; `DeletedAt` is there once it is marked for deletion.
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
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Write only when the object still has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/namespace/{name}';
};

export type DeleteNamespaceResponses = {
    /**
     * It is gone where it held nothing, else marked for deletion; the body is empty.
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
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Wait until the index of the answer is greater; X-Service-Index of the answer before.
         */
        index?: string;
        /**
         * How long to wait at most, such as 5m.
         */
        wait?: string;
        /**
         * A replica may answer; without it, and with `consistent`, the primary does.
         */
        stale?: string;
        /**
         * Rights count as they are now, whichever server changed them; without it they may be a second old.
         */
        consistent?: string;
        /**
         * A replica that is not further behind than this may answer, such as 10s.
         */
        max_stale?: string;
    };
    url: '/v1/namespace/{name}';
};

export type ReadNamespaceResponses = {
    /**
     * The namespace; `DeletedAt` is there once it is marked for deletion.
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
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Write only when the object still has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/namespace/{name}';
};

export type UpdateNamespaceResponses = {
    /**
     * The namespace; `DeletedAt` is there once it is marked for deletion.
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
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * Write only when the object still has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/namespace/{name}';
};

export type ReplaceNamespaceResponses = {
    /**
     * The namespace; `DeletedAt` is there once it is marked for deletion.
     */
    200: Namespace;
};

export type ReplaceNamespaceResponse = ReplaceNamespaceResponses[keyof ReplaceNamespaceResponses];

export type ListNamespacesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * At most so many entries, and fewer where they are long; the header X-Service-Next of the answer leads on.
         */
        'page-size'?: string;
        /**
         * At most so many entries, 1 to 1000, in the order of `sort`; X-Tessera-Next of the answer leads on, and X-Tessera-Total says how many there are.
         */
        limit?: string;
        /**
         * The X-Service-Next of the page before; with `limit`, its X-Tessera-Next.
         */
        after?: string;
        /**
         * Only entries that hold this text, in any case.
         */
        search?: string;
        /**
         * With `limit`: the member to sort by, behind a minus for the other way round.
         */
        sort?: string;
        /**
         * With `limit`: begin at the first entry whose sort value is this or comes after it.
         */
        at?: string;
        /**
         * Wait until the index of the answer is greater; X-Service-Index of the answer before.
         */
        index?: string;
        /**
         * How long to wait at most, such as 5m.
         */
        wait?: string;
        /**
         * A replica may answer; without it, and with `consistent`, the primary does.
         */
        stale?: string;
        /**
         * Rights count as they are now, whichever server changed them; without it they may be a second old.
         */
        consistent?: string;
        /**
         * A replica that is not further behind than this may answer, such as 10s.
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
         * Write only when the object still has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/partition';
};

export type CreatePartitionResponses = {
    /**
     * The partition; `DeletedAt` is there once it is marked for deletion.
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
         * Write only when the object still has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/partition/{name}';
};

export type DeletePartitionResponses = {
    /**
     * It is gone where it held nothing, else marked for deletion; the body is empty.
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
         * Wait until the index of the answer is greater; X-Service-Index of the answer before.
         */
        index?: string;
        /**
         * How long to wait at most, such as 5m.
         */
        wait?: string;
        /**
         * A replica may answer; without it, and with `consistent`, the primary does.
         */
        stale?: string;
        /**
         * Rights count as they are now, whichever server changed them; without it they may be a second old.
         */
        consistent?: string;
        /**
         * A replica that is not further behind than this may answer, such as 10s.
         */
        max_stale?: string;
    };
    url: '/v1/partition/{name}';
};

export type ReadPartitionResponses = {
    /**
     * The partition; `DeletedAt` is there once it is marked for deletion.
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
         * Write only when the object still has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/partition/{name}';
};

export type UpdatePartitionResponses = {
    /**
     * The partition; `DeletedAt` is there once it is marked for deletion.
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
         * Write only when the object still has this ModifyIndex; else 409.
         */
        cas?: string;
    };
    url: '/v1/partition/{name}';
};

export type ReplacePartitionResponses = {
    /**
     * The partition; `DeletedAt` is there once it is marked for deletion.
     */
    200: Partition;
};

export type ReplacePartitionResponse = ReplacePartitionResponses[keyof ReplacePartitionResponses];

export type ListPartitionsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * At most so many entries, and fewer where they are long; the header X-Service-Next of the answer leads on.
         */
        'page-size'?: string;
        /**
         * At most so many entries, 1 to 1000, in the order of `sort`; X-Tessera-Next of the answer leads on, and X-Tessera-Total says how many there are.
         */
        limit?: string;
        /**
         * The X-Service-Next of the page before; with `limit`, its X-Tessera-Next.
         */
        after?: string;
        /**
         * Only entries that hold this text, in any case.
         */
        search?: string;
        /**
         * With `limit`: the member to sort by, behind a minus for the other way round.
         */
        sort?: string;
        /**
         * With `limit`: begin at the first entry whose sort value is this or comes after it.
         */
        at?: string;
        /**
         * Wait until the index of the answer is greater; X-Service-Index of the answer before.
         */
        index?: string;
        /**
         * How long to wait at most, such as 5m.
         */
        wait?: string;
        /**
         * A replica may answer; without it, and with `consistent`, the primary does.
         */
        stale?: string;
        /**
         * Rights count as they are now, whichever server changed them; without it they may be a second old.
         */
        consistent?: string;
        /**
         * A replica that is not further behind than this may answer, such as 10s.
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
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
    };
    url: '/v1/acl/oidc/auth-url';
};

export type MakeOidcAuthUrlResponses = {
    /**
     * Where the browser of who logs in has to go.
     */
    200: MakeOidcAuthUrlAnswer;
};

export type MakeOidcAuthUrlResponse = MakeOidcAuthUrlResponses[keyof MakeOidcAuthUrlResponses];

export type FinishOidcLoginData = {
    body: FinishOidcLoginBody;
    path?: never;
    query?: {
        /**
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
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
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
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
         * Names with commas between them, of auth-methods, binding-rules, declarations, namespaces, policies, roles, tokens; all when left out.
         */
        topics?: string;
    };
    url: '/v1/events';
};

export type StreamEventsResponses = {
    /**
     * The stream; Last-Event-ID in the request makes it go on behind that event.
     */
    200: string;
};

export type StreamEventsResponse = StreamEventsResponses[keyof StreamEventsResponses];

export type ListAuditData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Namespace to list; that of the token unless it is named, and `*` for all that the caller may read.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
         */
        partition?: string;
        /**
         * At most so many entries, and fewer where they are long; the header X-Service-Next of the answer leads on.
         */
        'page-size'?: string;
        /**
         * At most so many entries, 1 to 1000, in the order of `sort`; X-Tessera-Next of the answer leads on, and X-Tessera-Total says how many there are.
         */
        limit?: string;
        /**
         * The X-Service-Next of the page before; with `limit`, its X-Tessera-Next.
         */
        after?: string;
        /**
         * Only entries that hold this text, in any case.
         */
        search?: string;
        /**
         * With `limit`: the member to sort by, behind a minus for the other way round.
         */
        sort?: string;
        /**
         * With `limit`: begin at the first entry whose sort value is this or comes after it.
         */
        at?: string;
        /**
         * AccessorID of the token that did it.
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
         * What was done, such as create, update, delete or login.
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
         * Wait until the index of the answer is greater; X-Service-Index of the answer before.
         */
        index?: string;
        /**
         * How long to wait at most, such as 5m.
         */
        wait?: string;
        /**
         * A replica may answer; without it, and with `consistent`, the primary does.
         */
        stale?: string;
        /**
         * Rights count as they are now, whichever server changed them; without it they may be a second old.
         */
        consistent?: string;
        /**
         * A replica that is not further behind than this may answer, such as 10s.
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

export type EvaluateAccessData = {
    /**
     * Subject: `token`, `role` or `identity`, and its ID. Resource: as in policy rules, such as `key`, and its name.
     */
    body: EvaluationRequest;
    path?: never;
    query?: {
        /**
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
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
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
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
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
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
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
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
         * Namespace in which to work; that of the token unless it is named.
         */
        ns?: string;
        /**
         * Partition in which to work; that of the token unless it is named.
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

/** What each operation takes and answers. */
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
    listSessions: { takes: ListSessionsData; answers: ListSessionsResponses };
    endSession: { takes: EndSessionData; answers: EndSessionResponses };
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
    findLeakedTokens: { takes: FindLeakedTokensData; answers: FindLeakedTokensResponses };
    revokeTokens: { takes: RevokeTokensData; answers: RevokeTokensResponses };
    readTokenRevocation: { takes: ReadTokenRevocationData; answers: ReadTokenRevocationResponses };
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
    login: { takes: LoginData; answers: LoginResponses };
    logout: { takes: LogoutData; answers: LogoutResponses };
    explainLogin: { takes: ExplainLoginData; answers: ExplainLoginResponses };
    authorizeInternally: { takes: AuthorizeInternallyData; answers: AuthorizeInternallyResponses };
    authorize: { takes: AuthorizeData; answers: AuthorizeResponses };
    explainDecisions: { takes: ExplainDecisionsData; answers: ExplainDecisionsResponses };
    explainRefusal: { takes: ExplainRefusalData; answers: ExplainRefusalResponses };
    listAccess: { takes: ListAccessData; answers: ListAccessResponses };
    previewEffect: { takes: PreviewEffectData; answers: PreviewEffectResponses };
    listUses: { takes: ListUsesData; answers: ListUsesResponses };
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
    listAudit: { takes: ListAuditData; answers: ListAuditResponses };
    evaluateAccess: { takes: EvaluateAccessData; answers: EvaluateAccessResponses };
    evaluateAccessInBatch: { takes: EvaluateAccessInBatchData; answers: EvaluateAccessInBatchResponses };
    searchSubjects: { takes: SearchSubjectsData; answers: SearchSubjectsResponses };
    searchResources: { takes: SearchResourcesData; answers: SearchResourcesResponses };
    searchActions: { takes: SearchActionsData; answers: SearchActionsResponses };
}
