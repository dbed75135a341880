"""What each test of the published Python client begins with: a client of the server, and an organization of its own."""

import os
import unittest
import uuid

from pytfe import TFEClient, TFEConfig
from pytfe.models import OrganizationCreateOptions, ProjectCreateOptions, WorkspaceCreateOptions


class Served(unittest.TestCase):
    """A test with a client and an organization, which goes when it ends."""

    def setUp(self):
        address, token = os.environ["TESSERA_ADDRESS"], os.environ["TESSERA_TOKEN"]
        # Nothing is tried again: what fails is to be seen.
        self.client = TFEClient(TFEConfig(address=address, token=token, max_retries=0))
        self.addCleanup(self.client.close)
        self.organization = f"py-{uuid.uuid4().hex[:12]}"
        self.client.organizations.create(OrganizationCreateOptions(name=self.organization, email="py@example.test"))
        self.addCleanup(self.client.organizations.delete, self.organization)

    def workspace(self, name, **options):
        """Makes a workspace of this name with these options."""
        return self.client.workspaces.create(self.organization, WorkspaceCreateOptions(name=name, **options))

    def project(self, name, **options):
        """Makes a project of this name with these options."""
        return self.client.projects.create(self.organization, ProjectCreateOptions(name=name, **options))

    def workspace_names(self, options=None):
        """Names of the workspaces that a list with these options has."""
        return [each.name for each in self.client.workspaces.list(self.organization, options)]


def pairs(bindings):
    """Keys and values of bindings."""
    return {each.key: each.value for each in bindings}
