-- Two filters in the order of names: without it one in thirty rows of that order was one of the page.
create index tenants_by_status_type_and_name on tenants (status, tenant_type, name, id);
