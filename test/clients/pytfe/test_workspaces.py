"""Workspaces by the published Python client, which sends `"vcs-repo": {}` and `"setting-overwrites": {}` with each."""

from pytfe.errors import NotFound
from pytfe.models import (
    TagBinding,
    WorkspaceAddRemoteStateConsumersOptions,
    WorkspaceCreateOptions,
    WorkspaceIncludeOpt,
    WorkspaceListOptions,
    WorkspaceLockOptions,
    WorkspaceReadOptions,
    WorkspaceRemoveRemoteStateConsumersOptions,
    WorkspaceUpdateOptions,
    WorkspaceUpdateRemoteStateConsumersOptions,
)

from served import Served


class Workspaces(Served):
    def test_created_with_nothing_but_a_name(self):
        made = self.workspace("one")
        self.assertRegex(made.id, r"^ws-\w{16}$")
        read = self.client.workspaces.read("one", organization=self.organization)
        self.assertEqual((read.id, read.name, read.execution_mode.value), (made.id, "one", "remote"))
        self.assertEqual(self.client.workspaces.read_by_id(made.id).name, "one")

    def test_created_with_options(self):
        project = self.project("Platform")
        made = self.workspace(
            "two",
            description="d",
            auto_apply=True,
            execution_mode="local",
            terraform_version="1.5.7",
            trigger_patterns=["/a/*"],
            auto_destroy_activity_duration="14d",
            project=project,
        )
        read = self.client.workspaces.read_by_id(made.id)
        self.assertEqual((read.description, read.auto_apply, read.terraform_version), ("d", True, "1.5.7"))
        self.assertEqual((read.execution_mode.value, read.trigger_patterns), ("local", ["/a/*"]))
        self.assertEqual((read.auto_destroy_activity_duration, read.project.id), ("14d", project.id))

    def test_an_update_changes_what_it_names(self):
        made = self.workspace("one", description="d", execution_mode="local", trigger_patterns=["/a/*"])
        update = WorkspaceUpdateOptions(auto_apply=True)
        self.client.workspaces.update("one", update, organization=self.organization)
        read = self.client.workspaces.read_by_id(made.id)
        self.assertEqual((read.auto_apply, read.description, read.execution_mode.value), (True, "d", "local"))
        self.client.workspaces.update_by_id(made.id, WorkspaceUpdateOptions(trigger_prefixes=["/m"], name="other"))
        read = self.client.workspaces.read("other", organization=self.organization)
        self.assertEqual((read.id, read.trigger_prefixes, read.trigger_patterns), (made.id, ["/m"], []))

    def test_a_repository_that_there_is_not_is_taken_off(self):
        made = self.workspace("one")
        self.assertIsNone(self.client.workspaces.remove_vcs_connection_by_id(made.id).vcs_repo)

    def test_listed_by_names_tags_and_projects(self):
        project = self.project("Platform", tag_bindings=[TagBinding(key="unit", value="north")])
        self.workspace("alpha")
        self.workspace("beta", project=project, tag_bindings=[TagBinding(key="env", value="prod")])
        self.workspace("beth", project=project)
        self.assertEqual(self.workspace_names(WorkspaceListOptions(sort="-name")), ["beth", "beta", "alpha"])
        self.assertEqual(self.workspace_names(WorkspaceListOptions(search="bet")), ["beta", "beth"])
        self.assertEqual(self.workspace_names(WorkspaceListOptions(wildcard_name="*a")), ["alpha", "beta"])
        self.assertEqual(self.workspace_names(WorkspaceListOptions(project_id=project.id, page_size=1)), ["beta", "beth"])
        inherited = WorkspaceListOptions(tag_bindings=[TagBinding(key="unit", value="north")])
        self.assertEqual(self.workspace_names(inherited), ["beta", "beth"])
        self.assertEqual(self.workspace_names(WorkspaceListOptions(tags="unit", exclude_tags="env")), ["beth"])

    def test_all_includes_that_it_knows_are_taken(self):
        made = self.workspace("one", tag_bindings=[TagBinding(key="env", value="prod")])
        options = WorkspaceReadOptions(include=list(WorkspaceIncludeOpt))
        read = self.client.workspaces.read_by_id_with_options(made.id, options)
        self.assertEqual((read.id, read.organization.id), (made.id, self.organization))

    def test_locks(self):
        made = self.workspace("one")
        workspaces = self.client.workspaces
        self.assertTrue(workspaces.lock(made.id, WorkspaceLockOptions(reason="a change")).locked)
        self.assertFalse(workspaces.unlock(made.id).locked)
        self.assertTrue(workspaces.lock(made.id, WorkspaceLockOptions()).locked)
        self.assertFalse(workspaces.force_unlock(made.id).locked)

    def test_state_consumers(self):
        core, reader = self.workspace("core"), self.workspace("reader")
        workspaces = self.client.workspaces

        def names():
            return [each.name for each in workspaces.list_remote_state_consumers(core.id)]

        workspaces.add_remote_state_consumers(core.id, WorkspaceAddRemoteStateConsumersOptions(workspaces=[reader]))
        self.assertEqual(names(), ["reader"])
        other = self.workspace("other")
        update = WorkspaceUpdateRemoteStateConsumersOptions(workspaces=[other])
        workspaces.update_remote_state_consumers(core.id, update)
        self.assertEqual(names(), ["other"])
        remove = WorkspaceRemoveRemoteStateConsumersOptions(workspaces=[other])
        workspaces.remove_remote_state_consumers(core.id, remove)
        self.assertEqual(names(), [])
        workspaces.update_by_id(core.id, WorkspaceUpdateOptions(global_remote_state=True))
        self.assertEqual(names(), ["other", "reader"])

    def test_deleted_in_four_ways(self):
        workspaces = self.client.workspaces
        by_id, safely = self.workspace("by-id"), self.workspace("safely-by-id")
        self.workspace("by-name")
        self.workspace("safely")
        workspaces.delete_by_id(by_id.id)
        workspaces.safe_delete_by_id(safely.id)
        workspaces.delete("by-name", organization=self.organization)
        workspaces.safe_delete("safely", organization=self.organization)
        self.assertEqual(self.workspace_names(), [])
        with self.assertRaises(NotFound):
            workspaces.read_by_id(by_id.id)

    def test_unknown_organization(self):
        with self.assertRaises(NotFound):
            self.client.workspaces.create("nobody-has-this", WorkspaceCreateOptions(name="one"))
