package consulapi

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/consul/api"
)

func TestRoleRefusals(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		role, other := e.role(), e.role()
		unknown := newUUID()

		refuses := func(t *testing.T, content *api.ACLRole, text string) {
			t.Helper()
			_, _, err := e.RoleCreate(content, nil)
			wantRefusal(t, err, 400, text)
			update := *content
			update.ID = role.ID
			_, _, err = e.RoleUpdate(&update, nil)
			wantRefusal(t, err, 400, text)
		}
		for name, text := range map[string]string{
			"":                       "no Name is set",
			strings.Repeat("x", 257): "invalid Name. Only alphanumeric characters, '-' and '_' are allowed",
			"a/b":                    "invalid Name. Only alphanumeric characters, '-' and '_' are allowed",
			"a b":                    "invalid Name. Only alphanumeric characters, '-' and '_' are allowed",
		} {
			t.Run(fmt.Sprintf("name %.20q", name), func(t *testing.T) { refuses(t, &api.ACLRole{Name: name}, "Invalid Role: "+text) })
		}
		for _, test := range identityRefusals() {
			t.Run(test.name, func(t *testing.T) {
				content := &api.ACLRole{Name: unique("role")}
				content.ServiceIdentities, content.NodeIdentities, content.TemplatedPolicies = test.identities()
				refuses(t, content, test.role)
			})
		}
		t.Run("a link to a policy that is not there", func(t *testing.T) {
			refuses(t, &api.ACLRole{Name: unique("role"), Policies: linksTo("nothing")}, `No such ACL policy with name "nothing"`)
			refuses(t, &api.ACLRole{Name: unique("role"), Policies: links(unknown)}, "Failed to apply role upsert request: No such policy with ID: "+unknown)
			refuses(t, &api.ACLRole{Name: unique("role"), Policies: links(other.ID)}, "Failed to apply role upsert request: No such policy with ID: "+other.ID)
		})
		t.Run("129 links", func(t *testing.T) {
			content := &api.ACLRole{Name: unique("role"), Policies: links(slices.Repeat([]string{managementID}, 129)...)}
			_, _, err := e.RoleCreate(content, nil)
			wantRefusalLike(t, err, 400, "Policies has 129 entries")
		})
		t.Run("a taken name, in any case", func(t *testing.T) {
			for _, name := range []string{other.Name, strings.ToUpper(other.Name)} {
				_, _, err := e.RoleCreate(&api.ACLRole{Name: name}, nil)
				wantRefusal(t, err, 500, fmt.Sprintf("Invalid Role: A Role with Name %q already exists", name))
				_, _, err = e.RoleUpdate(&api.ACLRole{ID: role.ID, Name: name}, nil)
				wantRefusal(t, err, 500, fmt.Sprintf("Invalid Role: A role with name %q already exists", name))
			}
			own := strings.ToUpper(role.Name)
			_, _, err := e.RoleUpdate(&api.ACLRole{ID: role.ID, Name: own}, nil)
			wantRefusal(t, err, 500, fmt.Sprintf("Invalid Role: A role with name %q already exists", own))
		})
		t.Run("an ID on create", func(t *testing.T) {
			_, _, err := e.RoleCreate(&api.ACLRole{ID: unknown, Name: unique("role")}, nil)
			wantLocal(t, err)
			_, err = e.client.Raw().Write("/v1/acl/role", &api.ACLRole{ID: unknown, Name: unique("role")}, nil, nil)
			wantRefusal(t, err, 404, "cannot find role "+unknown)
		})
		t.Run("no ID on update", func(t *testing.T) {
			_, _, err := e.RoleUpdate(&api.ACLRole{Name: unique("role")}, nil)
			wantLocal(t, err)
		})
		t.Run("another ID in the body", func(t *testing.T) {
			_, err := e.client.Raw().Write("/v1/acl/role/"+role.ID, &api.ACLRole{ID: other.ID, Name: unique("role")}, nil, nil)
			wantRefusal(t, err, 400, "Role ID in URL and payload do not match")
		})
		t.Run("an unknown ID", func(t *testing.T) {
			_, _, err := e.RoleUpdate(&api.ACLRole{ID: unknown, Name: unique("role")}, nil)
			wantRefusal(t, err, 404, "cannot find role "+unknown)
			_, err = e.RoleDelete(unknown, nil)
			wantRefusal(t, err, 404, "Cannot find role to delete")
			_, err = e.client.Raw().Query("/v1/acl/role/"+unknown, nil, nil)
			wantRefusal(t, err, 404, "Requested role does not exist: ACL not found")
			_, err = e.client.Raw().Query("/v1/acl/role/name/nothing", nil, nil)
			wantRefusal(t, err, 404, "Requested role does not exist: ACL not found")
		})
		t.Run("an ID that is none", func(t *testing.T) {
			_, _, err := e.RoleUpdate(&api.ACLRole{ID: "nonsense", Name: unique("role")}, nil)
			wantRefusal(t, err, 404, "Role ID invalid UUID")
			_, err = e.RoleDelete("nonsense", nil)
			wantRefusal(t, err, 404, "failed acl role lookup: index error: UUID must be 36 characters")
			_, err = e.client.Raw().Query("/v1/acl/role/nonsense", nil, nil)
			wantRefusal(t, err, 404, "failed acl role lookup: index error: UUID must be 36 characters")
		})
		t.Run("no ID and no name", func(t *testing.T) {
			_, _, err := e.RoleRead("", nil)
			wantRefusal(t, err, 400, "Missing role ID")
			_, err = e.RoleDelete("", nil)
			wantRefusal(t, err, 400, "Missing role ID")
			_, _, err = e.RoleReadByName("", nil)
			wantRefusal(t, err, 400, "Missing role Name")
		})
		t.Run("nothing of this has changed anything", func(t *testing.T) {
			read, _, err := e.RoleRead(role.ID, nil)
			must(t, err, "read")
			same(t, "role", read, role)
		})
	})
}
