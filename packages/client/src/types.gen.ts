// Made by `npm run generate:client` from the server's own document; do not edit.
// Structure: 18451ac0a879b70b761baec3a96eced3

export type ClientOptions = {
    baseUrl: `${string}://${string}` | (string & {});
};

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
    query?: never;
    url: '/readyz';
};

export type GetReadinessResponses = {
    /**
     * Storage answers, and a write succeeded in the last 10 s.
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
    200: {
        'tfe.v2': string;
        'tfe.v2.1': string;
        'tfe.v2.2': string;
    };
};

export type DiscoverServicesResponse = DiscoverServicesResponses[keyof DiscoverServicesResponses];

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
    200: {
        data: {
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
            relationships: {
                [key: string]: unknown;
            };
            links: {
                self: string;
            };
        };
    };
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
    200: {
        data: Array<{
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
                permissions: {
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
            };
            relationships: {
                'default-project': {
                    data: {
                        id: string;
                        type: 'projects';
                    };
                };
                'default-agent-pool': {
                    data: null;
                };
                'entitlement-set': {
                    data: {
                        id: string;
                        type: 'entitlement-sets';
                    };
                    links: {
                        related: string;
                    };
                };
                subscription: {
                    links: {
                        related: string;
                    };
                };
                'oauth-tokens': {
                    links: {
                        related: string;
                    };
                };
                'authentication-token': {
                    links: {
                        related: string;
                    };
                };
            };
            links: {
                self: string;
            };
        }>;
        links?: {
            self: string;
            first: string;
            prev: string | null;
            next: string | null;
            last: string;
        };
        meta?: {
            pagination: {
                'current-page': number;
                'page-size': number;
                'prev-page': number | null;
                'next-page': number | null;
                'total-pages': number;
                'total-count': number;
            };
        };
    };
};

export type ListOrganizationsResponse = ListOrganizationsResponses[keyof ListOrganizationsResponses];

export type CreateOrganizationData = {
    body: {
        data: {
            type: 'organizations';
            id?: string;
            attributes: {
                /**
                 * Letters, digits, hyphens and underscores, 90 at most. Unique in any case.
                 */
                name: string;
                email: string;
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
            relationships?: {
                /**
                 * Refused unless null, because there are no agents.
                 */
                'default-agent-pool'?: {
                    data?: {
                        type: string;
                        id: string;
                    } | null;
                };
            };
        };
    };
    path?: never;
    query?: never;
    url: '/api/v2/organizations';
};

export type CreateOrganizationResponses = {
    /**
     * The organization.
     */
    201: {
        data: {
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
                permissions: {
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
            };
            relationships: {
                'default-project': {
                    data: {
                        id: string;
                        type: 'projects';
                    };
                };
                'default-agent-pool': {
                    data: null;
                };
                'entitlement-set': {
                    data: {
                        id: string;
                        type: 'entitlement-sets';
                    };
                    links: {
                        related: string;
                    };
                };
                subscription: {
                    links: {
                        related: string;
                    };
                };
                'oauth-tokens': {
                    links: {
                        related: string;
                    };
                };
                'authentication-token': {
                    links: {
                        related: string;
                    };
                };
            };
            links: {
                self: string;
            };
        };
        included?: Array<{
            id: string;
            type: string;
            attributes: {
                [key: string]: unknown;
            };
            [key: string]: unknown;
        }>;
    };
};

export type CreateOrganizationResponse = CreateOrganizationResponses[keyof CreateOrganizationResponses];

export type DeleteOrganizationData = {
    body?: never;
    path: {
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
        organization_name: string;
    };
    query?: {
        /**
         * default_project, entitlement_set.
         */
        include?: string;
    };
    url: '/api/v2/organizations/{organization_name}';
};

export type ReadOrganizationResponses = {
    /**
     * The organization.
     */
    200: {
        data: {
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
                permissions: {
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
            };
            relationships: {
                'default-project': {
                    data: {
                        id: string;
                        type: 'projects';
                    };
                };
                'default-agent-pool': {
                    data: null;
                };
                'entitlement-set': {
                    data: {
                        id: string;
                        type: 'entitlement-sets';
                    };
                    links: {
                        related: string;
                    };
                };
                subscription: {
                    links: {
                        related: string;
                    };
                };
                'oauth-tokens': {
                    links: {
                        related: string;
                    };
                };
                'authentication-token': {
                    links: {
                        related: string;
                    };
                };
            };
            links: {
                self: string;
            };
        };
        included?: Array<{
            id: string;
            type: string;
            attributes: {
                [key: string]: unknown;
            };
            [key: string]: unknown;
        }>;
    };
};

export type ReadOrganizationResponse = ReadOrganizationResponses[keyof ReadOrganizationResponses];

export type UpdateOrganizationData = {
    body: {
        data: {
            type: 'organizations';
            id?: string;
            attributes?: {
                /**
                 * Letters, digits, hyphens and underscores, 90 at most. Unique in any case.
                 */
                name?: string | null;
                email?: string | null;
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
            relationships?: {
                /**
                 * Refused unless null, because there are no agents.
                 */
                'default-agent-pool'?: {
                    data?: {
                        type: string;
                        id: string;
                    } | null;
                };
            };
        };
    };
    path: {
        organization_name: string;
    };
    query?: never;
    url: '/api/v2/organizations/{organization_name}';
};

export type UpdateOrganizationResponses = {
    /**
     * The organization.
     */
    200: {
        data: {
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
                permissions: {
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
            };
            relationships: {
                'default-project': {
                    data: {
                        id: string;
                        type: 'projects';
                    };
                };
                'default-agent-pool': {
                    data: null;
                };
                'entitlement-set': {
                    data: {
                        id: string;
                        type: 'entitlement-sets';
                    };
                    links: {
                        related: string;
                    };
                };
                subscription: {
                    links: {
                        related: string;
                    };
                };
                'oauth-tokens': {
                    links: {
                        related: string;
                    };
                };
                'authentication-token': {
                    links: {
                        related: string;
                    };
                };
            };
            links: {
                self: string;
            };
        };
        included?: Array<{
            id: string;
            type: string;
            attributes: {
                [key: string]: unknown;
            };
            [key: string]: unknown;
        }>;
    };
};

export type UpdateOrganizationResponse = UpdateOrganizationResponses[keyof UpdateOrganizationResponses];

export type ReplaceOrganizationData = {
    body: {
        data: {
            type: 'organizations';
            id?: string;
            attributes?: {
                /**
                 * Letters, digits, hyphens and underscores, 90 at most. Unique in any case.
                 */
                name?: string | null;
                email?: string | null;
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
            relationships?: {
                /**
                 * Refused unless null, because there are no agents.
                 */
                'default-agent-pool'?: {
                    data?: {
                        type: string;
                        id: string;
                    } | null;
                };
            };
        };
    };
    path: {
        organization_name: string;
    };
    query?: never;
    url: '/api/v2/organizations/{organization_name}';
};

export type ReplaceOrganizationResponses = {
    /**
     * The organization.
     */
    200: {
        data: {
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
                permissions: {
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
            };
            relationships: {
                'default-project': {
                    data: {
                        id: string;
                        type: 'projects';
                    };
                };
                'default-agent-pool': {
                    data: null;
                };
                'entitlement-set': {
                    data: {
                        id: string;
                        type: 'entitlement-sets';
                    };
                    links: {
                        related: string;
                    };
                };
                subscription: {
                    links: {
                        related: string;
                    };
                };
                'oauth-tokens': {
                    links: {
                        related: string;
                    };
                };
                'authentication-token': {
                    links: {
                        related: string;
                    };
                };
            };
            links: {
                self: string;
            };
        };
        included?: Array<{
            id: string;
            type: string;
            attributes: {
                [key: string]: unknown;
            };
            [key: string]: unknown;
        }>;
    };
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
        organization_name: string;
    };
    query?: never;
    url: '/api/v2/organizations/{organization_name}/entitlement-set';
};

export type ReadEntitlementSetResponses = {
    /**
     * What the organization may use.
     */
    200: {
        data: {
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
            links: {
                self: string;
            };
        };
    };
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
         * true: one of the keys is enough.
         */
        'filter[tag-union]'?: string;
        /**
         * true: a key without a value asks for the key without one.
         */
        'filter[tag-value-default-null]'?: string;
        /**
         * name, or -name for the other way round; others are passed over.
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
    200: {
        data: Array<{
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
                organization: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'default-agent-pool': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'tag-bindings': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'effective-tag-bindings': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
            };
            links: {
                self: string;
            };
        }>;
        included?: Array<{
            id: string;
            type: string;
            attributes: {
                [key: string]: unknown;
            };
            [key: string]: unknown;
        }>;
        links: {
            self: string;
            first: string;
            prev: string | null;
            next: string | null;
            last: string;
        };
        meta: {
            pagination: {
                'current-page': number;
                'page-size': number;
                'prev-page': number | null;
                'next-page': number | null;
                'total-pages': number;
                'total-count': number;
            };
        };
    };
};

export type ListProjectsResponse = ListProjectsResponses[keyof ListProjectsResponses];

export type CreateProjectData = {
    body: {
        data: {
            type: 'projects';
            id?: string;
            attributes: {
                /**
                 * Letters, digits, blanks, hyphens and underscores, 3 to 40, no blank at either end. Unique in any case.
                 */
                name: string;
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
                 * Hours or days, such as 36h or 14d. Echoed.
                 */
                'auto-destroy-activity-duration'?: string | null;
                /**
                 * Refused unless null, because there are no agents.
                 */
                'default-agent-pool-id'?: string | null;
            };
            relationships?: {
                /**
                 * Refused unless null, because there are no agents.
                 */
                'default-agent-pool'?: {
                    data?: {
                        type: string;
                        id: string;
                    } | null;
                };
                'tag-bindings'?: {
                    data: Array<{
                        type: 'tag-bindings';
                        id?: string;
                        attributes: {
                            /**
                             * At most 128 letters, digits and _ . = + - @ :
                             */
                            key: string;
                            /**
                             * At most 256 of the same characters; empty unless given.
                             */
                            value?: string | null;
                        };
                    }>;
                };
            };
        };
    };
    path: {
        organization_name: string;
    };
    query?: never;
    url: '/api/v2/organizations/{organization_name}/projects';
};

export type CreateProjectResponses = {
    /**
     * The project, and rules for tags that it breaks.
     */
    201: {
        data: {
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
                organization: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'default-agent-pool': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'tag-bindings': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'effective-tag-bindings': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
            };
            links: {
                self: string;
            };
        };
        /**
         * Rules that this breaks, if any.
         */
        meta?: {
            warnings?: Array<{
                rule: string;
                detail: string;
            }>;
        };
    };
};

export type CreateProjectResponse = CreateProjectResponses[keyof CreateProjectResponses];

export type DeleteProjectData = {
    body?: never;
    path: {
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
    200: {
        data: {
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
                organization: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'default-agent-pool': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'tag-bindings': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'effective-tag-bindings': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
            };
            links: {
                self: string;
            };
        };
        included?: Array<{
            id: string;
            type: string;
            attributes: {
                [key: string]: unknown;
            };
            [key: string]: unknown;
        }>;
    };
};

export type ReadProjectResponse = ReadProjectResponses[keyof ReadProjectResponses];

export type UpdateProjectData = {
    body: {
        data: {
            type: 'projects';
            id?: string;
            attributes?: {
                /**
                 * Letters, digits, blanks, hyphens and underscores, 3 to 40, no blank at either end. Unique in any case.
                 */
                name?: string | null;
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
                 * Hours or days, such as 36h or 14d. Echoed.
                 */
                'auto-destroy-activity-duration'?: string | null;
                /**
                 * Refused unless null, because there are no agents.
                 */
                'default-agent-pool-id'?: string | null;
            };
            relationships?: {
                /**
                 * Refused unless null, because there are no agents.
                 */
                'default-agent-pool'?: {
                    data?: {
                        type: string;
                        id: string;
                    } | null;
                };
                'tag-bindings'?: {
                    data: Array<{
                        type: 'tag-bindings';
                        id?: string;
                        attributes: {
                            /**
                             * At most 128 letters, digits and _ . = + - @ :
                             */
                            key: string;
                            /**
                             * At most 256 of the same characters; empty unless given.
                             */
                            value?: string | null;
                        };
                    }>;
                };
            };
        };
    };
    path: {
        project_id: string;
    };
    query?: never;
    url: '/api/v2/projects/{project_id}';
};

export type UpdateProjectResponses = {
    /**
     * The project, and rules for tags that it breaks.
     */
    200: {
        data: {
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
                organization: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'default-agent-pool': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'tag-bindings': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'effective-tag-bindings': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
            };
            links: {
                self: string;
            };
        };
        /**
         * Rules that this breaks, if any.
         */
        meta?: {
            warnings?: Array<{
                rule: string;
                detail: string;
            }>;
        };
    };
};

export type UpdateProjectResponse = UpdateProjectResponses[keyof UpdateProjectResponses];

export type MoveWorkspacesData = {
    body: {
        data: Array<{
            type: 'workspaces';
            id: string;
        }>;
    };
    path: {
        project_id: string;
    };
    query?: never;
    url: '/api/v2/projects/{project_id}/relationships/workspaces';
};

export type MoveWorkspacesResponses = {
    /**
     * Done; and what was written breaks rules.
     */
    200: {
        /**
         * Rules that this breaks, if any.
         */
        meta?: {
            warnings?: Array<{
                rule: string;
                detail: string;
            }>;
        };
    };
    /**
     * All of them are in the project now.
     */
    204: void;
};

export type MoveWorkspacesResponse = MoveWorkspacesResponses[keyof MoveWorkspacesResponses];

export type DeleteTagsData = {
    body: {
        data: Array<{
            type: 'tags';
            id: string;
        }>;
    };
    path: {
        organization_name: string;
    };
    query?: never;
    url: '/api/v2/organizations/{organization_name}/tags';
};

