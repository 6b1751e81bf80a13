-- Addenda: texts of a tenant's own, rendered after the base template. They have versions as the base templates have.

-- A new database has inserted the first template in this transaction: without its pending check, the table can be altered.
set constraints prompt_templates_live_version immediate;
set constraints prompt_templates_live_version deferred;

alter table prompt_templates
  add column tenant_id uuid references tenants on delete cascade,  -- null: a base template
  drop constraint prompt_templates_prompt_type_unique,
  add constraint prompt_templates_prompt_type_unique unique nulls not distinct (tenant_id, prompt_type);

alter table prompt_versions
  drop constraint prompt_versions_template_check,
  add constraint prompt_versions_template_check check (char_length(template) <= 50000),  -- empty: a removed addendum
  drop constraint prompt_versions_template_id_fkey,
  add constraint prompt_versions_template_id_fkey foreign key (template_id) references prompt_templates on delete cascade;

-- An addendum and its versions are deleted with their tenant only.

drop trigger prompt_versions_append_only on prompt_versions;
create trigger prompt_versions_append_only before update or truncate on prompt_versions
for each statement execute function refuse_change();

create function refuse_deletion_of_template() returns trigger
language plpgsql as $$
begin
  if old.tenant_id is null or exists (select from tenants where id = old.tenant_id) then
    raise exception 'prompt_templates is append-only' using errcode = 'insufficient_privilege';
  end if;
  return old;
end $$;

create trigger prompt_templates_append_only before delete on prompt_templates
for each row execute function refuse_deletion_of_template();

create function refuse_deletion_of_version() returns trigger
language plpgsql as $$
begin
  if exists (select from prompt_templates where id = old.template_id) then
    raise exception 'prompt_versions is append-only' using errcode = 'insufficient_privilege';
  end if;
  return old;
end $$;

create trigger prompt_versions_kept before delete on prompt_versions
for each row execute function refuse_deletion_of_version();
