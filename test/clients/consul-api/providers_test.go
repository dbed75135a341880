package consulapi

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/hashicorp/consul/api"
)

// outbound are the networks of the providers, which servers connect to only when they are told.
const outbound = "127.0.0.0/8"

// providers vouch for identities; set up by TestMain. providers.ts says what they are.
var providers struct {
	Address string
	Keys    struct{ URL, CA, Static string }
	OpenID  struct{ Issuer, CA, ClientID, ClientSecret, RedirectURI string }

	Kubernetes struct{ URL, CA, Reviewer string }
	AWS        struct{ URL, RoleARN, UserARN, RoleID string }
}

// startProviders returns what ends them.
func startProviders() (stop func() error, err error) {
	root, err := filepath.Abs(filepath.Join("..", "..", ".."))
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(nodeOf(root), filepath.Join(root, "test", "clients", "consul-api", "providers.ts"))
	cmd.Env, cmd.Stderr = serverEnvironment(), os.Stderr
	input, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	endWithUs(cmd)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	stop = func() error { return errors.Join(input.Close(), cmd.Wait()) }
	lines := bufio.NewScanner(output)
	for lines.Scan() {
		// The OpenID provider has something to say about the runtime first.
		if strings.HasPrefix(lines.Text(), "{") {
			err = json.Unmarshal(lines.Bytes(), &providers)
			remember(providers.OpenID.ClientSecret)
			remember(providers.Kubernetes.Reviewer)
			return stop, err
		}
	}
	return stop, errors.Join(errors.New("the providers ended before they were ready"), lines.Err())
}

// doing asks the providers for a work that a test cannot do itself.
func doing[T any](t *testing.T, work string, asked any) (done T) {
	t.Helper()
	body, err := json.Marshal(asked)
	must(t, err, work)
	response, err := http.Post(providers.Address+"/"+work, "application/json", bytes.NewReader(body))
	must(t, err, work)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	must(t, err, work)
	if response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s", work, text)
	}
	must(t, json.Unmarshal(text, &done), work)
	return done
}

type bearer struct{ Token string }

type claims map[string]any

// jwt is signed by the key that staticConfig knows.
func jwt(t *testing.T, with claims) string {
	t.Helper()
	return signed(t, "static", with)
}

// signed is a JWT by one of the keys `static` and `served`.
func signed(t *testing.T, key string, with claims) string {
	t.Helper()
	token := doing[bearer](t, "jwt", map[string]any{"Key": key, "Claims": with}).Token
	remember(token)
	return token
}

// staticConfig maps team, name and groups; what it says can be added to.
func staticConfig() *api.OIDCAuthMethodConfig {
	return &api.OIDCAuthMethodConfig{
		JWTValidationPubKeys: []string{providers.Keys.Static},
		ClaimMappings:        map[string]string{"team": "team", "/person/name": "name"},
		ListClaimMappings:    map[string]string{"groups": "groups"},
	}
}

func openIDConfig() *api.OIDCAuthMethodConfig {
	return &api.OIDCAuthMethodConfig{
		OIDCDiscoveryURL:    providers.OpenID.Issuer,
		OIDCDiscoveryCACert: providers.OpenID.CA,
		OIDCClientID:        providers.OpenID.ClientID,
		OIDCClientSecret:    providers.OpenID.ClientSecret,
		AllowedRedirectURIs: []string{providers.OpenID.RedirectURI},
		ClaimMappings:       map[string]string{"team": "team", "sub": "name"},
		ListClaimMappings:   map[string]string{"groups": "groups"},
	}
}

func kubernetesConfig() *api.KubernetesAuthMethodConfig {
	of := providers.Kubernetes
	return &api.KubernetesAuthMethodConfig{Host: of.URL, CACert: of.CA, ServiceAccountJWT: of.Reviewer}
}

func awsConfig() map[string]any {
	return map[string]any{
		"BoundIAMPrincipalARNs": []string{providers.AWS.RoleARN, providers.AWS.UserARN},
		"STSEndpoint":           providers.AWS.URL, "IAMEndpoint": providers.AWS.URL,
	}
}

// ---- Fixtures: each fails the test when the server refuses it.

// method is a new auth method of type jwt whose keys are its own.
func (e *env) method(change ...func(*api.ACLAuthMethod)) *api.ACLAuthMethod {
	e.t.Helper()
	method := &api.ACLAuthMethod{Name: unique("Method"), Type: "jwt", Description: "for a test", Config: sparse(staticConfig().RenderToConfig())}
	for _, apply := range change {
		apply(method)
	}
	made, _, err := e.AuthMethodCreate(method, nil)
	must(e.t, err, "create auth method")
	return made
}

func (p place) method(made *api.ACLAuthMethod) {
	made.Namespace, made.Partition = p.namespace, p.partition
}

// rule is a new binding rule, in the place of its method, which gives the service web to everybody.
func (e *env) rule(of *api.ACLAuthMethod, change ...func(*api.ACLBindingRule)) *api.ACLBindingRule {
	e.t.Helper()
	rule := &api.ACLBindingRule{
		AuthMethod: of.Name, Description: "for a test", BindType: api.BindingRuleBindTypeService, BindName: "web",
		Namespace: of.Namespace, Partition: of.Partition,
	}
	for _, apply := range change {
		apply(rule)
	}
	made, _, err := e.BindingRuleCreate(rule, nil)
	must(e.t, err, "create binding rule")
	return made
}

func binds(kind api.BindingRuleBindType, name, selector string) func(*api.ACLBindingRule) {
	return func(r *api.ACLBindingRule) { r.BindType, r.BindName, r.Selector = kind, name, selector }
}

// tryLogin logs in as those do who have no token yet.
func (e *env) tryLogin(of *api.ACLAuthMethod, bearerToken string) (*api.ACLToken, error) {
	e.t.Helper()
	at := place{of.Namespace, of.Partition}
	token, _, err := e.as("").Login(&api.ACLLoginParams{AuthMethod: of.Name, BearerToken: bearerToken}, at.write())
	if err == nil {
		remember(token.SecretID)
	}
	return token, err
}

func (e *env) login(of *api.ACLAuthMethod, bearerToken string) *api.ACLToken {
	e.t.Helper()
	token, err := e.tryLogin(of, bearerToken)
	must(e.t, err, "log in")
	return token
}

// asConfig is a configuration as it comes back from JSON.
func asConfig(t *testing.T, config map[string]any) (result map[string]any) {
	t.Helper()
	text, err := json.Marshal(config)
	must(t, err, "encode configuration")
	must(t, json.Unmarshal(text, &result), "decode configuration")
	return result
}

// sparse is a configuration as people write it: without the keys that say nothing, which the client's own types render.
func sparse(config map[string]any) map[string]any {
	result := map[string]any{}
	for key, value := range config {
		if v := reflect.ValueOf(value); v.IsValid() && !v.IsZero() {
			result[key] = value
		}
	}
	return result
}

// names are those that a list shows of, in its order.
func names[T any](list []T, of func(T) string) []string {
	result := []string{}
	for _, entry := range list {
		result = append(result, of(entry))
	}
	return result
}

func deniedLike(method string) string {
	return fmt.Sprintf("ACL not found: auth method %q not found", method)
}