export type DeleteTagsResponses = {
    /**
     * Done; and what was written breaks rules.
     */
    200: {
        /**
         * Rules that this breaks, if any.
         */
        meta?: {
            warnings?: Array<{
                rule: string;
                detail: string;
            }>;
        };
    };
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
         * Id of a workspace; the tags that it carries are left out.
         */
        'filter[exclude][taggable][id]'?: string;
        /**
         * true: tags that neither a workspace nor a project has; false: all others.
         */
        'filter[unused]'?: string;
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
    200: {
        data: Array<{
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
            relationships: {
                organization: {
                    data: {
                        /**
                         * The organization's name.
                         */
                        id: string;
                        type: 'organizations';
                    };
                };
            };
        }>;
        links: {
            self: string;
            first: string;
            prev: string | null;
            next: string | null;
            last: string;
        };
        meta: {
            pagination: {
                'current-page': number;
                'page-size': number;
                'prev-page': number | null;
                'next-page': number | null;
                'total-pages': number;
                'total-count': number;
            };
        };
    };
};

export type ListTagsResponse = ListTagsResponses[keyof ListTagsResponses];

export type CreateTagsData = {
    body: {
        data: Array<{
            type: 'tags';
            attributes: {
                name: string;
            };
        }>;
    };
    path: {
        organization_name: string;
    };
    query?: never;
    url: '/api/v2/organizations/{organization_name}/tags';
};

export type CreateTagsResponses = {
    /**
     * The tags, new or not, in the order of the request.
     */
    201: {
        data: Array<{
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
            relationships: {
                organization: {
                    data: {
                        /**
                         * The organization's name.
                         */
                        id: string;
                        type: 'organizations';
                    };
                };
            };
        }>;
        /**
         * Rules that this breaks, if any.
         */
        meta?: {
            warnings?: Array<{
                rule: string;
                detail: string;
            }>;
        };
    };
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
        tag_id: string;
    };
    query?: never;
    url: '/api/v2/tags/{tag_id}';
};

export type ReadTagResponses = {
    /**
     * The tag.
     */
    200: {
        data: {
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
            relationships: {
                organization: {
                    data: {
                        /**
                         * The organization's name.
                         */
                        id: string;
                        type: 'organizations';
                    };
                };
            };
        };
    };
};

export type ReadTagResponse = ReadTagResponses[keyof ReadTagResponses];

export type RenameTagData = {
    body: {
        data: {
            type: 'tags';
            id?: string;
            attributes?: {
                name?: string;
            };
        };
    };
    path: {
        tag_id: string;
    };
    query?: never;
    url: '/api/v2/tags/{tag_id}';
};

export type RenameTagResponses = {
    /**
     * The tag.
     */
    200: {
        data: {
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
            relationships: {
                organization: {
                    data: {
                        /**
                         * The organization's name.
                         */
                        id: string;
                        type: 'organizations';
                    };
                };
            };
        };
        /**
         * Rules that this breaks, if any.
         */
        meta?: {
            warnings?: Array<{
                rule: string;
                detail: string;
            }>;
        };
    };
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
    200: {
        data: Array<{
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
        }>;
        links: {
            self: string;
            first: string;
            prev: string | null;
            next: string | null;
            last: string;
        };
        meta: {
            pagination: {
                'current-page': number;
                'page-size': number;
                'prev-page': number | null;
                'next-page': number | null;
                'total-pages': number;
                'total-count': number;
            };
            'is-complete': boolean;
        };
    };
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
         * organization, project, locked_by, effective_tag_bindings.
         */
        include?: string;
    };
    url: '/api/v2/organizations/{organization_name}/workspaces';
};

export type ListWorkspacesResponses = {
    /**
     * A page of workspaces.
     */
    200: {
        data: Array<{
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
                organization: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                project: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'agent-pool': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'current-configuration-version': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'current-run': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'current-state-version': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'latest-run': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'locked-by': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                outputs: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                readme: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'ssh-key': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                vars: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'effective-tag-bindings': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'remote-state-consumers': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'tag-bindings': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
            };
            links: {
                self: string;
                'self-html': string;
            };
        }>;
        included?: Array<{
            id: string;
            type: string;
            attributes: {
                [key: string]: unknown;
            };
            [key: string]: unknown;
        }>;
        links: {
            self: string;
            first: string;
            prev: string | null;
            next: string | null;
            last: string;
        };
        meta: {
            pagination: {
                'current-page': number;
                'page-size': number;
                'prev-page': number | null;
                'next-page': number | null;
                'total-pages': number;
                'total-count': number;
            };
        };
    };
};

export type ListWorkspacesResponse = ListWorkspacesResponses[keyof ListWorkspacesResponses];

export type CreateWorkspaceData = {
    body: {
        data: {
            type: 'workspaces';
            id?: string;
            attributes?: {
                name?: string;
            } & {
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
                    data: {
                        type: 'projects';
                        id: string;
                    } | null;
                };
                tags?: {
                    data: Array<(unknown | {
                        attributes: unknown;
                    }) & {
                        type: 'tags';
                        id?: string;
                        attributes?: {
                            name?: string;
                        };
                    }>;
                };
                'tag-bindings'?: {
                    data: Array<{
                        type: 'tag-bindings';
                        id?: string;
                        attributes: {
                            /**
                             * At most 128 letters, digits and _ . = + - @ :
                             */
                            key: string;
                            /**
                             * At most 256 of the same characters; empty unless given.
                             */
                            value?: string | null;
                        };
                    }>;
                };
            };
        };
    };
    path: {
        organization_name: string;
    };
    query?: never;
    url: '/api/v2/organizations/{organization_name}/workspaces';
};

export type CreateWorkspaceResponses = {
    /**
     * The workspace, and rules for tags that it breaks.
     */
    201: {
        data: {
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
                organization: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                project: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'agent-pool': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'current-configuration-version': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'current-run': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'current-state-version': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'latest-run': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'locked-by': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                outputs: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                readme: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'ssh-key': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                vars: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'effective-tag-bindings': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'remote-state-consumers': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'tag-bindings': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
            };
            links: {
                self: string;
                'self-html': string;
            };
        };
        /**
         * Rules that this breaks, if any.
         */
        meta?: {
            warnings?: Array<{
                rule: string;
                detail: string;
            }>;
        };
    };
};

export type CreateWorkspaceResponse = CreateWorkspaceResponses[keyof CreateWorkspaceResponses];

export type DeleteWorkspaceData = {
    body?: never;
    path: {
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
        workspace_id: string;
    };
    query?: {
        /**
         * organization, project, locked_by, effective_tag_bindings.
         */
        include?: string;
    };
    url: '/api/v2/workspaces/{workspace_id}';
};

export type ReadWorkspaceResponses = {
    /**
     * The workspace.
     */
    200: {
        data: {
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
                organization: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                project: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'agent-pool': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'current-configuration-version': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'current-run': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'current-state-version': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'latest-run': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'locked-by': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                outputs: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                readme: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'ssh-key': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                vars: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'effective-tag-bindings': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'remote-state-consumers': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'tag-bindings': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
            };
            links: {
                self: string;
                'self-html': string;
            };
        };
        included?: Array<{
            id: string;
            type: string;
            attributes: {
                [key: string]: unknown;
            };
            [key: string]: unknown;
        }>;
    };
};

export type ReadWorkspaceResponse = ReadWorkspaceResponses[keyof ReadWorkspaceResponses];

export type UpdateWorkspaceData = {
    body: {
        data: {
            type: 'workspaces';
            id?: string;
            attributes?: {
                name?: string;
            } & {
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
                    data: {
                        type: 'projects';
                        id: string;
                    } | null;
                };
                tags?: {
                    data: Array<(unknown | {
                        attributes: unknown;
                    }) & {
                        type: 'tags';
                        id?: string;
                        attributes?: {
                            name?: string;
                        };
                    }>;
                };
                'tag-bindings'?: {
                    data: Array<{
                        type: 'tag-bindings';
                        id?: string;
                        attributes: {
                            /**
                             * At most 128 letters, digits and _ . = + - @ :
                             */
                            key: string;
                            /**
                             * At most 256 of the same characters; empty unless given.
                             */
                            value?: string | null;
                        };
                    }>;
                };
            };
        };
    };
    path: {
        workspace_id: string;
    };
    query?: never;
    url: '/api/v2/workspaces/{workspace_id}';
};

export type UpdateWorkspaceResponses = {
    /**
     * The workspace, and rules for tags that it breaks.
     */
    200: {
        data: {
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
                organization: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                project: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'agent-pool': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'current-configuration-version': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'current-run': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'current-state-version': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'latest-run': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'locked-by': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                outputs: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                readme: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'ssh-key': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                vars: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'effective-tag-bindings': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'remote-state-consumers': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'tag-bindings': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
            };
            links: {
                self: string;
                'self-html': string;
            };
        };
        /**
         * Rules that this breaks, if any.
         */
        meta?: {
            warnings?: Array<{
                rule: string;
                detail: string;
            }>;
        };
    };
};

export type UpdateWorkspaceResponse = UpdateWorkspaceResponses[keyof UpdateWorkspaceResponses];

export type SafeDeleteWorkspaceData = {
    body?: never;
    path: {
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
    body?: never;
    path: {
        organization_name: string;
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
        organization_name: string;
        workspace_name: string;
    };
    query?: {
        /**
         * organization, project, locked_by, effective_tag_bindings.
         */
        include?: string;
    };
    url: '/api/v2/organizations/{organization_name}/workspaces/{workspace_name}';
};

export type ReadWorkspaceByNameResponses = {
    /**
     * The workspace.
     */
    200: {
        data: {
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
                organization: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                project: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'agent-pool': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'current-configuration-version': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'current-run': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'current-state-version': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'latest-run': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'locked-by': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                outputs: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                readme: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'ssh-key': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                vars: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'effective-tag-bindings': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'remote-state-consumers': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'tag-bindings': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
            };
            links: {
                self: string;
                'self-html': string;
            };
        };
        included?: Array<{
            id: string;
            type: string;
            attributes: {
                [key: string]: unknown;
            };
            [key: string]: unknown;
        }>;
    };
};

export type ReadWorkspaceByNameResponse = ReadWorkspaceByNameResponses[keyof ReadWorkspaceByNameResponses];

export type UpdateWorkspaceByNameData = {
    body: {
        data: {
            type: 'workspaces';
            id?: string;
            attributes?: {
                name?: string;
            } & {
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
                    data: {
                        type: 'projects';
                        id: string;
                    } | null;
                };
                tags?: {
                    data: Array<(unknown | {
                        attributes: unknown;
                    }) & {
                        type: 'tags';
                        id?: string;
                        attributes?: {
                            name?: string;
                        };
                    }>;
                };
                'tag-bindings'?: {
                    data: Array<{
                        type: 'tag-bindings';
                        id?: string;
                        attributes: {
                            /**
                             * At most 128 letters, digits and _ . = + - @ :
                             */
                            key: string;
                            /**
                             * At most 256 of the same characters; empty unless given.
                             */
                            value?: string | null;
                        };
                    }>;
                };
            };
        };
    };
    path: {
        organization_name: string;
        workspace_name: string;
    };
    query?: never;
    url: '/api/v2/organizations/{organization_name}/workspaces/{workspace_name}';
};

export type UpdateWorkspaceByNameResponses = {
    /**
     * The workspace, and rules for tags that it breaks.
     */
    200: {
        data: {
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
                organization: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                project: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'agent-pool': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'current-configuration-version': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'current-run': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'current-state-version': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'latest-run': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'locked-by': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                outputs: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                readme: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'ssh-key': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                vars: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'effective-tag-bindings': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'remote-state-consumers': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'tag-bindings': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
            };
            links: {
                self: string;
                'self-html': string;
            };
        };
        /**
         * Rules that this breaks, if any.
         */
        meta?: {
            warnings?: Array<{
                rule: string;
                detail: string;
            }>;
        };
    };
};

export type UpdateWorkspaceByNameResponse = UpdateWorkspaceByNameResponses[keyof UpdateWorkspaceByNameResponses];

export type SafeDeleteWorkspaceByNameData = {
    body?: never;
    path: {
        organization_name: string;
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
        workspace_id: string;
    };
    query?: never;
    url: '/api/v2/workspaces/{workspace_id}/actions/lock';
};

export type LockWorkspaceResponses = {
    /**
     * The workspace.
     */
    200: {
        data: {
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
                organization: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                project: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'agent-pool': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'current-configuration-version': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'current-run': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'current-state-version': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'latest-run': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'locked-by': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                outputs: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                readme: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'ssh-key': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                vars: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'effective-tag-bindings': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'remote-state-consumers': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'tag-bindings': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
            };
            links: {
                self: string;
                'self-html': string;
            };
        };
        included?: Array<{
            id: string;
            type: string;
            attributes: {
                [key: string]: unknown;
            };
            [key: string]: unknown;
        }>;
    };
};

export type LockWorkspaceResponse = LockWorkspaceResponses[keyof LockWorkspaceResponses];

export type UnlockWorkspaceData = {
    body?: never;
    path: {
        workspace_id: string;
    };
    query?: never;
    url: '/api/v2/workspaces/{workspace_id}/actions/unlock';
};

export type UnlockWorkspaceResponses = {
    /**
     * The workspace.
     */
    200: {
        data: {
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
                organization: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                project: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'agent-pool': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'current-configuration-version': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'current-run': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'current-state-version': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'latest-run': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'locked-by': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                outputs: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                readme: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'ssh-key': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                vars: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'effective-tag-bindings': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'remote-state-consumers': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'tag-bindings': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
            };
            links: {
                self: string;
                'self-html': string;
            };
        };
        included?: Array<{
            id: string;
            type: string;
            attributes: {
                [key: string]: unknown;
            };
            [key: string]: unknown;
        }>;
    };
};

export type UnlockWorkspaceResponse = UnlockWorkspaceResponses[keyof UnlockWorkspaceResponses];

export type ForceUnlockWorkspaceData = {
    body?: never;
    path: {
        workspace_id: string;
    };
    query?: never;
    url: '/api/v2/workspaces/{workspace_id}/actions/force-unlock';
};

export type ForceUnlockWorkspaceResponses = {
    /**
     * The workspace.
     */
    200: {
        data: {
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
                organization: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                project: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'agent-pool': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'current-configuration-version': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'current-run': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'current-state-version': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'latest-run': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'locked-by': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                outputs: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                readme: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'ssh-key': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                vars: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'effective-tag-bindings': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'remote-state-consumers': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'tag-bindings': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
            };
            links: {
                self: string;
                'self-html': string;
            };
        };
        included?: Array<{
            id: string;
            type: string;
            attributes: {
                [key: string]: unknown;
            };
            [key: string]: unknown;
        }>;
    };
};

