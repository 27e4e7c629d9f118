"""A parent, and a phone that shows the family's dashboard: fixtures for the modules that import them."""

import pytest

from support.children import Household
from support.family import open_dashboard


@pytest.fixture
def ada(server):
    return Household(server, "Ada")


@pytest.fixture
def page(ada, sign_in):
    page = sign_in(ada)
    open_dashboard(page)
    return page
