package consulapi

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/consul/api"
)

// A landing is what a browser brings back from the provider.
type landing struct{ RedirectURI, Code, State, Error string }

func (e *env) oidcMethod(change ...func(*api.ACLAuthMethod)) *api.ACLAuthMethod {
	e.t.Helper()
	first := func(m *api.ACLAuthMethod) {
		m.Type, m.MaxTokenTTL, m.Config = "oidc", time.Hour, sparse(openIDConfig().RenderToConfig())
	}
	return e.method(append([]func(*api.ACLAuthMethod){first}, change...)...)
}

// authURL begins a login, as somebody without a token.
func (e *env) authURL(t *testing.T, of *api.ACLAuthMethod, params api.ACLOIDCAuthURLParams) string {
	t.Helper()
	params.AuthMethod = of.Name
	if params.RedirectURI == "" {
		params.RedirectURI = providers.OpenID.RedirectURI
	}
	address, _, err := e.as("").OIDCAuthURL(&params, place{of.Namespace, of.Partition}.write())
	must(t, err, "auth URL")
	return address
}

func browse(t *testing.T, authURL, account string) landing {
	t.Helper()
	return doing[landing](t, "browse", map[string]any{"AuthURL": authURL, "Account": account})
}

func (e *env) tryCallback(of *api.ACLAuthMethod, with landing, clientNonce string) (*api.ACLToken, error) {
	e.t.Helper()
	token, _, err := e.as("").OIDCCallback(&api.ACLOIDCCallbackParams{
		AuthMethod: of.Name, State: with.State, Code: with.Code, ClientNonce: clientNonce,
	}, place{of.Namespace, of.Partition}.write())
	if err == nil {
		remember(token.SecretID)
	}
	return token, err
}

const badState = "Provider login failed: Expired or missing OAuth state."

