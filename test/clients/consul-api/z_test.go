package consulapi
import "testing"
func TestZ(t *testing.T){ remember("/v1/acl/bootstrap") }