export type ForceUnlockWorkspaceResponse = ForceUnlockWorkspaceResponses[keyof ForceUnlockWorkspaceResponses];

export type RemoveWorkspaceTagsData = {
    body: {
        data: Array<(unknown | {
            attributes: unknown;
        }) & {
            type: 'tags';
            id?: string;
            attributes?: {
                name?: string;
            };
        }>;
    };
    path: {
        workspace_id: string;
    };
    query?: never;
    url: '/api/v2/workspaces/{workspace_id}/relationships/tags';
};

export type RemoveWorkspaceTagsResponses = {
    /**
     * Done; and what was written breaks rules.
     */
    200: {
        /**
         * Rules that this breaks, if any.
         */
        meta?: {
            warnings?: Array<{
                rule: string;
                detail: string;
            }>;
        };
    };
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
    200: {
        data: Array<{
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
            relationships: {
                organization: {
                    data: {
                        /**
                         * The organization's name.
                         */
                        id: string;
                        type: 'organizations';
                    };
                };
            };
        }>;
        links: {
            self: string;
            first: string;
            prev: string | null;
            next: string | null;
            last: string;
        };
        meta: {
            pagination: {
                'current-page': number;
                'page-size': number;
                'prev-page': number | null;
                'next-page': number | null;
                'total-pages': number;
                'total-count': number;
            };
        };
    };
};

export type ListWorkspaceTagsResponse = ListWorkspaceTagsResponses[keyof ListWorkspaceTagsResponses];

export type AddWorkspaceTagsData = {
    body: {
        data: Array<(unknown | {
            attributes: unknown;
        }) & {
            type: 'tags';
            id?: string;
            attributes?: {
                name?: string;
            };
        }>;
    };
    path: {
        workspace_id: string;
    };
    query?: never;
    url: '/api/v2/workspaces/{workspace_id}/relationships/tags';
};

export type AddWorkspaceTagsResponses = {
    /**
     * Done; and what was written breaks rules.
     */
    200: {
        /**
         * Rules that this breaks, if any.
         */
        meta?: {
            warnings?: Array<{
                rule: string;
                detail: string;
            }>;
        };
    };
    /**
     * Done; also when there was nothing to do.
     */
    204: void;
};

export type AddWorkspaceTagsResponse = AddWorkspaceTagsResponses[keyof AddWorkspaceTagsResponses];

export type RemoveTagWorkspacesData = {
    body: {
        data: Array<{
            type: 'workspaces';
            id: string;
        }>;
    };
    path: {
        tag_id: string;
    };
    query?: never;
    url: '/api/v2/tags/{tag_id}/relationships/workspaces';
};

export type RemoveTagWorkspacesResponses = {
    /**
     * Done; and what was written breaks rules.
     */
    200: {
        /**
         * Rules that this breaks, if any.
         */
        meta?: {
            warnings?: Array<{
                rule: string;
                detail: string;
            }>;
        };
    };
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
    200: {
        data: Array<{
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
                organization: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                project: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'agent-pool': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'current-configuration-version': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'current-run': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'current-state-version': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'latest-run': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'locked-by': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                outputs: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                readme: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'ssh-key': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                vars: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'effective-tag-bindings': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'remote-state-consumers': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'tag-bindings': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
            };
            links: {
                self: string;
                'self-html': string;
            };
        }>;
        included?: Array<{
            id: string;
            type: string;
            attributes: {
                [key: string]: unknown;
            };
            [key: string]: unknown;
        }>;
        links: {
            self: string;
            first: string;
            prev: string | null;
            next: string | null;
            last: string;
        };
        meta: {
            pagination: {
                'current-page': number;
                'page-size': number;
                'prev-page': number | null;
                'next-page': number | null;
                'total-pages': number;
                'total-count': number;
            };
        };
    };
};

export type ListTagWorkspacesResponse = ListTagWorkspacesResponses[keyof ListTagWorkspacesResponses];

export type AddTagWorkspacesData = {
    body: {
        data: Array<{
            type: 'workspaces';
            id: string;
        }>;
    };
    path: {
        tag_id: string;
    };
    query?: never;
    url: '/api/v2/tags/{tag_id}/relationships/workspaces';
};

export type AddTagWorkspacesResponses = {
    /**
     * Done; and what was written breaks rules.
     */
    200: {
        /**
         * Rules that this breaks, if any.
         */
        meta?: {
            warnings?: Array<{
                rule: string;
                detail: string;
            }>;
        };
    };
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
        workspace_id: string;
    };
    query?: never;
    url: '/api/v2/workspaces/{workspace_id}/tag-bindings';
};

export type ListWorkspaceTagBindingsResponses = {
    /**
     * The bindings, in the order of adding.
     */
    200: {
        data: Array<{
            id: string;
            type: 'tag-bindings';
            attributes: {
                key: string;
                value: string;
                'created-at': string;
            };
        }>;
    };
};

export type ListWorkspaceTagBindingsResponse = ListWorkspaceTagBindingsResponses[keyof ListWorkspaceTagBindingsResponses];

export type AddWorkspaceTagBindingsData = {
    body: {
        data: Array<{
            type: 'tag-bindings';
            id?: string;
            attributes: {
                /**
                 * At most 128 letters, digits and _ . = + - @ :
                 */
                key: string;
                /**
                 * At most 256 of the same characters; empty unless given.
                 */
                value?: string | null;
            };
        }>;
    };
    path: {
        workspace_id: string;
    };
    query?: never;
    url: '/api/v2/workspaces/{workspace_id}/tag-bindings';
};

export type AddWorkspaceTagBindingsResponses = {
    /**
     * The bindings that the request names, in its order.
     */
    200: {
        data: Array<{
            id: string;
            type: 'tag-bindings';
            attributes: {
                key: string;
                value: string;
                'created-at': string;
            };
        }>;
        /**
         * Rules that this breaks, if any.
         */
        meta?: {
            warnings?: Array<{
                rule: string;
                detail: string;
            }>;
        };
    };
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
        workspace_id: string;
    };
    query?: never;
    url: '/api/v2/workspaces/{workspace_id}/relationships/tag-bindings';
};

export type ReadWorkspaceTagBindingsResponses = {
    /**
     * The bindings, in the order of adding.
     */
    200: {
        data: Array<{
            id: string;
            type: 'tag-bindings';
            attributes: {
                key: string;
                value: string;
                'created-at': string;
            };
        }>;
    };
};

export type ReadWorkspaceTagBindingsResponse = ReadWorkspaceTagBindingsResponses[keyof ReadWorkspaceTagBindingsResponses];

export type ReplaceWorkspaceTagBindingsData = {
    body: {
        data: Array<{
            type: 'tag-bindings';
            id?: string;
            attributes: {
                /**
                 * At most 128 letters, digits and _ . = + - @ :
                 */
                key: string;
                /**
                 * At most 256 of the same characters; empty unless given.
                 */
                value?: string | null;
            };
        }>;
    };
    path: {
        workspace_id: string;
    };
    query?: never;
    url: '/api/v2/workspaces/{workspace_id}/relationships/tag-bindings';
};

export type ReplaceWorkspaceTagBindingsResponses = {
    /**
     * Done; and what was written breaks rules.
     */
    200: {
        /**
         * Rules that this breaks, if any.
         */
        meta?: {
            warnings?: Array<{
                rule: string;
                detail: string;
            }>;
        };
    };
    /**
     * Done; also when there was nothing to do.
     */
    204: void;
};

export type ReplaceWorkspaceTagBindingsResponse = ReplaceWorkspaceTagBindingsResponses[keyof ReplaceWorkspaceTagBindingsResponses];

export type BindWorkspaceData = {
    body: {
        data: Array<{
            type: 'tag-bindings';
            id?: string;
            attributes: {
                /**
                 * At most 128 letters, digits and _ . = + - @ :
                 */
                key: string;
                /**
                 * At most 256 of the same characters; empty unless given.
                 */
                value?: string | null;
            };
        }>;
    };
    path: {
        workspace_id: string;
    };
    query?: never;
    url: '/api/v2/workspaces/{workspace_id}/relationships/tag-bindings';
};

export type BindWorkspaceResponses = {
    /**
     * Done; and what was written breaks rules.
     */
    200: {
        /**
         * Rules that this breaks, if any.
         */
        meta?: {
            warnings?: Array<{
                rule: string;
                detail: string;
            }>;
        };
    };
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
        workspace_id: string;
    };
    query?: never;
    url: '/api/v2/workspaces/{workspace_id}/effective-tag-bindings';
};

export type ListWorkspaceEffectiveTagBindingsResponses = {
    /**
     * What applies: its own first, then what is inherited.
     */
    200: {
        data: Array<{
            id: string;
            type: 'effective-tag-bindings';
            attributes: {
                key: string;
                value: string;
            };
            relationships?: {
                'inherited-from': {
                    data: {
                        id: string;
                        type: 'projects';
                    };
                };
            };
            links?: {
                'inherited-from': string;
            };
        }>;
    };
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
        project_id: string;
    };
    query?: never;
    url: '/api/v2/projects/{project_id}/tag-bindings';
};

export type ListProjectTagBindingsResponses = {
    /**
     * The bindings, in the order of adding.
     */
    200: {
        data: Array<{
            id: string;
            type: 'tag-bindings';
            attributes: {
                key: string;
                value: string;
                'created-at': string;
            };
        }>;
    };
};

export type ListProjectTagBindingsResponse = ListProjectTagBindingsResponses[keyof ListProjectTagBindingsResponses];

export type AddProjectTagBindingsData = {
    body: {
        data: Array<{
            type: 'tag-bindings';
            id?: string;
            attributes: {
                /**
                 * At most 128 letters, digits and _ . = + - @ :
                 */
                key: string;
                /**
                 * At most 256 of the same characters; empty unless given.
                 */
                value?: string | null;
            };
        }>;
    };
    path: {
        project_id: string;
    };
    query?: never;
    url: '/api/v2/projects/{project_id}/tag-bindings';
};

export type AddProjectTagBindingsResponses = {
    /**
     * The bindings that the request names, in its order.
     */
    200: {
        data: Array<{
            id: string;
            type: 'tag-bindings';
            attributes: {
                key: string;
                value: string;
                'created-at': string;
            };
        }>;
        /**
         * Rules that this breaks, if any.
         */
        meta?: {
            warnings?: Array<{
                rule: string;
                detail: string;
            }>;
        };
    };
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
        project_id: string;
    };
    query?: never;
    url: '/api/v2/projects/{project_id}/relationships/tag-bindings';
};

export type ReadProjectTagBindingsResponses = {
    /**
     * The bindings, in the order of adding.
     */
    200: {
        data: Array<{
            id: string;
            type: 'tag-bindings';
            attributes: {
                key: string;
                value: string;
                'created-at': string;
            };
        }>;
    };
};

export type ReadProjectTagBindingsResponse = ReadProjectTagBindingsResponses[keyof ReadProjectTagBindingsResponses];

export type ReplaceProjectTagBindingsData = {
    body: {
        data: Array<{
            type: 'tag-bindings';
            id?: string;
            attributes: {
                /**
                 * At most 128 letters, digits and _ . = + - @ :
                 */
                key: string;
                /**
                 * At most 256 of the same characters; empty unless given.
                 */
                value?: string | null;
            };
        }>;
    };
    path: {
        project_id: string;
    };
    query?: never;
    url: '/api/v2/projects/{project_id}/relationships/tag-bindings';
};

export type ReplaceProjectTagBindingsResponses = {
    /**
     * Done; and what was written breaks rules.
     */
    200: {
        /**
         * Rules that this breaks, if any.
         */
        meta?: {
            warnings?: Array<{
                rule: string;
                detail: string;
            }>;
        };
    };
    /**
     * Done; also when there was nothing to do.
     */
    204: void;
};

export type ReplaceProjectTagBindingsResponse = ReplaceProjectTagBindingsResponses[keyof ReplaceProjectTagBindingsResponses];

export type BindProjectData = {
    body: {
        data: Array<{
            type: 'tag-bindings';
            id?: string;
            attributes: {
                /**
                 * At most 128 letters, digits and _ . = + - @ :
                 */
                key: string;
                /**
                 * At most 256 of the same characters; empty unless given.
                 */
                value?: string | null;
            };
        }>;
    };
    path: {
        project_id: string;
    };
    query?: never;
    url: '/api/v2/projects/{project_id}/relationships/tag-bindings';
};

export type BindProjectResponses = {
    /**
     * Done; and what was written breaks rules.
     */
    200: {
        /**
         * Rules that this breaks, if any.
         */
        meta?: {
            warnings?: Array<{
                rule: string;
                detail: string;
            }>;
        };
    };
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
        project_id: string;
    };
    query?: never;
    url: '/api/v2/projects/{project_id}/effective-tag-bindings';
};

export type ListProjectEffectiveTagBindingsResponses = {
    /**
     * What applies: its own first, then what is inherited.
     */
    200: {
        data: Array<{
            id: string;
            type: 'effective-tag-bindings';
            attributes: {
                key: string;
                value: string;
            };
            relationships?: {
                'inherited-from': {
                    data: {
                        id: string;
                        type: 'projects';
                    };
                };
            };
            links?: {
                'inherited-from': string;
            };
        }>;
    };
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
    200: {
        data: Array<{
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
        }>;
        links: {
            self: string;
            first: string;
            prev: string | null;
            next: string | null;
            last: string;
        };
        meta: {
            pagination: {
                'current-page': number;
                'page-size': number;
                'prev-page': number | null;
                'next-page': number | null;
                'total-pages': number;
                'total-count': number;
            };
        };
    };
};

export type ListTagBindingsResponse = ListTagBindingsResponses[keyof ListTagBindingsResponses];