func TestOIDC(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		t.Run("somebody logs in at the provider and gets a token for what they are, from both of its answers", func(t *testing.T) {
			method := e.oidcMethod()
			e.rule(method, binds(toService, "${value.team}-${value.name}", `"admins" in list.groups`))
			e.rule(method, binds(toNode, "never", `value.team == "ops"`))
			address := e.authURL(t, method, api.ACLOIDCAuthURLParams{ClientNonce: "n-1", Meta: map[string]string{"page": "<ui>"}})
			landed := browse(t, address, "alice")
			equal(t, "redirect URI", landed.RedirectURI, providers.OpenID.RedirectURI)
			token, err := e.tryCallback(method, landed, "n-1")
			must(t, err, "callback")
			same(t, "token", token, loginToken(t, method, token, func(want *api.ACLToken) {
				want.Description = `token created via OIDC login: {"page":"\u003cui\u003e"}`
				want.ServiceIdentities = []*api.ACLServiceIdentity{{ServiceName: "web-alice"}}
			}))
			self, _, err := e.as(token.SecretID).TokenReadSelf(nil)
			must(t, err, "self")
			same(t, "self", self, token)
			_, err = e.tryCallback(method, landed, "n-1")
			wantRefusal(t, err, 403, badState)
			_, err = e.as(token.SecretID).Logout(nil)
			must(t, err, "log out")
		})
		t.Run("who is somebody else is given something else, or nothing", func(t *testing.T) {
			method := e.oidcMethod()
			e.rule(method, binds(toService, "admin", `"admins" in list.groups`))
			landed := browse(t, e.authURL(t, method, api.ACLOIDCAuthURLParams{}), "bob")
			_, err := e.tryCallback(method, landed, "")
			wantRefusalLike(t, err, 403, nothingBound)
		})
		t.Run("the auth URL carries what the provider is to know", func(t *testing.T) {
			config := openIDConfig()
			config.OIDCScopes, config.OIDCACRValues = []string{"profile", "groups"}, []string{"one", "two"}
			method := e.oidcMethod(func(m *api.ACLAuthMethod) { m.Config = sparse(config.RenderToConfig()) })
			seen := map[string]bool{}
			for range 2 {
				parsed, err := url.Parse(e.authURL(t, method, api.ACLOIDCAuthURLParams{}))
				must(t, err, "parse")
				equal(t, "host", "https://"+parsed.Host, providers.OpenID.Issuer)
				query := parsed.Query()
				for key, want := range map[string]string{
					"client_id": providers.OpenID.ClientID, "redirect_uri": providers.OpenID.RedirectURI, "response_type": "code",
					"scope": "openid profile groups", "acr_values": "one two", "code_challenge_method": "S256",
				} {
					equal(t, key, query.Get(key), want)
				}
				for _, key := range []string{"state", "nonce", "code_challenge"} {
					if value := query.Get(key); value == "" || seen[value] {
						t.Errorf("%s is %q", key, value)
					} else {
						seen[value] = true
					}
				}
			}
		})
		t.Run("redirect URIs are those of the method; on loopback with any port", func(t *testing.T) {
			method := e.oidcMethod()
			moved := strings.Replace(providers.OpenID.RedirectURI, ":8550", ":40123", 1)
			parsed, err := url.Parse(e.authURL(t, method, api.ACLOIDCAuthURLParams{RedirectURI: moved}))
			must(t, err, "parse")
			equal(t, "redirect URI", parsed.Query().Get("redirect_uri"), moved)
			const other = "https://evil.example/oidc/callback"
			_, _, err = e.as("").OIDCAuthURL(&api.ACLOIDCAuthURLParams{AuthMethod: method.Name, RedirectURI: other}, nil)
			wantRefusal(t, err, 403, "unauthorized redirect_uri: "+other)
			_, _, err = e.as("").OIDCAuthURL(&api.ACLOIDCAuthURLParams{AuthMethod: method.Name}, nil)
			wantRefusal(t, err, 400, "missing redirect_uri")
		})
		t.Run("a callback is refused that does not belong to its beginning", func(t *testing.T) {
			method, other := e.oidcMethod(), e.oidcMethod()
			e.rule(method)
			e.rule(other)
			fresh := func(clientNonce string) landing {
				return browse(t, e.authURL(t, method, api.ACLOIDCAuthURLParams{ClientNonce: clientNonce}), "alice")
			}
			landed := fresh("n-1")
			for name, with := range map[string]struct {
				of    *api.ACLAuthMethod
				from  landing
				nonce string
				text  string
			}{
				"another nonce of the client": {method, landed, "n-2", badState},
				"no nonce of the client":      {method, landed, "", badState},
				"another method":              {other, landed, "n-1", badState},
				"no state":                    {method, landing{Code: landed.Code}, "n-1", badState},
				"another state":               {method, landing{Code: landed.Code, State: strings.ToUpper(landed.State)}, "n-1", badState},
				"no code":                     {method, landing{State: landed.State}, "n-1", "Provider login failed: OAuth code parameter not provided"},
			} {
				_, err := e.tryCallback(with.of, with.from, with.nonce)
				if body, ok := refusal(t, err, 403); ok && body != with.text {
					t.Errorf("%s: got %q", name, body)
				}
			}
			_, err := e.tryCallback(method, landing{Code: "invented", State: landed.State}, "n-1")
			wantRefusalLike(t, err, 403, "Provider login failed: Error exchanging oidc code: ")
			_, err = e.tryCallback(method, fresh("n-1"), "n-1")
			must(t, err, "callback that belongs")
			denied := doing[landing](t, "browse", map[string]any{"AuthURL": e.authURL(t, method, api.ACLOIDCAuthURLParams{}), "Deny": true})
			equal(t, "error of who is denied", denied.Error, "access_denied")
		})
		t.Run("methods of other types have no auth URL, and one that is not there neither", func(t *testing.T) {
			method := e.method()
			_, _, err := e.as("").OIDCAuthURL(&api.ACLOIDCAuthURLParams{AuthMethod: method.Name, RedirectURI: "http://localhost/"}, nil)
			refusal(t, err, 403)
			_, _, err = e.as("").OIDCAuthURL(&api.ACLOIDCAuthURLParams{AuthMethod: "nothing", RedirectURI: "http://localhost/"}, nil)
			wantRefusal(t, err, 403, deniedLike("nothing"))
			_, _, err = e.as("").OIDCAuthURL(&api.ACLOIDCAuthURLParams{}, nil)
			wantLocal(t, err)
			_, err = e.tryLogin(e.oidcMethod(), jwt(t, nil))
			refusal(t, err, 403)
		})
		t.Run("the list of methods to choose from needs no token", func(t *testing.T) {
			at := e.newPlace()
			method := e.oidcMethod(at.method, func(m *api.ACLAuthMethod) { m.DisplayName = "People" })
			e.method(at.method)
			var list []map[string]any
			_, err := e.as("").client.Raw().Query("/v1/internal/ui/oidc-auth-methods", &list, at.read())
			must(t, err, "list")
			same(t, "list", list, []map[string]any{{
				"Name": method.Name, "DisplayName": "People", "Type": "oidc", "Kind": "oidc", "Namespace": at.namespace, "Partition": at.partition,
			}})
		})
	})
}
