"""Organizations and projects by the published Python client."""

from pytfe.errors import NotFound
from pytfe.models import ProjectAddTagBindingsOptions, ProjectListOptions, ProjectUpdateOptions, TagBinding

from served import Served, pairs


class Projects(Served):
    def names(self, options=None):
        return [each.name for each in self.client.projects.list(self.organization, options)]

    def test_the_organization(self):
        read = self.client.organizations.read(self.organization)
        self.assertEqual((read.name, read.email), (self.organization, "py@example.test"))
        self.assertIn(self.organization, [each.name for each in self.client.organizations.list()])
        self.assertFalse(self.client.organizations.read_entitlements(self.organization).operations)

    def test_created_read_and_changed(self):
        made = self.project("Platform", description="d", auto_destroy_activity_duration="3d")
        read = self.client.projects.read(made.id)
        self.assertEqual((read.name, read.description), ("Platform", "d"))
        self.assertEqual(read.auto_destroy_activity_duration, "3d")
        changed = self.client.projects.update(made.id, ProjectUpdateOptions(description="other"))
        self.assertEqual((changed.name, changed.description), ("Platform", "other"))
        self.assertEqual(changed.auto_destroy_activity_duration, "3d")

    def test_listed_the_newest_first_and_by_keys(self):
        self.project("Aardvark", tag_bindings=[TagBinding(key="unit", value="north")])
        self.project("Zebra")
        self.assertEqual(self.names(), ["Zebra", "Aardvark", "Default Project"])
        self.assertEqual(self.names(ProjectListOptions(query="aard")), ["Aardvark"])
        self.assertEqual(self.names(ProjectListOptions(name="zebra")), ["Zebra"])
        by_keys = ProjectListOptions(tags={"unit": "north"}, include=["effective_tag_bindings"])
        self.assertEqual(self.names(by_keys), ["Aardvark"])

    def test_keys_and_values(self):
        projects = self.client.projects
        made = self.project("Platform", tag_bindings=[TagBinding(key="unit", value="north")])
        added = ProjectAddTagBindingsOptions(tag_bindings=[TagBinding(key="tier", value="gold"), TagBinding(key="unit")])
        projects.add_tag_bindings(made.id, added)
        self.assertEqual(pairs(projects.list_tag_bindings(made.id)), {"unit": "north", "tier": "gold"})
        self.assertEqual(pairs(projects.list_effective_tag_bindings(made.id)), {"unit": "north", "tier": "gold"})
        projects.delete_tag_bindings(made.id)
        self.assertEqual(projects.list_tag_bindings(made.id), [])

    def test_workspaces_are_moved_and_the_project_is_deleted(self):
        made = self.project("Platform")
        workspace = self.workspace("one")
        self.client.projects.move_workspaces(made.id, [workspace.id])
        self.assertEqual(self.client.workspaces.read_by_id(workspace.id).project.id, made.id)
        self.client.workspaces.delete_by_id(workspace.id)
        self.client.projects.delete(made.id)
        with self.assertRaises(NotFound):
            self.client.projects.read(made.id)
