"""Tags, keys and values by the published Python client."""

from pytfe.models import (
    AddWorkspacesToTagOptions,
    OrganizationTagsDeleteOptions,
    OrganizationTagsListOptions,
    ReservedTagKeyCreateOptions,
    ReservedTagKeyUpdateOptions,
    Tag,
    TagBinding,
    WorkspaceAddTagBindingsOptions,
    WorkspaceAddTagsOptions,
    WorkspaceRemoveTagsOptions,
    WorkspaceTagListOptions,
    WorkspaceUpdateOptions,
)

from served import Served, pairs


class Tags(Served):
    def tag_names(self, workspace):
        return [each.name for each in self.client.workspaces.list_tags(workspace.id)]

    def pool(self, **options):
        found = self.client.organization_tags.list(self.organization, OrganizationTagsListOptions(**options))
        return {each.name: each for each in found}

    def test_flat_tags_of_a_workspace(self):
        made = self.workspace("one")
        tags = [Tag(name="red"), Tag(name="blue")]
        self.client.workspaces.add_tags(made.id, WorkspaceAddTagsOptions(tags=tags))
        self.assertEqual(self.tag_names(made), ["red", "blue"])
        asked = WorkspaceTagListOptions(query="bl")
        self.assertIn("blue", [each.name for each in self.client.workspaces.list_tags(made.id, asked)])
        self.client.workspaces.remove_tags(made.id, WorkspaceRemoveTagsOptions(tags=[Tag(name="red")]))
        self.assertEqual(self.tag_names(made), ["blue"])

    def test_the_pool(self):
        one, two = self.workspace("one"), self.workspace("two")
        tags = [Tag(name="red"), Tag(name="blue")]
        self.client.workspaces.add_tags(one.id, WorkspaceAddTagsOptions(tags=tags))
        self.assertEqual(set(self.pool()), {"red", "blue"})
        self.assertEqual(set(self.pool(query="re")), {"red"})
        self.assertEqual(set(self.pool(filter=one.id)), set())
        red = self.pool()["red"]
        options = AddWorkspacesToTagOptions(workspace_ids=[two.id])
        self.client.organization_tags.add_workspaces(self.organization, red.id, options)
        self.assertEqual(self.tag_names(two), ["red"])
        self.assertEqual(self.pool()["red"].instance_count, 2)
        self.client.organization_tags.delete(self.organization, OrganizationTagsDeleteOptions(ids=[red.id]))
        self.assertEqual(set(self.pool()), {"blue"})

    def test_keys_and_values_of_a_workspace(self):
        workspaces = self.client.workspaces
        project = self.project("Platform", tag_bindings=[TagBinding(key="unit", value="north")])
        made = self.workspace("one", project=project, tag_bindings=[TagBinding(key="env", value="prod")])
        # A key without a value is sent with null, and keeps the value that is there.
        added = [TagBinding(key="tier", value="gold"), TagBinding(key="env"), TagBinding(key="bare")]
        list(workspaces.add_tag_bindings(made.id, WorkspaceAddTagBindingsOptions(tag_bindings=added)))
        own = {"env": "prod", "tier": "gold", "bare": ""}
        self.assertEqual(pairs(workspaces.list_tag_bindings(made.id)), own)
        self.assertEqual(pairs(workspaces.list_effective_tag_bindings(made.id)), {**own, "unit": "north"})
        workspaces.update_by_id(made.id, WorkspaceUpdateOptions(tag_bindings=[TagBinding(key="a", value="b")]))
        self.assertEqual(pairs(workspaces.list_tag_bindings(made.id)), {"a": "b"})
        workspaces.update_by_id(made.id, WorkspaceUpdateOptions(description="d"))
        self.assertEqual(pairs(workspaces.list_tag_bindings(made.id)), {"a": "b"})
        workspaces.delete_all_tag_bindings(made.id)
        self.assertEqual(pairs(workspaces.list_tag_bindings(made.id)), {})

    def test_reserved_keys(self):
        keys = self.client.reserved_tag_key
        made = keys.create(self.organization, ReservedTagKeyCreateOptions(key="owner", disable_overrides=True))
        self.assertEqual((made.key, made.disable_overrides), ("owner", True))
        keys.update(made.id, ReservedTagKeyUpdateOptions(key="owners"))
        self.assertEqual([each.key for each in keys.list(self.organization)], ["owners"])
        keys.delete(made.id)
        self.assertEqual(list(keys.list(self.organization)), [])
