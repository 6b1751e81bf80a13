-- Roles of those who run the console: support and auditor besides super_admin. None of them belongs to a tenant.
alter table users
  drop constraint users_role_check,
  drop constraint users_super_admin_has_no_tenant,
  add constraint users_role_check check (role in ('super_admin', 'support', 'auditor', 'admin', 'manager', 'user')),
  add constraint users_console_role_has_no_tenant
    check ((role in ('super_admin', 'support', 'auditor')) = (tenant_id is null));