export type ExportTagsData = {
    body?: never;
    path: {
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
    200: {
        data: {
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
                    missing?: {
                        count: number;
                        lines: Array<number>;
                    };
                    'not-allowed'?: {
                        count: number;
                        lines: Array<number>;
                    };
                    full?: {
                        count: number;
                        lines: Array<number>;
                    };
                    'tag-rule'?: {
                        count: number;
                        lines: Array<number>;
                    };
                };
            };
        };
    };
    /**
     * The job.
     */
    201: {
        data: {
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
                filter: {
                    /**
                     * Tags of the pool; empty for all.
                     */
                    tags?: {
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
                    /**
                     * Workspaces; empty for all that the caller may see.
                     */
                    workspaces?: {
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
                } | null;
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
            relationships: {
                organization: {
                    data: {
                        id: string;
                        type: 'organizations';
                    };
                };
            };
            links: {
                self: string;
            };
        };
    };
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
    200: {
        data: Array<{
            id: string;
            type: 'reserved-tag-keys';
            attributes: {
                key: string;
                'disable-overrides': boolean;
                'created-at': string;
                'updated-at': string;
                created_at: string;
                updated_at: string;
            };
            relationships: {
                organization: {
                    data: {
                        id: string;
                        type: 'organizations';
                    };
                };
            };
        }>;
        links: {
            self: string;
            first: string;
            prev: string | null;
            next: string | null;
            last: string;
        };
        meta: {
            pagination: {
                'current-page': number;
                'page-size': number;
                'prev-page': number | null;
                'next-page': number | null;
                'total-pages': number;
                'total-count': number;
            };
        };
    };
};

export type ListReservedTagKeysResponse = ListReservedTagKeysResponses[keyof ListReservedTagKeysResponses];

export type CreateReservedTagKeyData = {
    body: {
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
    path: {
        organization_name: string;
    };
    query?: never;
    url: '/api/v2/organizations/{organization_name}/reserved-tag-keys';
};

export type CreateReservedTagKeyResponses = {
    /**
     * The reserved key.
     */
    201: {
        data: {
            id: string;
            type: 'reserved-tag-keys';
            attributes: {
                key: string;
                'disable-overrides': boolean;
                'created-at': string;
                'updated-at': string;
                created_at: string;
                updated_at: string;
            };
            relationships: {
                organization: {
                    data: {
                        id: string;
                        type: 'organizations';
                    };
                };
            };
        };
    };
};

export type CreateReservedTagKeyResponse = CreateReservedTagKeyResponses[keyof CreateReservedTagKeyResponses];

export type DeleteReservedTagKeyData = {
    body?: never;
    path: {
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
    body: {
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
    path: {
        reserved_tag_key_id: string;
    };
    query?: never;
    url: '/api/v2/reserved-tag-keys/{reserved_tag_key_id}';
};

export type UpdateReservedTagKeyResponses = {
    /**
     * The reserved key.
     */
    200: {
        data: {
            id: string;
            type: 'reserved-tag-keys';
            attributes: {
                key: string;
                'disable-overrides': boolean;
                'created-at': string;
                'updated-at': string;
                created_at: string;
                updated_at: string;
            };
            relationships: {
                organization: {
                    data: {
                        id: string;
                        type: 'organizations';
                    };
                };
            };
        };
    };
};

export type UpdateReservedTagKeyResponse = UpdateReservedTagKeyResponses[keyof UpdateReservedTagKeyResponses];

export type DeleteReservedTagKeyByOtherPathData = {
    body?: never;
    path: {
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
    body: {
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
    path: {
        reserved_tag_key_id: string;
    };
    query?: never;
    url: '/api/v2/reserved-tags/{reserved_tag_key_id}';
};

export type UpdateReservedTagKeyByOtherPathResponses = {
    /**
     * The reserved key.
     */
    200: {
        data: {
            id: string;
            type: 'reserved-tag-keys';
            attributes: {
                key: string;
                'disable-overrides': boolean;
                'created-at': string;
                'updated-at': string;
                created_at: string;
                updated_at: string;
            };
            relationships: {
                organization: {
                    data: {
                        id: string;
                        type: 'organizations';
                    };
                };
            };
        };
    };
};

export type UpdateReservedTagKeyByOtherPathResponse = UpdateReservedTagKeyByOtherPathResponses[keyof UpdateReservedTagKeyByOtherPathResponses];

export type RemoveRemoteStateConsumersData = {
    body: {
        data: Array<{
            type: 'workspaces';
            id: string;
        }>;
    };
    path: {
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
    };
    url: '/api/v2/workspaces/{workspace_id}/relationships/remote-state-consumers';
};

export type ListRemoteStateConsumersResponses = {
    /**
     * A page of workspaces.
     */
    200: {
        data: Array<{
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
                organization: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                project: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'agent-pool': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'current-configuration-version': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'current-run': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'current-state-version': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'latest-run': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'locked-by': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                outputs: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                readme: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'ssh-key': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                vars: {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'effective-tag-bindings': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'remote-state-consumers': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
                'tag-bindings': {
                    data?: {
                        id: string;
                        type: string;
                    } | Array<{
                        id: string;
                        type: string;
                    }> | null;
                    links?: {
                        related: string;
                    };
                };
            };
            links: {
                self: string;
                'self-html': string;
            };
        }>;
        included?: Array<{
            id: string;
            type: string;
            attributes: {
                [key: string]: unknown;
            };
            [key: string]: unknown;
        }>;
        links: {
            self: string;
            first: string;
            prev: string | null;
            next: string | null;
            last: string;
        };
        meta: {
            pagination: {
                'current-page': number;
                'page-size': number;
                'prev-page': number | null;
                'next-page': number | null;
                'total-pages': number;
                'total-count': number;
            };
        };
    };
};

export type ListRemoteStateConsumersResponse = ListRemoteStateConsumersResponses[keyof ListRemoteStateConsumersResponses];

export type ReplaceRemoteStateConsumersData = {
    body: {
        data: Array<{
            type: 'workspaces';
            id: string;
        }>;
    };
    path: {
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
    body: {
        data: Array<{
            type: 'workspaces';
            id: string;
        }>;
    };
    path: {
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
     * The stream. From now on, unless the request says where it goes on.
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
    200: {
        data: Array<{
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
                filter: {
                    /**
                     * Tags of the pool; empty for all.
                     */
                    tags?: {
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
                    /**
                     * Workspaces; empty for all that the caller may see.
                     */
                    workspaces?: {
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
                } | null;
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
            relationships: {
                organization: {
                    data: {
                        id: string;
                        type: 'organizations';
                    };
                };
            };
            links: {
                self: string;
            };
        }>;
        links: {
            self: string;
            first: string;
            prev: string | null;
            next: string | null;
            last: string;
        };
        meta: {
            pagination: {
                'current-page': number;
                'page-size': number;
                'prev-page': number | null;
                'next-page': number | null;
                'total-pages': number;
                'total-count': number;
            };
        };
    };
};

export type ListTagJobsResponse = ListTagJobsResponses[keyof ListTagJobsResponses];

export type CreateTagJobData = {
    body: {
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
                filter?: {
                    /**
                     * Tags of the pool; empty for all.
                     */
                    tags?: {
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
                    /**
                     * Workspaces; empty for all that the caller may see.
                     */
                    workspaces?: {
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
                };
            };
        };
    };
    path: {
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
    200: {
        data: {
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
    };
    /**
     * The job.
     */
    201: {
        data: {
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
                filter: {
                    /**
                     * Tags of the pool; empty for all.
                     */
                    tags?: {
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
                    /**
                     * Workspaces; empty for all that the caller may see.
                     */
                    workspaces?: {
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
                } | null;
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
            relationships: {
                organization: {
                    data: {
                        id: string;
                        type: 'organizations';
                    };
                };
            };
            links: {
                self: string;
            };
        };
    };
};

export type CreateTagJobResponse = CreateTagJobResponses[keyof CreateTagJobResponses];

export type PauseTagJobData = {
    body?: never;
    path: {
        tag_job_id: string;
    };
    query?: never;
    url: '/api/v2/tag-jobs/{tag_job_id}/actions/pause';
};

export type PauseTagJobResponses = {
    /**
     * The job.
     */
    200: {
        data: {
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
                filter: {
                    /**
                     * Tags of the pool; empty for all.
                     */
                    tags?: {
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
                    /**
                     * Workspaces; empty for all that the caller may see.
                     */
                    workspaces?: {
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
                } | null;
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
            relationships: {
                organization: {
                    data: {
                        id: string;
                        type: 'organizations';
                    };
                };
            };
            links: {
                self: string;
            };
        };
    };
};

export type PauseTagJobResponse = PauseTagJobResponses[keyof PauseTagJobResponses];

export type ResumeTagJobData = {
    body?: never;
    path: {
        tag_job_id: string;
    };
    query?: never;
    url: '/api/v2/tag-jobs/{tag_job_id}/actions/resume';
};

export type ResumeTagJobResponses = {
    /**
     * The job.
     */
    200: {
        data: {
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
                filter: {
                    /**
                     * Tags of the pool; empty for all.
                     */
                    tags?: {
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
                    /**
                     * Workspaces; empty for all that the caller may see.
                     */
                    workspaces?: {
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
                } | null;
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
            relationships: {
                organization: {
                    data: {
                        id: string;
                        type: 'organizations';
                    };
                };
            };
            links: {
                self: string;
            };
        };
    };
};

export type ResumeTagJobResponse = ResumeTagJobResponses[keyof ResumeTagJobResponses];

export type CancelTagJobData = {
    body?: never;
    path: {
        tag_job_id: string;
    };
    query?: never;
    url: '/api/v2/tag-jobs/{tag_job_id}/actions/cancel';
};

export type CancelTagJobResponses = {
    /**
     * The job.
     */
    200: {
        data: {
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
                filter: {
                    /**
                     * Tags of the pool; empty for all.
                     */
                    tags?: {
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
                    /**
                     * Workspaces; empty for all that the caller may see.
                     */
                    workspaces?: {
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
                } | null;
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
            relationships: {
                organization: {
                    data: {
                        id: string;
                        type: 'organizations';
                    };
                };
            };
            links: {
                self: string;
            };
        };
    };
};

export type CancelTagJobResponse = CancelTagJobResponses[keyof CancelTagJobResponses];

export type UndoTagJobData = {
    body?: never;
    path: {
        tag_job_id: string;
    };
    query?: never;
    url: '/api/v2/tag-jobs/{tag_job_id}/actions/undo';
};

export type UndoTagJobResponses = {
    /**
     * The job.
     */
    201: {
        data: {
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
                filter: {
                    /**
                     * Tags of the pool; empty for all.
                     */
                    tags?: {
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
                    /**
                     * Workspaces; empty for all that the caller may see.
                     */
                    workspaces?: {
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
                } | null;
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
            relationships: {
                organization: {
                    data: {
                        id: string;
                        type: 'organizations';
                    };
                };
            };
            links: {
                self: string;
            };
        };
    };
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
        tag_job_id: string;
    };
    query?: never;
    url: '/api/v2/tag-jobs/{tag_job_id}';
};

export type ReadTagJobResponses = {
    /**
     * The job.
     */
    200: {
        data: {
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
                filter: {
                    /**
                     * Tags of the pool; empty for all.
                     */
                    tags?: {
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
                    /**
                     * Workspaces; empty for all that the caller may see.
                     */
                    workspaces?: {
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
                } | null;
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
            relationships: {
                organization: {
                    data: {
                        id: string;
                        type: 'organizations';
                    };
                };
            };
            links: {
                self: string;
            };
        };
    };
};

export type ReadTagJobResponse = ReadTagJobResponses[keyof ReadTagJobResponses];

export type DeleteTagPolicyData = {
    body?: never;
    path: {
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
        organization_name: string;
    };
    query?: never;
    url: '/api/v2/organizations/{organization_name}/tag-policy';
};

export type ReadTagPolicyResponses = {
    /**
     * The rules.
     */
    200: {
        data: {
            id: string;
            type: 'tag-policies';
            attributes: {
                /**
                 * advise: writes that break rules are made, and answered with meta.warnings; refuse: they are 422.
                 */
                enforce: 'advise' | 'refuse';
                rules: Array<{
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
                }>;
                'created-at': string;
                'updated-at': string;
            };
            relationships: {
                organization: {
                    data: {
                        id: string;
                        type: 'organizations';
                    };
                };
            };
        };
    };
};

export type ReadTagPolicyResponse = ReadTagPolicyResponses[keyof ReadTagPolicyResponses];

export type PutTagPolicyData = {
    body: {
        data: {
            type: 'tag-policies';
            id?: string;
            attributes: {
                /**
                 * advise: writes that break rules are made, and answered with meta.warnings; refuse: they are 422.
                 */
                enforce: 'advise' | 'refuse';
                rules: Array<{
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
                }>;
            };
        };
    };
    path: {
        organization_name: string;
    };
    query?: never;
    url: '/api/v2/organizations/{organization_name}/tag-policy';
};

export type PutTagPolicyResponses = {
    /**
     * The rules.
     */
    200: {
        data: {
            id: string;
            type: 'tag-policies';
            attributes: {
                /**
                 * advise: writes that break rules are made, and answered with meta.warnings; refuse: they are 422.
                 */
                enforce: 'advise' | 'refuse';
                rules: Array<{
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
                }>;
                'created-at': string;
                'updated-at': string;
            };
            relationships: {
                organization: {
                    data: {
                        id: string;
                        type: 'organizations';
                    };
                };
            };
        };
    };
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
    url: '/api/v2/organizations/{organization_name}/tag-policy/report';
};

export type ReportTagPolicyResponses = {
    /**
     * A page of workspaces that fall short.
     */
    200: {
        data: Array<{
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
                violations: Array<{
                    rule: string;
                    detail: string;
                }>;
            };
            relationships: {
                workspace: {
                    data: {
                        id: string;
                        type: 'workspaces';
                    };
                };
            };
        }>;
        links: {
            self: string;
            first: string;
            prev: string | null;
            next: string | null;
            last: string;
        };
        meta: {
            pagination: {
                'current-page': number;
                'page-size': number;
                'prev-page': number | null;
                'next-page': number | null;
                'total-pages': number;
                'total-count': number;
            };
        };
    };
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
     * A page of the records, the newest first; `links.next` leads on.
     */
    200: {
        data: Array<{
            [key: string]: unknown;
        }>;
        links: {
            self: string;
            next: string | null;
        };
    };
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
    200: {
        data: Array<{
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
            links: {
                self: string;
            };
        }>;
        links: {
            self: string;
            first: string;
            prev: string | null;
            next: string | null;
            last: string;
        };
        meta: {
            pagination: {
                'current-page': number;
                'page-size': number;
                'prev-page': number | null;
                'next-page': number | null;
                'total-pages': number;
                'total-count': number;
            };
        };
    };
};

export type ListTagWebhooksResponse = ListTagWebhooksResponses[keyof ListTagWebhooksResponses];

export type CreateTagWebhookData = {
    body: {
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
        };
    };
    path: {
        organization_name: string;
    };
    query?: never;
    url: '/api/v2/organizations/{organization_name}/tag-webhooks';
};

export type CreateTagWebhookResponses = {
    /**
     * The webhook.
     */
    201: {
        data: {
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
            links: {
                self: string;
            };
        };
    };
};

export type CreateTagWebhookResponse = CreateTagWebhookResponses[keyof CreateTagWebhookResponses];

export type DeleteTagWebhookData = {
    body?: never;
    path: {
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
        webhook_id: string;
    };
    query?: never;
    url: '/api/v2/tag-webhooks/{webhook_id}';
};

export type ReadTagWebhookResponses = {
    /**
     * The webhook.
     */
    200: {
        data: {
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
            links: {
                self: string;
            };
        };
    };
};

export type ReadTagWebhookResponse = ReadTagWebhookResponses[keyof ReadTagWebhookResponses];

export type UpdateTagWebhookData = {
    body: {
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
        };
    };
    path: {
        webhook_id: string;
    };
    query?: never;
    url: '/api/v2/tag-webhooks/{webhook_id}';
};

export type UpdateTagWebhookResponses = {
    /**
     * The webhook.
     */
    200: {
        data: {
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
            links: {
                self: string;
            };
        };
    };
};

export type UpdateTagWebhookResponse = UpdateTagWebhookResponses[keyof UpdateTagWebhookResponses];

export type VerifyTagWebhookData = {
    body?: never;
    path: {
        webhook_id: string;
    };
    query?: never;
    url: '/api/v2/tag-webhooks/{webhook_id}/actions/verify';
};

export type VerifyTagWebhookResponses = {
    /**
     * The webhook, and how its target answered.
     */
    200: {
        data: {
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
            links: {
                self: string;
            };
        };
        meta: {
            /**
             * The status of the target's answer.
             */
            status: string;
        };
    };
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
    200: {
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
        Member: {
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
        Meta: {
            [key: string]: unknown;
        };
    };
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
    200: {
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
    200: Array<{
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
    }>;
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
         * A replica may answer.
         */
        stale?: string;
        /**
         * A replica that is not further behind than this may answer, such as 10s.
         */
        max_stale?: string;
        /**
         * The primary answers, as without it.
         */
        consistent?: string;
    };
    url: '/v1/health/node/{node}';
};

export type ListNodeChecksResponses = {
    /**
     * That this server is there, when it is named and the caller may read its node; else nothing.
     */
    200: Array<{
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
        Definition: {
            [key: string]: unknown;
        };
        Namespace?: string;
        Partition?: string;
        CreateIndex: number;
        ModifyIndex: number;
    }>;
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
    200: {
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
};

export type ReadReplicationResponse = ReadReplicationResponses[keyof ReadReplicationResponses];

export type BootstrapData = {
    body: {
        /**
         * SecretID that the token is to have.
         */
        BootstrapSecret?: string;
    };
    path?: never;
    query?: never;
    url: '/v1/acl/bootstrap';
};

export type BootstrapResponses = {
    /**
     * The token.
     */
    200: {
        /**
         * The SecretID, as old clients look for it.
         */
        ID: string;
        AccessorID: string;
        SecretID: string;
        Description: string;
        Roles?: Array<{
            ID: string;
            Name: string;
        }>;
        Policies?: Array<{
            ID: string;
            Name: string;
        }>;
        ServiceIdentities?: Array<{
            ServiceName: string;
            Datacenters?: Array<string>;
        }>;
        NodeIdentities?: Array<{
            NodeName: string;
            Datacenter: string;
        }>;
        TemplatedPolicies?: Array<{
            TemplateID?: string;
            TemplateName: string;
            TemplateVariables?: {
                name: string;
            };
            Datacenters?: Array<string>;
        }>;
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
};

export type BootstrapResponse = BootstrapResponses[keyof BootstrapResponses];

export type CreatePolicyData = {
    body: {
        ID?: string;
        Name?: string;
        /**
         * At most 8192 bytes of UTF-8.
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
    200: {
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
         * A replica may answer.
         */
        stale?: string;
        /**
         * A replica that is not further behind than this may answer, such as 10s.
         */
        max_stale?: string;
        /**
         * The primary answers, as without it.
         */
        consistent?: string;
    };
    url: '/v1/acl/policy/{id}';
};

export type ReadPolicyResponses = {
    /**
     * The policy.
     */
    200: {
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
};

export type ReadPolicyResponse = ReadPolicyResponses[keyof ReadPolicyResponses];

export type UpdatePolicyData = {
    body: {
        ID?: string;
        Name?: string;
        /**
         * At most 8192 bytes of UTF-8.
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
    200: {
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
};

export type UpdatePolicyResponse = UpdatePolicyResponses[keyof UpdatePolicyResponses];

export type ReplacePolicyData = {
    body: {
        ID?: string;
        Name?: string;
        /**
         * At most 8192 bytes of UTF-8.
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
    200: {
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
         * A replica may answer.
         */
        stale?: string;
        /**
         * A replica that is not further behind than this may answer, such as 10s.
         */
        max_stale?: string;
        /**
         * The primary answers, as without it.
         */
        consistent?: string;
    };
    url: '/v1/acl/policy/name/{name}';
};

export type ReadPolicyByNameResponses = {
    /**
     * The policy.
     */
    200: {
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
         * The X-Service-Next of the page before.
         */
        after?: string;
        /**
         * Only entries that hold this text, in any case.
         */
        search?: string;
        /**
         * Wait until the index of the answer is greater; X-Service-Index of the answer before.
         */
        index?: string;
        /**
         * How long to wait at most, such as 5m.
         */
        wait?: string;
        /**
         * A replica may answer.
         */
        stale?: string;
        /**
         * A replica that is not further behind than this may answer, such as 10s.
         */
        max_stale?: string;
        /**
         * The primary answers, as without it.
         */
        consistent?: string;
    };
    url: '/v1/acl/policies';
};

export type ListPoliciesResponses = {
    /**
     * The policies, without their rules.
     */
    200: Array<{
        ID: string;
        Name: string;
        Description: string;
        Hash: string;
        Namespace?: string;
        Partition?: string;
        CreateIndex: number;
        ModifyIndex: number;
        Datacenters: Array<string> | null;
    }>;
};

export type ListPoliciesResponse = ListPoliciesResponses[keyof ListPoliciesResponses];

export type CreateRoleData = {
    body: {
        ID?: string;
        Name?: string;
        /**
         * At most 8192 bytes of UTF-8.
         */
        Description?: string;
        Policies?: Array<{
            ID?: string;
            Name?: string;
        }>;
        /**
         * At most 65536 bytes as JSON.
         */
        ServiceIdentities?: Array<{
            ServiceName?: string;
            /**
             * At most 2048 bytes as JSON.
             */
            Datacenters?: Array<string>;
        }>;
        /**
         * At most 65536 bytes as JSON.
         */
        NodeIdentities?: Array<{
            NodeName?: string;
            Datacenter?: string;
        }>;
        /**
         * At most 65536 bytes as JSON.
         */
        TemplatedPolicies?: Array<{
            TemplateID?: string;
            TemplateName?: string;
            TemplateVariables?: {
                Name?: string;
            };
            /**
             * At most 2048 bytes as JSON.
             */
            Datacenters?: Array<string>;
        }>;
        Namespace?: string;
        Partition?: string;
        readonly CreateIndex?: number;
        readonly ModifyIndex?: number;
        readonly Hash?: string | null;
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
    url: '/v1/acl/role';
};

export type CreateRoleResponses = {
    /**
     * The role.
     */
    200: {
        ID: string;
        Name: string;
        Description: string;
        Policies?: Array<{
            ID: string;
            Name: string;
        }>;
        ServiceIdentities?: Array<{
            ServiceName: string;
            Datacenters?: Array<string>;
        }>;
        NodeIdentities?: Array<{
            NodeName: string;
            Datacenter: string;
        }>;
        TemplatedPolicies?: Array<{
            TemplateID?: string;
            TemplateName: string;
            TemplateVariables?: {
                name: string;
            };
            Datacenters?: Array<string>;
        }>;
        Hash: string;
        Namespace?: string;
        Partition?: string;
        CreateIndex: number;
        ModifyIndex: number;
    };
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
         * A replica may answer.
         */
        stale?: string;
        /**
         * A replica that is not further behind than this may answer, such as 10s.
         */
        max_stale?: string;
        /**
         * The primary answers, as without it.
         */
        consistent?: string;
    };
    url: '/v1/acl/role/{id}';
};

export type ReadRoleResponses = {
    /**
     * The role.
     */
    200: {
        ID: string;
        Name: string;
        Description: string;
        Policies?: Array<{
            ID: string;
            Name: string;
        }>;
        ServiceIdentities?: Array<{
            ServiceName: string;
            Datacenters?: Array<string>;
        }>;
        NodeIdentities?: Array<{
            NodeName: string;
            Datacenter: string;
        }>;
        TemplatedPolicies?: Array<{
            TemplateID?: string;
            TemplateName: string;
            TemplateVariables?: {
                name: string;
            };
            Datacenters?: Array<string>;
        }>;
        Hash: string;
        Namespace?: string;
        Partition?: string;
        CreateIndex: number;
        ModifyIndex: number;
    };
};

export type ReadRoleResponse = ReadRoleResponses[keyof ReadRoleResponses];

export type UpdateRoleData = {
    body: {
        ID?: string;
        Name?: string;
        /**
         * At most 8192 bytes of UTF-8.
         */
        Description?: string;
        Policies?: Array<{
            ID?: string;
            Name?: string;
        }>;
        /**
         * At most 65536 bytes as JSON.
         */
        ServiceIdentities?: Array<{
            ServiceName?: string;
            /**
             * At most 2048 bytes as JSON.
             */
            Datacenters?: Array<string>;
        }>;
        /**
         * At most 65536 bytes as JSON.
         */
        NodeIdentities?: Array<{
            NodeName?: string;
            Datacenter?: string;
        }>;
        /**
         * At most 65536 bytes as JSON.
         */
        TemplatedPolicies?: Array<{
            TemplateID?: string;
            TemplateName?: string;
            TemplateVariables?: {
                Name?: string;
            };
            /**
             * At most 2048 bytes as JSON.
             */
            Datacenters?: Array<string>;
        }>;
        Namespace?: string;
        Partition?: string;
        readonly CreateIndex?: number;
        readonly ModifyIndex?: number;
        readonly Hash?: string | null;
    };
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
    200: {
        ID: string;
        Name: string;
        Description: string;
        Policies?: Array<{
            ID: string;
            Name: string;
        }>;
        ServiceIdentities?: Array<{
            ServiceName: string;
            Datacenters?: Array<string>;
        }>;
        NodeIdentities?: Array<{
            NodeName: string;
            Datacenter: string;
        }>;
        TemplatedPolicies?: Array<{
            TemplateID?: string;
            TemplateName: string;
            TemplateVariables?: {
                name: string;
            };
            Datacenters?: Array<string>;
        }>;
        Hash: string;
        Namespace?: string;
        Partition?: string;
        CreateIndex: number;
        ModifyIndex: number;
    };
};

export type UpdateRoleResponse = UpdateRoleResponses[keyof UpdateRoleResponses];

export type ReplaceRoleData = {
    body: {
        ID?: string;
        Name?: string;
        /**
         * At most 8192 bytes of UTF-8.
         */
        Description?: string;
        Policies?: Array<{
            ID?: string;
            Name?: string;
        }>;
        /**
         * At most 65536 bytes as JSON.
         */
        ServiceIdentities?: Array<{
            ServiceName?: string;
            /**
             * At most 2048 bytes as JSON.
             */
            Datacenters?: Array<string>;
        }>;
        /**
         * At most 65536 bytes as JSON.
         */
        NodeIdentities?: Array<{
            NodeName?: string;
            Datacenter?: string;
        }>;
        /**
         * At most 65536 bytes as JSON.
         */
        TemplatedPolicies?: Array<{
            TemplateID?: string;
            TemplateName?: string;
            TemplateVariables?: {
                Name?: string;
            };
            /**
             * At most 2048 bytes as JSON.
             */
            Datacenters?: Array<string>;
        }>;
        Namespace?: string;
        Partition?: string;
        readonly CreateIndex?: number;
        readonly ModifyIndex?: number;
        readonly Hash?: string | null;
    };
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
    200: {
        ID: string;
        Name: string;
        Description: string;
        Policies?: Array<{
            ID: string;
            Name: string;
        }>;
        ServiceIdentities?: Array<{
            ServiceName: string;
            Datacenters?: Array<string>;
        }>;
        NodeIdentities?: Array<{
            NodeName: string;
            Datacenter: string;
        }>;
        TemplatedPolicies?: Array<{
            TemplateID?: string;
            TemplateName: string;
            TemplateVariables?: {
                name: string;
            };
            Datacenters?: Array<string>;
        }>;
        Hash: string;
        Namespace?: string;
        Partition?: string;
        CreateIndex: number;
        ModifyIndex: number;
    };
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
         * A replica may answer.
         */
        stale?: string;
        /**
         * A replica that is not further behind than this may answer, such as 10s.
         */
        max_stale?: string;
        /**
         * The primary answers, as without it.
         */
        consistent?: string;
    };
    url: '/v1/acl/role/name/{name}';
};

export type ReadRoleByNameResponses = {
    /**
     * The role.
     */
    200: {
        ID: string;
        Name: string;
        Description: string;
        Policies?: Array<{
            ID: string;
            Name: string;
        }>;
        ServiceIdentities?: Array<{
            ServiceName: string;
            Datacenters?: Array<string>;
        }>;
        NodeIdentities?: Array<{
            NodeName: string;
            Datacenter: string;
        }>;
        TemplatedPolicies?: Array<{
            TemplateID?: string;
            TemplateName: string;
            TemplateVariables?: {
                name: string;
            };
            Datacenters?: Array<string>;
        }>;
        Hash: string;
        Namespace?: string;
        Partition?: string;
        CreateIndex: number;
        ModifyIndex: number;
    };
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
         * The X-Service-Next of the page before.
         */
        after?: string;
        /**
         * Only entries that hold this text, in any case.
         */
        search?: string;
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
         * A replica may answer.
         */
        stale?: string;
        /**
         * A replica that is not further behind than this may answer, such as 10s.
         */
        max_stale?: string;
        /**
         * The primary answers, as without it.
         */
        consistent?: string;
    };
    url: '/v1/acl/roles';
};

export type ListRolesResponses = {
    /**
     * The roles.
     */
    200: Array<{
        ID: string;
        Name: string;
        Description: string;
        Policies?: Array<{
            ID: string;
            Name: string;
        }>;
        ServiceIdentities?: Array<{
            ServiceName: string;
            Datacenters?: Array<string>;
        }>;
        NodeIdentities?: Array<{
            NodeName: string;
            Datacenter: string;
        }>;
        TemplatedPolicies?: Array<{
            TemplateID?: string;
            TemplateName: string;
            TemplateVariables?: {
                name: string;
            };
            Datacenters?: Array<string>;
        }>;
        Hash: string;
        Namespace?: string;
        Partition?: string;
        CreateIndex: number;
        ModifyIndex: number;
    }>;
};

export type ListRolesResponse = ListRolesResponses[keyof ListRolesResponses];

export type CreateTokenData = {
    body: {
        /**
         * Chosen on creation with operator:write, or acl:write in the default namespace of the partition.
         */
        AccessorID?: string;
        SecretID?: string;
        /**
         * At most 8192 bytes of UTF-8.
         */
        Description?: string;
        Roles?: Array<{
            ID?: string;
            Name?: string;
        }>;
        Policies?: Array<{
            ID?: string;
            Name?: string;
        }>;
        /**
         * At most 65536 bytes as JSON.
         */
        ServiceIdentities?: Array<{
            ServiceName?: string;
            /**
             * At most 2048 bytes as JSON.
             */
            Datacenters?: Array<string>;
        }>;
        /**
         * At most 65536 bytes as JSON.
         */
        NodeIdentities?: Array<{
            NodeName?: string;
            Datacenter?: string;
        }>;
        /**
         * At most 65536 bytes as JSON.
         */
        TemplatedPolicies?: Array<{
            TemplateID?: string;
            TemplateName?: string;
            TemplateVariables?: {
                Name?: string;
            };
            /**
             * At most 2048 bytes as JSON.
             */
            Datacenters?: Array<string>;
        }>;
        Local?: boolean;
        AuthMethod?: string;
        AuthMethodNamespace?: string;
        ExpirationTime?: string;
        ExpirationTTL?: string | number;
        CreateTime?: string;
        readonly LastUsed?: string;
        Namespace?: string;
        Partition?: string;
        readonly CreateIndex?: number;
        readonly ModifyIndex?: number;
        readonly Hash?: string | null;
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
    url: '/v1/acl/token';
};

export type CreateTokenResponses = {
    /**
     * The token.
     */
    200: {
        AccessorID: string;
        SecretID: string;
        Description: string;
        Roles?: Array<{
            ID: string;
            Name: string;
        }>;
        Policies?: Array<{
            ID: string;
            Name: string;
        }>;
        ServiceIdentities?: Array<{
            ServiceName: string;
            Datacenters?: Array<string>;
        }>;
        NodeIdentities?: Array<{
            NodeName: string;
            Datacenter: string;
        }>;
        TemplatedPolicies?: Array<{
            TemplateID?: string;
            TemplateName: string;
            TemplateVariables?: {
                name: string;
            };
            Datacenters?: Array<string>;
        }>;
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
         * A replica may answer.
         */
        stale?: string;
        /**
         * A replica that is not further behind than this may answer, such as 10s.
         */
        max_stale?: string;
        /**
         * The primary answers, as without it.
         */
        consistent?: string;
    };
    url: '/v1/acl/token/{accessor}';
};

export type ReadTokenResponses = {
    /**
     * The token.
     */
    200: {
        AccessorID: string;
        SecretID: string;
        Description: string;
        Roles?: Array<{
            ID: string;
            Name: string;
        }>;
        Policies?: Array<{
            ID: string;
            Name: string;
        }>;
        ServiceIdentities?: Array<{
            ServiceName: string;
            Datacenters?: Array<string>;
        }>;
        NodeIdentities?: Array<{
            NodeName: string;
            Datacenter: string;
        }>;
        TemplatedPolicies?: Array<{
            TemplateID?: string;
            TemplateName: string;
            TemplateVariables?: {
                name: string;
            };
            Datacenters?: Array<string>;
        }>;
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
        ExpandedPolicies?: Array<{
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
        }> | null;
        ExpandedRoles?: Array<{
            ID: string;
            Name: string;
            Description: string;
            Policies?: Array<{
                ID: string;
                Name: string;
            }>;
            ServiceIdentities?: Array<{
                ServiceName: string;
                Datacenters?: Array<string>;
            }>;
            NodeIdentities?: Array<{
                NodeName: string;
                Datacenter: string;
            }>;
            TemplatedPolicies?: Array<{
                TemplateID?: string;
                TemplateName: string;
                TemplateVariables?: {
                    name: string;
                };
                Datacenters?: Array<string>;
            }>;
            Hash: string;
            Namespace?: string;
            Partition?: string;
            CreateIndex: number;
            ModifyIndex: number;
        }> | null;
        NamespaceDefaultPolicyIDs?: Array<string> | null;
        NamespaceDefaultRoleIDs?: Array<string> | null;
        AgentACLDefaultPolicy?: string;
        AgentACLDownPolicy?: string;
        ResolvedByAgent?: string;
    };
};

export type ReadTokenResponse = ReadTokenResponses[keyof ReadTokenResponses];

export type UpdateTokenData = {
    body: {
        /**
         * Chosen on creation with operator:write, or acl:write in the default namespace of the partition.
         */
        AccessorID?: string;
        SecretID?: string;
        /**
         * At most 8192 bytes of UTF-8.
         */
        Description?: string;
        Roles?: Array<{
            ID?: string;
            Name?: string;
        }>;
        Policies?: Array<{
            ID?: string;
            Name?: string;
        }>;
        /**
         * At most 65536 bytes as JSON.
         */
        ServiceIdentities?: Array<{
            ServiceName?: string;
            /**
             * At most 2048 bytes as JSON.
             */
            Datacenters?: Array<string>;
        }>;
        /**
         * At most 65536 bytes as JSON.
         */
        NodeIdentities?: Array<{
            NodeName?: string;
            Datacenter?: string;
        }>;
        /**
         * At most 65536 bytes as JSON.
         */
        TemplatedPolicies?: Array<{
            TemplateID?: string;
            TemplateName?: string;
            TemplateVariables?: {
                Name?: string;
            };
            /**
             * At most 2048 bytes as JSON.
             */
            Datacenters?: Array<string>;
        }>;
        Local?: boolean;
        AuthMethod?: string;
        AuthMethodNamespace?: string;
        ExpirationTime?: string;
        ExpirationTTL?: string | number;
        CreateTime?: string;
        readonly LastUsed?: string;
        Namespace?: string;
        Partition?: string;
        readonly CreateIndex?: number;
        readonly ModifyIndex?: number;
        readonly Hash?: string | null;
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
    url: '/v1/acl/token/{accessor}';
};

export type UpdateTokenResponses = {
    /**
     * The token.
     */
    200: {
        AccessorID: string;
        SecretID: string;
        Description: string;
        Roles?: Array<{
            ID: string;
            Name: string;
        }>;
        Policies?: Array<{
            ID: string;
            Name: string;
        }>;
        ServiceIdentities?: Array<{
            ServiceName: string;
            Datacenters?: Array<string>;
        }>;
        NodeIdentities?: Array<{
            NodeName: string;
            Datacenter: string;
        }>;
        TemplatedPolicies?: Array<{
            TemplateID?: string;
            TemplateName: string;
            TemplateVariables?: {
                name: string;
            };
            Datacenters?: Array<string>;
        }>;
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
};

export type UpdateTokenResponse = UpdateTokenResponses[keyof UpdateTokenResponses];

export type ReplaceTokenData = {
    body: {
        /**
         * Chosen on creation with operator:write, or acl:write in the default namespace of the partition.
         */
        AccessorID?: string;
        SecretID?: string;
        /**
         * At most 8192 bytes of UTF-8.
         */
        Description?: string;
        Roles?: Array<{
            ID?: string;
            Name?: string;
        }>;
        Policies?: Array<{
            ID?: string;
            Name?: string;
        }>;
        /**
         * At most 65536 bytes as JSON.
         */
        ServiceIdentities?: Array<{
            ServiceName?: string;
            /**
             * At most 2048 bytes as JSON.
             */
            Datacenters?: Array<string>;
        }>;
        /**
         * At most 65536 bytes as JSON.
         */
        NodeIdentities?: Array<{
            NodeName?: string;
            Datacenter?: string;
        }>;
        /**
         * At most 65536 bytes as JSON.
         */
        TemplatedPolicies?: Array<{
            TemplateID?: string;
            TemplateName?: string;
            TemplateVariables?: {
                Name?: string;
            };
            /**
             * At most 2048 bytes as JSON.
             */
            Datacenters?: Array<string>;
        }>;
        Local?: boolean;
        AuthMethod?: string;
        AuthMethodNamespace?: string;
        ExpirationTime?: string;
        ExpirationTTL?: string | number;
        CreateTime?: string;
        readonly LastUsed?: string;
        Namespace?: string;
        Partition?: string;
        readonly CreateIndex?: number;
        readonly ModifyIndex?: number;
        readonly Hash?: string | null;
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
    url: '/v1/acl/token/{accessor}';
};

export type ReplaceTokenResponses = {
    /**
     * The token.
     */
    200: {
        AccessorID: string;
        SecretID: string;
        Description: string;
        Roles?: Array<{
            ID: string;
            Name: string;
        }>;
        Policies?: Array<{
            ID: string;
            Name: string;
        }>;
        ServiceIdentities?: Array<{
            ServiceName: string;
            Datacenters?: Array<string>;
        }>;
        NodeIdentities?: Array<{
            NodeName: string;
            Datacenter: string;
        }>;
        TemplatedPolicies?: Array<{
            TemplateID?: string;
            TemplateName: string;
            TemplateVariables?: {
                name: string;
            };
            Datacenters?: Array<string>;
        }>;
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
         * The X-Service-Next of the page before.
         */
        after?: string;
        /**
         * Only entries that hold this text, in any case.
         */
        search?: string;
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
         * Wait until the index of the answer is greater; X-Service-Index of the answer before.
         */
        index?: string;
        /**
         * How long to wait at most, such as 5m.
         */
        wait?: string;
        /**
         * A replica may answer.
         */
        stale?: string;
        /**
         * A replica that is not further behind than this may answer, such as 10s.
         */
        max_stale?: string;
        /**
         * The primary answers, as without it.
         */
        consistent?: string;
    };
    url: '/v1/acl/tokens';
};

export type ListTokensResponses = {
    /**
     * The tokens; SecretID is `<hidden>` without acl:write.
     */
    200: Array<{
        AccessorID: string;
        SecretID: string;
        Description: string;
        Roles?: Array<{
            ID: string;
            Name: string;
        }>;
        Policies?: Array<{
            ID: string;
            Name: string;
        }>;
        ServiceIdentities?: Array<{
            ServiceName: string;
            Datacenters?: Array<string>;
        }>;
        NodeIdentities?: Array<{
            NodeName: string;
            Datacenter: string;
        }>;
        TemplatedPolicies?: Array<{
            TemplateID?: string;
            TemplateName: string;
            TemplateVariables?: {
                name: string;
            };
            Datacenters?: Array<string>;
        }>;
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
    }>;
};

export type ListTokensResponse = ListTokensResponses[keyof ListTokensResponses];

export type CloneTokenData = {
    body: {
        /**
         * Chosen on creation with operator:write, or acl:write in the default namespace of the partition.
         */
        AccessorID?: string;
        SecretID?: string;
        /**
         * At most 8192 bytes of UTF-8.
         */
        Description?: string;
        Roles?: Array<{
            ID?: string;
            Name?: string;
        }>;
        Policies?: Array<{
            ID?: string;
            Name?: string;
        }>;
        /**
         * At most 65536 bytes as JSON.
         */
        ServiceIdentities?: Array<{
            ServiceName?: string;
            /**
             * At most 2048 bytes as JSON.
             */
            Datacenters?: Array<string>;
        }>;
        /**
         * At most 65536 bytes as JSON.
         */
        NodeIdentities?: Array<{
            NodeName?: string;
            Datacenter?: string;
        }>;
        /**
         * At most 65536 bytes as JSON.
         */
        TemplatedPolicies?: Array<{
            TemplateID?: string;
            TemplateName?: string;
            TemplateVariables?: {
                Name?: string;
            };
            /**
             * At most 2048 bytes as JSON.
             */
            Datacenters?: Array<string>;
        }>;
        Local?: boolean;
        AuthMethod?: string;
        AuthMethodNamespace?: string;
        ExpirationTime?: string;
        ExpirationTTL?: string | number;
        CreateTime?: string;
        readonly LastUsed?: string;
        Namespace?: string;
        Partition?: string;
        readonly CreateIndex?: number;
        readonly ModifyIndex?: number;
        readonly Hash?: string | null;
    };
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
    200: {
        AccessorID: string;
        SecretID: string;
        Description: string;
        Roles?: Array<{
            ID: string;
            Name: string;
        }>;
        Policies?: Array<{
            ID: string;
            Name: string;
        }>;
        ServiceIdentities?: Array<{
            ServiceName: string;
            Datacenters?: Array<string>;
        }>;
        NodeIdentities?: Array<{
            NodeName: string;
            Datacenter: string;
        }>;
        TemplatedPolicies?: Array<{
            TemplateID?: string;
            TemplateName: string;
            TemplateVariables?: {
                name: string;
            };
            Datacenters?: Array<string>;
        }>;
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
};

export type CloneTokenResponse = CloneTokenResponses[keyof CloneTokenResponses];

export type RotateTokenData = {
    body: {
        /**
         * For how long the secret of before counts beside the new one: 0, unless it is said, to 168h.
         */
        Overlap?: string | number;
        Namespace?: string;
        Partition?: string;
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
    200: {
        AccessorID: string;
        SecretID: string;
        Description: string;
        Roles?: Array<{
            ID: string;
            Name: string;
        }>;
        Policies?: Array<{
            ID: string;
            Name: string;
        }>;
        ServiceIdentities?: Array<{
            ServiceName: string;
            Datacenters?: Array<string>;
        }>;
        NodeIdentities?: Array<{
            NodeName: string;
            Datacenter: string;
        }>;
        TemplatedPolicies?: Array<{
            TemplateID?: string;
            TemplateName: string;
            TemplateVariables?: {
                name: string;
            };
            Datacenters?: Array<string>;
        }>;
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
        /**
         * Until when secrets of before count; absent when they do not.
         */
        OldSecretExpirationTime?: string;
    };
};

export type RotateTokenResponse = RotateTokenResponses[keyof RotateTokenResponses];

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
         * A replica may answer.
         */
        stale?: string;
        /**
         * A replica that is not further behind than this may answer, such as 10s.
         */
        max_stale?: string;
        /**
         * The primary answers, as without it.
         */
        consistent?: string;
    };
    url: '/v1/acl/token/self';
};

export type ReadOwnTokenResponses = {
    /**
     * The token.
     */
    200: {
        AccessorID: string;
        SecretID: string;
        Description: string;
        Roles?: Array<{
            ID: string;
            Name: string;
        }>;
        Policies?: Array<{
            ID: string;
            Name: string;
        }>;
        ServiceIdentities?: Array<{
            ServiceName: string;
            Datacenters?: Array<string>;
        }>;
        NodeIdentities?: Array<{
            NodeName: string;
            Datacenter: string;
        }>;
        TemplatedPolicies?: Array<{
            TemplateID?: string;
            TemplateName: string;
            TemplateVariables?: {
                name: string;
            };
            Datacenters?: Array<string>;
        }>;
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
};

export type ReadOwnTokenResponse = ReadOwnTokenResponses[keyof ReadOwnTokenResponses];

export type FindLeakedTokensData = {
    body: {
        /**
         * At most 1,000.
         */
        Secrets?: Array<string>;
    };
    path?: never;
    query?: never;
    url: '/v1/acl/tokens/leaked';
};

export type FindLeakedTokensResponses = {
    /**
     * Those that live. No secret is in the answer.
     */
    200: {
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
};

export type FindLeakedTokensResponse = FindLeakedTokensResponses[keyof FindLeakedTokensResponses];

export type RevokeTokensData = {
    body: {
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
    200: {
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
    200: {
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
    200: {
        [key: string]: {
            TemplateName: string;
            /**
             * JSON schema of the variables; empty when there are none.
             */
            Schema: string;
            Template: string;
            Description: string;
        };
    };
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
    200: {
        TemplateName: string;
        /**
         * JSON schema of the variables; empty when there are none.
         */
        Schema: string;
        Template: string;
        Description: string;
    };
};

export type ReadTemplatedPolicyResponse = ReadTemplatedPolicyResponses[keyof ReadTemplatedPolicyResponses];

export type PreviewTemplatedPolicyData = {
    body: {
        Name?: string;
    };
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
    200: {
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
};

export type PreviewTemplatedPolicyResponse = PreviewTemplatedPolicyResponses[keyof PreviewTemplatedPolicyResponses];

export type CreateAuthMethodData = {
    body: {
        Name?: string;
        Type?: string;
        /**
         * At most 8192 bytes of UTF-8.
         */
        DisplayName?: string;
        /**
         * At most 8192 bytes of UTF-8.
         */
        Description?: string;
        MaxTokenTTL?: string | number;
        TokenLocality?: string;
        Namespace?: string;
        Partition?: string;
        readonly CreateIndex?: number;
        readonly ModifyIndex?: number;
        Config?: {
            [key: string]: unknown;
        };
        NamespaceRules?: Array<{
            Selector?: string;
            BindNamespace?: string;
        }>;
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
    url: '/v1/acl/auth-method';
};

export type CreateAuthMethodResponses = {
    /**
     * The auth method; secrets of its configuration are `<hidden>` without acl:write.
     */
    200: {
        Name: string;
        Type: string;
        DisplayName?: string;
        Description?: string;
        MaxTokenTTL?: string;
        TokenLocality?: string;
        Namespace?: string;
        Partition?: string;
        CreateIndex: number;
        ModifyIndex: number;
        Config: {
            [key: string]: unknown;
        };
        NamespaceRules?: Array<{
            Selector?: string;
            BindNamespace: string;
        }>;
    };
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
         * A replica may answer.
         */
        stale?: string;
        /**
         * A replica that is not further behind than this may answer, such as 10s.
         */
        max_stale?: string;
        /**
         * The primary answers, as without it.
         */
        consistent?: string;
    };
    url: '/v1/acl/auth-method/{name}';
};

export type ReadAuthMethodResponses = {
    /**
     * The auth method; secrets of its configuration are `<hidden>` without acl:write.
     */
    200: {
        Name: string;
        Type: string;
        DisplayName?: string;
        Description?: string;
        MaxTokenTTL?: string;
        TokenLocality?: string;
        Namespace?: string;
        Partition?: string;
        CreateIndex: number;
        ModifyIndex: number;
        Config: {
            [key: string]: unknown;
        };
        NamespaceRules?: Array<{
            Selector?: string;
            BindNamespace: string;
        }>;
    };
};

export type ReadAuthMethodResponse = ReadAuthMethodResponses[keyof ReadAuthMethodResponses];

export type UpdateAuthMethodData = {
    body: {
        Name?: string;
        Type?: string;
        /**
         * At most 8192 bytes of UTF-8.
         */
        DisplayName?: string;
        /**
         * At most 8192 bytes of UTF-8.
         */
        Description?: string;
        MaxTokenTTL?: string | number;
        TokenLocality?: string;
        Namespace?: string;
        Partition?: string;
        readonly CreateIndex?: number;
        readonly ModifyIndex?: number;
        Config?: {
            [key: string]: unknown;
        };
        NamespaceRules?: Array<{
            Selector?: string;
            BindNamespace?: string;
        }>;
    };
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
    200: {
        Name: string;
        Type: string;
        DisplayName?: string;
        Description?: string;
        MaxTokenTTL?: string;
        TokenLocality?: string;
        Namespace?: string;
        Partition?: string;
        CreateIndex: number;
        ModifyIndex: number;
        Config: {
            [key: string]: unknown;
        };
        NamespaceRules?: Array<{
            Selector?: string;
            BindNamespace: string;
        }>;
    };
};

export type UpdateAuthMethodResponse = UpdateAuthMethodResponses[keyof UpdateAuthMethodResponses];

export type ReplaceAuthMethodData = {
    body: {
        Name?: string;
        Type?: string;
        /**
         * At most 8192 bytes of UTF-8.
         */
        DisplayName?: string;
        /**
         * At most 8192 bytes of UTF-8.
         */
        Description?: string;
        MaxTokenTTL?: string | number;
        TokenLocality?: string;
        Namespace?: string;
        Partition?: string;
        readonly CreateIndex?: number;
        readonly ModifyIndex?: number;
        Config?: {
            [key: string]: unknown;
        };
        NamespaceRules?: Array<{
            Selector?: string;
            BindNamespace?: string;
        }>;
    };
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
    200: {
        Name: string;
        Type: string;
        DisplayName?: string;
        Description?: string;
        MaxTokenTTL?: string;
        TokenLocality?: string;
        Namespace?: string;
        Partition?: string;
        CreateIndex: number;
        ModifyIndex: number;
        Config: {
            [key: string]: unknown;
        };
        NamespaceRules?: Array<{
            Selector?: string;
            BindNamespace: string;
        }>;
    };
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
         * The X-Service-Next of the page before.
         */
        after?: string;
        /**
         * Only entries that hold this text, in any case.
         */
        search?: string;
        /**
         * Wait until the index of the answer is greater; X-Service-Index of the answer before.
         */
        index?: string;
        /**
         * How long to wait at most, such as 5m.
         */
        wait?: string;
        /**
         * A replica may answer.
         */
        stale?: string;
        /**
         * A replica that is not further behind than this may answer, such as 10s.
         */
        max_stale?: string;
        /**
         * The primary answers, as without it.
         */
        consistent?: string;
    };
    url: '/v1/acl/auth-methods';
};

export type ListAuthMethodsResponses = {
    /**
     * The auth methods, without their configurations.
     */
    200: Array<{
        Name: string;
        Type: string;
        DisplayName?: string;
        Description?: string;
        MaxTokenTTL?: string;
        TokenLocality?: string;
        Namespace?: string;
        Partition?: string;
        CreateIndex: number;
        ModifyIndex: number;
    }>;
};

export type ListAuthMethodsResponse = ListAuthMethodsResponses[keyof ListAuthMethodsResponses];

export type CreateBindingRuleData = {
    body: {
        ID?: string;
        /**
         * At most 8192 bytes of UTF-8.
         */
        Description?: string;
        AuthMethod?: string;
        Selector?: string;
        BindType?: string;
        BindName?: string;
        BindVars?: {
            Name?: string;
        };
        Namespace?: string;
        Partition?: string;
        readonly CreateIndex?: number;
        readonly ModifyIndex?: number;
    };
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
    200: {
        ID: string;
        Description: string;
        AuthMethod: string;
        Selector?: string;
        BindType: string;
        BindName: string;
        BindVars?: {
            Name?: string;
        };
        Namespace?: string;
        Partition?: string;
        CreateIndex: number;
        ModifyIndex: number;
    };
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
         * A replica may answer.
         */
        stale?: string;
        /**
         * A replica that is not further behind than this may answer, such as 10s.
         */
        max_stale?: string;
        /**
         * The primary answers, as without it.
         */
        consistent?: string;
    };
    url: '/v1/acl/binding-rule/{id}';
};

export type ReadBindingRuleResponses = {
    /**
     * The binding rule; without a `Selector` it is for all identities.
     */
    200: {
        ID: string;
        Description: string;
        AuthMethod: string;
        Selector?: string;
        BindType: string;
        BindName: string;
        BindVars?: {
            Name?: string;
        };
        Namespace?: string;
        Partition?: string;
        CreateIndex: number;
        ModifyIndex: number;
    };
};

export type ReadBindingRuleResponse = ReadBindingRuleResponses[keyof ReadBindingRuleResponses];

export type UpdateBindingRuleData = {
    body: {
        ID?: string;
        /**
         * At most 8192 bytes of UTF-8.
         */
        Description?: string;
        AuthMethod?: string;
        Selector?: string;
        BindType?: string;
        BindName?: string;
        BindVars?: {
            Name?: string;
        };
        Namespace?: string;
        Partition?: string;
        readonly CreateIndex?: number;
        readonly ModifyIndex?: number;
    };
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
    200: {
        ID: string;
        Description: string;
        AuthMethod: string;
        Selector?: string;
        BindType: string;
        BindName: string;
        BindVars?: {
            Name?: string;
        };
        Namespace?: string;
        Partition?: string;
        CreateIndex: number;
        ModifyIndex: number;
    };
};

export type UpdateBindingRuleResponse = UpdateBindingRuleResponses[keyof UpdateBindingRuleResponses];

export type ReplaceBindingRuleData = {
    body: {
        ID?: string;
        /**
         * At most 8192 bytes of UTF-8.
         */
        Description?: string;
        AuthMethod?: string;
        Selector?: string;
        BindType?: string;
        BindName?: string;
        BindVars?: {
            Name?: string;
        };
        Namespace?: string;
        Partition?: string;
        readonly CreateIndex?: number;
        readonly ModifyIndex?: number;
    };
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
    200: {
        ID: string;
        Description: string;
        AuthMethod: string;
        Selector?: string;
        BindType: string;
        BindName: string;
        BindVars?: {
            Name?: string;
        };
        Namespace?: string;
        Partition?: string;
        CreateIndex: number;
        ModifyIndex: number;
    };
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
         * The X-Service-Next of the page before.
         */
        after?: string;
        /**
         * Only entries that hold this text, in any case.
         */
        search?: string;
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
         * A replica may answer.
         */
        stale?: string;
        /**
         * A replica that is not further behind than this may answer, such as 10s.
         */
        max_stale?: string;
        /**
         * The primary answers, as without it.
         */
        consistent?: string;
    };
    url: '/v1/acl/binding-rules';
};

export type ListBindingRulesResponses = {
    /**
     * The binding rules.
     */
    200: Array<{
        ID: string;
        Description: string;
        AuthMethod: string;
        Selector?: string;
        BindType: string;
        BindName: string;
        BindVars?: {
            Name?: string;
        };
        Namespace?: string;
        Partition?: string;
        CreateIndex: number;
        ModifyIndex: number;
    }>;
};

export type ListBindingRulesResponse = ListBindingRulesResponses[keyof ListBindingRulesResponses];

export type LoginData = {
    body: {
        AuthMethod?: string;
        BearerToken?: string;
        Meta?: {
            [key: string]: string;
        };
        Namespace?: string;
        Partition?: string;
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
    };
    url: '/v1/acl/login';
};

export type LoginResponses = {
    /**
     * The token.
     */
    200: {
        AccessorID: string;
        SecretID: string;
        Description: string;
        Roles?: Array<{
            ID: string;
            Name: string;
        }>;
        Policies?: Array<{
            ID: string;
            Name: string;
        }>;
        ServiceIdentities?: Array<{
            ServiceName: string;
            Datacenters?: Array<string>;
        }>;
        NodeIdentities?: Array<{
            NodeName: string;
            Datacenter: string;
        }>;
        TemplatedPolicies?: Array<{
            TemplateID?: string;
            TemplateName: string;
            TemplateVariables?: {
                name: string;
            };
            Datacenters?: Array<string>;
        }>;
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
    body: {
        AuthMethod?: string;
        BearerToken?: string;
        Identity?: {
            [key: string]: unknown;
        };
        Namespace?: string;
        Partition?: string;
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
    };
    url: '/v1/acl/login/explain';
};

export type ExplainLoginResponses = {
    /**
     * The identity, each binding rule with why it gives what it gives, and the outcome.
     */
    200: {
        AuthMethod: string;
        Identity?: {
            [key: string]: unknown;
        };
        Variables?: {
            [key: string]: string;
        };
        Rules: Array<{
            ID: string;
            /**
             * matched, not matched or failed.
             */
            Verdict: string;
            Reason: string;
        }>;
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
};

export type ExplainLoginResponse = ExplainLoginResponses[keyof ExplainLoginResponses];

export type AuthorizeInternallyData = {
    body: Array<{
        Resource?: string;
        Access?: string;
        Segment?: string;
        Namespace?: string;
        Partition?: string;
    }>;
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
    200: Array<{
        Resource: string;
        Access: string;
        Segment?: string;
        Namespace?: string;
        Partition?: string;
        Allow: boolean;
        Explain?: {
            /**
             * direct, default or default-policy.
             */
            DecidedBy: string;
            Rule?: {
                Resource: string;
                Segment: string;
                Prefix?: true;
                Policy: string;
            };
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
    }>;
};

export type AuthorizeInternallyResponse = AuthorizeInternallyResponses[keyof AuthorizeInternallyResponses];

export type AuthorizeData = {
    body: Array<{
        Resource?: string;
        Access?: string;
        Segment?: string;
        Namespace?: string;
        Partition?: string;
    }>;
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
    200: Array<{
        Resource: string;
        Access: string;
        Segment?: string;
        Namespace?: string;
        Partition?: string;
        Allow: boolean;
        Explain?: {
            /**
             * direct, default or default-policy.
             */
            DecidedBy: string;
            Rule?: {
                Resource: string;
                Segment: string;
                Prefix?: true;
                Policy: string;
            };
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
    }>;
};

export type AuthorizeResponse = AuthorizeResponses[keyof AuthorizeResponses];

export type CreateNamespaceData = {
    body: {
        Name?: string;
        /**
         * At most 8192 bytes of UTF-8.
         */
        Description?: string;
        ACLs?: {
            PolicyDefaults?: Array<{
                ID?: string;
                Name?: string;
            }>;
            RoleDefaults?: Array<{
                ID?: string;
                Name?: string;
            }>;
        };
        Meta?: {
            [key: string]: string;
        };
        Partition?: string;
        readonly CreateIndex?: number;
        readonly ModifyIndex?: number;
        readonly DeletedAt?: string;
    };
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
    200: {
        Name: string;
        Description?: string;
        ACLs?: {
            PolicyDefaults: Array<{
                ID: string;
                Name: string;
            }>;
            RoleDefaults: Array<{
                ID: string;
                Name: string;
            }>;
        };
        Meta?: {
            [key: string]: string;
        };
        DeletedAt?: string;
        Partition: string;
        CreateIndex: number;
        ModifyIndex: number;
    };
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
     * It is marked for deletion; the body is empty.
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
         * A replica may answer.
         */
        stale?: string;
        /**
         * A replica that is not further behind than this may answer, such as 10s.
         */
        max_stale?: string;
        /**
         * The primary answers, as without it.
         */
        consistent?: string;
    };
    url: '/v1/namespace/{name}';
};

export type ReadNamespaceResponses = {
    /**
     * The namespace; `DeletedAt` is there once it is marked for deletion.
     */
    200: {
        Name: string;
        Description?: string;
        ACLs?: {
            PolicyDefaults: Array<{
                ID: string;
                Name: string;
            }>;
            RoleDefaults: Array<{
                ID: string;
                Name: string;
            }>;
        };
        Meta?: {
            [key: string]: string;
        };
        DeletedAt?: string;
        Partition: string;
        CreateIndex: number;
        ModifyIndex: number;
    };
};

export type ReadNamespaceResponse = ReadNamespaceResponses[keyof ReadNamespaceResponses];

export type UpdateNamespaceData = {
    body: {
        Name?: string;
        /**
         * At most 8192 bytes of UTF-8.
         */
        Description?: string;
        ACLs?: {
            PolicyDefaults?: Array<{
                ID?: string;
                Name?: string;
            }>;
            RoleDefaults?: Array<{
                ID?: string;
                Name?: string;
            }>;
        };
        Meta?: {
            [key: string]: string;
        };
        Partition?: string;
        readonly CreateIndex?: number;
        readonly ModifyIndex?: number;
        readonly DeletedAt?: string;
    };
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
    200: {
        Name: string;
        Description?: string;
        ACLs?: {
            PolicyDefaults: Array<{
                ID: string;
                Name: string;
            }>;
            RoleDefaults: Array<{
                ID: string;
                Name: string;
            }>;
        };
        Meta?: {
            [key: string]: string;
        };
        DeletedAt?: string;
        Partition: string;
        CreateIndex: number;
        ModifyIndex: number;
    };
};

export type UpdateNamespaceResponse = UpdateNamespaceResponses[keyof UpdateNamespaceResponses];

export type ReplaceNamespaceData = {
    body: {
        Name?: string;
        /**
         * At most 8192 bytes of UTF-8.
         */
        Description?: string;
        ACLs?: {
            PolicyDefaults?: Array<{
                ID?: string;
                Name?: string;
            }>;
            RoleDefaults?: Array<{
                ID?: string;
                Name?: string;
            }>;
        };
        Meta?: {
            [key: string]: string;
        };
        Partition?: string;
        readonly CreateIndex?: number;
        readonly ModifyIndex?: number;
        readonly DeletedAt?: string;
    };
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
    200: {
        Name: string;
        Description?: string;
        ACLs?: {
            PolicyDefaults: Array<{
                ID: string;
                Name: string;
            }>;
            RoleDefaults: Array<{
                ID: string;
                Name: string;
            }>;
        };
        Meta?: {
            [key: string]: string;
        };
        DeletedAt?: string;
        Partition: string;
        CreateIndex: number;
        ModifyIndex: number;
    };
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
         * The X-Service-Next of the page before.
         */
        after?: string;
        /**
         * Only entries that hold this text, in any case.
         */
        search?: string;
        /**
         * Wait until the index of the answer is greater; X-Service-Index of the answer before.
         */
        index?: string;
        /**
         * How long to wait at most, such as 5m.
         */
        wait?: string;
        /**
         * A replica may answer.
         */
        stale?: string;
        /**
         * A replica that is not further behind than this may answer, such as 10s.
         */
        max_stale?: string;
        /**
         * The primary answers, as without it.
         */
        consistent?: string;
    };
    url: '/v1/namespaces';
};

export type ListNamespacesResponses = {
    /**
     * The namespaces that the caller may see.
     */
    200: Array<{
        Name: string;
        Description?: string;
        ACLs?: {
            PolicyDefaults: Array<{
                ID: string;
                Name: string;
            }>;
            RoleDefaults: Array<{
                ID: string;
                Name: string;
            }>;
        };
        Meta?: {
            [key: string]: string;
        };
        DeletedAt?: string;
        Partition: string;
        CreateIndex: number;
        ModifyIndex: number;
    }>;
};

export type ListNamespacesResponse = ListNamespacesResponses[keyof ListNamespacesResponses];

export type CreatePartitionData = {
    body: {
        Name?: string;
        /**
         * At most 8192 bytes of UTF-8.
         */
        Description?: string;
        DisableGossip?: boolean;
        readonly CreateIndex?: number;
        readonly ModifyIndex?: number;
        readonly DeletedAt?: string;
    };
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
    200: {
        Name: string;
        Description?: string;
        DisableGossip?: boolean;
        DeletedAt?: string;
        CreateIndex: number;
        ModifyIndex: number;
    };
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
     * It is marked for deletion; the body is empty.
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
         * A replica may answer.
         */
        stale?: string;
        /**
         * A replica that is not further behind than this may answer, such as 10s.
         */
        max_stale?: string;
        /**
         * The primary answers, as without it.
         */
        consistent?: string;
    };
    url: '/v1/partition/{name}';
};

export type ReadPartitionResponses = {
    /**
     * The partition; `DeletedAt` is there once it is marked for deletion.
     */
    200: {
        Name: string;
        Description?: string;
        DisableGossip?: boolean;
        DeletedAt?: string;
        CreateIndex: number;
        ModifyIndex: number;
    };
};

export type ReadPartitionResponse = ReadPartitionResponses[keyof ReadPartitionResponses];

export type UpdatePartitionData = {
    body: {
        Name?: string;
        /**
         * At most 8192 bytes of UTF-8.
         */
        Description?: string;
        DisableGossip?: boolean;
        readonly CreateIndex?: number;
        readonly ModifyIndex?: number;
        readonly DeletedAt?: string;
    };
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
    200: {
        Name: string;
        Description?: string;
        DisableGossip?: boolean;
        DeletedAt?: string;
        CreateIndex: number;
        ModifyIndex: number;
    };
};

export type UpdatePartitionResponse = UpdatePartitionResponses[keyof UpdatePartitionResponses];

export type ReplacePartitionData = {
    body: {
        Name?: string;
        /**
         * At most 8192 bytes of UTF-8.
         */
        Description?: string;
        DisableGossip?: boolean;
        readonly CreateIndex?: number;
        readonly ModifyIndex?: number;
        readonly DeletedAt?: string;
    };
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
    200: {
        Name: string;
        Description?: string;
        DisableGossip?: boolean;
        DeletedAt?: string;
        CreateIndex: number;
        ModifyIndex: number;
    };
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
         * The X-Service-Next of the page before.
         */
        after?: string;
        /**
         * Only entries that hold this text, in any case.
         */
        search?: string;
        /**
         * Wait until the index of the answer is greater; X-Service-Index of the answer before.
         */
        index?: string;
        /**
         * How long to wait at most, such as 5m.
         */
        wait?: string;
        /**
         * A replica may answer.
         */
        stale?: string;
        /**
         * A replica that is not further behind than this may answer, such as 10s.
         */
        max_stale?: string;
        /**
         * The primary answers, as without it.
         */
        consistent?: string;
    };
    url: '/v1/partitions';
};

export type ListPartitionsResponses = {
    /**
     * The partitions that the caller may read.
     */
    200: Array<{
        Name: string;
        Description?: string;
        DisableGossip?: boolean;
        DeletedAt?: string;
        CreateIndex: number;
        ModifyIndex: number;
    }>;
};

export type ListPartitionsResponse = ListPartitionsResponses[keyof ListPartitionsResponses];

export type MakeOidcAuthUrlData = {
    body: {
        AuthMethod?: string;
        RedirectURI?: string;
        ClientNonce?: string;
        Meta?: {
            [key: string]: string;
        };
        Namespace?: string;
        Partition?: string;
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
    };
    url: '/v1/acl/oidc/auth-url';
};

export type MakeOidcAuthUrlResponses = {
    /**
     * Where the browser of who logs in has to go.
     */
    200: {
        AuthURL: string;
    };
};

export type MakeOidcAuthUrlResponse = MakeOidcAuthUrlResponses[keyof MakeOidcAuthUrlResponses];

export type FinishOidcLoginData = {
    body: {
        AuthMethod?: string;
        State?: string;
        Code?: string;
        ClientNonce?: string;
        Namespace?: string;
        Partition?: string;
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
    };
    url: '/v1/acl/oidc/callback';
};

export type FinishOidcLoginResponses = {
    /**
     * The token.
     */
    200: {
        AccessorID: string;
        SecretID: string;
        Description: string;
        Roles?: Array<{
            ID: string;
            Name: string;
        }>;
        Policies?: Array<{
            ID: string;
            Name: string;
        }>;
        ServiceIdentities?: Array<{
            ServiceName: string;
            Datacenters?: Array<string>;
        }>;
        NodeIdentities?: Array<{
            NodeName: string;
            Datacenter: string;
        }>;
        TemplatedPolicies?: Array<{
            TemplateID?: string;
            TemplateName: string;
            TemplateVariables?: {
                name: string;
            };
            Datacenters?: Array<string>;
        }>;
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
    200: Array<{
        Name: string;
        DisplayName?: string;
        Type: string;
        Kind: string;
        Namespace?: string;
        Partition?: string;
    }>;
};

export type ListOidcAuthMethodsResponse = ListOidcAuthMethodsResponses[keyof ListOidcAuthMethodsResponses];

export type StreamEventsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Names with commas between them, of auth-methods, binding-rules, namespaces, policies, roles, tokens; all when left out.
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
         * The X-Service-Next of the page before.
         */
        after?: string;
        /**
         * Only entries that hold this text, in any case.
         */
        search?: string;
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
         * A replica may answer.
         */
        stale?: string;
        /**
         * A replica that is not further behind than this may answer, such as 10s.
         */
        max_stale?: string;
        /**
         * The primary answers, as without it.
         */
        consistent?: string;
    };
    url: '/v1/audit';
};

export type ListAuditResponses = {
    /**
     * The records, the newest first.
     */
    200: Array<{
        [key: string]: unknown;
    }>;
};

export type ListAuditResponse = ListAuditResponses[keyof ListAuditResponses];

/** What each operation takes and answers. */
export interface OperationTypes {
    getHealth: { takes: GetHealthData; answers: GetHealthResponses };
    getReadiness: { takes: GetReadinessData; answers: GetReadinessResponses };
    getMetrics: { takes: GetMetricsData; answers: GetMetricsResponses };
    discoverServices: { takes: DiscoverServicesData; answers: DiscoverServicesResponses };
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
    createToken: { takes: CreateTokenData; answers: CreateTokenResponses };
    replaceToken: { takes: ReplaceTokenData; answers: ReplaceTokenResponses };
    updateToken: { takes: UpdateTokenData; answers: UpdateTokenResponses };
    deleteToken: { takes: DeleteTokenData; answers: DeleteTokenResponses };
    readToken: { takes: ReadTokenData; answers: ReadTokenResponses };
    listTokens: { takes: ListTokensData; answers: ListTokensResponses };
    cloneToken: { takes: CloneTokenData; answers: CloneTokenResponses };
    rotateToken: { takes: RotateTokenData; answers: RotateTokenResponses };
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
}
