"""A parent, and a phone on which the family's dashboard is open: fixtures for the files that import them."""

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
